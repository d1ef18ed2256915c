/* In place of the header of the whole library, of which rpmvercmp.c needs only this. */
int rpmvercmp(const char *a, const char *b);
