/* sorting.c with a fault: building the heap stops one step early, so the root is never sifted
   and the first element can end up last. */
#include <stddef.h>
#include <stdint.h>

void insertion_sort(int32_t *xs, size_t n) {
    for (size_t i = 1; i < n; i++) {
        int32_t x = xs[i];
        size_t hole = i;
        while (hole > 0 && xs[hole - 1] > x) {
            xs[hole] = xs[hole - 1];
            hole--;
        }
        xs[hole] = x;
    }
}

static void swap(int32_t *xs, size_t i, size_t j) {
    int32_t x = xs[i];
    xs[i] = xs[j];
    xs[j] = x;
}

/* Sinks the element at `root` until neither child in the first `n` elements is greater. */
static void sift_down(int32_t *xs, size_t root, size_t n) {
    while (2 * root + 1 < n) {
        size_t child = 2 * root + 1;
        if (child + 1 < n && xs[child] < xs[child + 1]) {
            child++;
        }
        if (xs[root] >= xs[child]) {
            return;
        }
        swap(xs, root, child);
        root = child;
    }
}

void heap_sort(int32_t *xs, size_t n) {
    for (size_t root = n / 2; root > 1; root--) {
        sift_down(xs, root - 1, n);
    }
    for (size_t end = n; end > 1; end--) {
        swap(xs, 0, end - 1);
        sift_down(xs, 0, end - 1);
    }
}
