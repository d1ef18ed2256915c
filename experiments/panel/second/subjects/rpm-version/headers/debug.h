/* In place of the header for debugging, of which rpmvercmp.c uses nothing. */
