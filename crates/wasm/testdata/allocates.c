// clang --target=wasm32-wasi -O1 -mexec-model=reactor -Wl,--no-entry -Wl,--export=reversed -Wl,--export=distance
// The allocator's own variables lie in zeroed memory right below the stack.
#include <stdlib.h>
typedef struct { int *data; size_t length; } Sequence;
Sequence reversed(const int *xs, size_t n) {
    int *copy = malloc(n * sizeof *copy + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = xs[n - 1 - i];
    return (Sequence){copy, n};
}
int distance(const int *xs, size_t n) {
    char *volatile fresh = malloc(64);
    return (int)(fresh - (char *)xs) + 0 * (int)n;
}
