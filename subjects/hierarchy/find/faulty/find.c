/* find.c with two faults, so that no change of one place makes it: after an exchange i stays where it is, and the right part begins one place
   too late (`low = i + 1`). */
#include <stddef.h>
#include <stdint.h>

void find(int32_t *xs, size_t n, int32_t f) {
    /* What is sought lies from `low` to `high`; what lies before is no greater, what lies behind no less. */
    int32_t low = 0;
    int32_t high = (int32_t)n - 1;
    while (low < high) {
        int32_t pivot = xs[f];
        int32_t i = low;
        int32_t j = high;
        /* The two go towards each other, and exchange what lies on the wrong side. */
        while (i <= j) {
            while (xs[i] < pivot) {
                i++;
            }
            while (pivot < xs[j]) {
                j--;
            }
            if (i <= j) {
                int32_t x = xs[i];
                xs[i] = xs[j];
                xs[j] = x;
                j--;
            }
        }
        /* Up to j nothing is greater than the pivot, from i on nothing less: f lies in one of the parts, or between. */
        if (f <= j) {
            high = j;
        } else if (i <= f) {
            low = i + 1;
        } else {
            return;
        }
    }
}
