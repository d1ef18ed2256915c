/* Insertion sort in place; on four bytes it takes 24 paths, one a permutation. */
#include <stddef.h>
#include <stdint.h>

void sort4(uint8_t *xs, size_t n) {
    for (size_t i = 1; i < n; i++) {
        uint8_t x = xs[i];
        size_t j = i;
        while (j > 0 && xs[j - 1] > x) {
            xs[j] = xs[j - 1];
            j--;
        }
        xs[j] = x;
    }
}
