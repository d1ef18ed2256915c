/* Selection sort, with a fault of the kind that a reader misses: what saves comparisons is right for distinct elements
   only, and (1, 2, 1) stays as it is. */
#include <stddef.h>
#include <stdint.h>

static void swap(int32_t *xs, size_t i, size_t j) {
    int32_t x = xs[i];
    xs[i] = xs[j];
    xs[j] = x;
}

/* The index of a least element from `start` on, all of them no less than `placed`. */
static size_t least(const int32_t *xs, size_t start, size_t n, int32_t placed) {
    size_t where = start;
    size_t j = start + 1;
    /* The search ends early at an element that nothing can be less than. The fault: `xs[where] > placed` is intended.
       Behind an element of one more than the placed one, another equal to the placed one may still come. */
    while (j < n && xs[where] > placed + 1) {
        if (xs[j] < xs[where]) {
            where = j;
        }
        j++;
    }
    return where;
}

void selection(int32_t *xs, size_t n) {
    /* Nothing is placed yet: less than every element. */
    int32_t placed = INT32_MIN;
    for (size_t i = 0; i + 1 < n; i++) {
        size_t where = least(xs, i, n, placed);
        if (where != i) {
            swap(xs, i, where);
        }
        placed = xs[i];
    }
}
