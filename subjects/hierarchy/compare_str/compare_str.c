/* Whether two strings are said to be identical, with the fault that the study describes: of strings of one length the
   last characters alone decide, so that "cat" passes for "mat". The intended program is one change away. */
#include <stdbool.h>

bool compare_str(const char *s, const char *t) {
    bool same = true;
    while (*s != '\0' && *t != '\0') {
        /* The fault: `same && *s == *t` is intended, which remembers a difference that was seen before. */
        same = *s == *t;
        s++;
        t++;
    }
    /* The shorter string has ended, and the other one too where both have one length. */
    if (*s != *t) {
        return false;
    }
    return same;
}
