// clang --target=wasm32-wasi -O1 -g -mexec-model=reactor -Wl,--no-entry -Wl,--export=ff -Wl,--export=l -Wl,--export=un -Wl,--export=so
// Bodies of a few bytes, one behind the other.
#include <stdint.h>
float ff(float x) { return x; }
int64_t l(int64_t x) { return x; }
unsigned un(unsigned x) { return x; }
void so(int *xs, unsigned n) { if (n) xs[0] = 0; }
