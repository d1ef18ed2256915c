
/* A text with an end, as functions of C take it. */
static char *dodona_text(const char *text, size_t length) {
    char *copy = (char *)malloc(length + 1);
    if (!copy) __builtin_trap();
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

/* Such a text lives as long as its call: a process that makes many calls would fill its memory else. */
static void dodona_freed(char **text) { free(*text); }

/* The length of a text that a call gives, which a call may also say. */
static size_t dodona_length(const char *text, size_t said) {
    if (!text) __builtin_trap();
    return said == (size_t)-1 ? strlen(text) : said;
}
