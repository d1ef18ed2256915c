/* What humanize_number writes with HN_AUTOSCALE, as a text that is empty if it fails. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <libutil.h>

char *humanize(int64_t number, int width, bool decimal, bool si) {
    char *buf = calloc(width + 1, 1);
    int flags = HN_B | (decimal ? HN_DECIMAL : 0) | (si ? HN_DIVISOR_1000 : 0);
    if (humanize_number(buf, width + 1, number, "", HN_AUTOSCALE, flags) < 0)
        buf[0] = '\0';
    return buf;
}
