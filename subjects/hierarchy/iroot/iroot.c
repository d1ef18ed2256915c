/* The integer square root of a positive integer: the greatest integer whose square is no more than it. */
#include <stdint.h>

int32_t iroot(int32_t n) {
    int32_t root = 0;
    int32_t odd = 1;
    int32_t square = 1;
    /* The squares are the sums of the odd numbers: `square` is that of root + 1, `odd` the last one in the sum. */
    while (square <= n) {
        root = root + 1;
        odd = odd + 2;
        square = square + odd;
    }
    return root;
}
