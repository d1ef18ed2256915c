/* One cheap test a function, as wasmut takes them: a WASI command that fails where a check does. */
#include <stdint.h>

int32_t triangle(int32_t a, int32_t b, int32_t c);
int32_t gcd(int32_t p, int32_t q);
void insertion_sort(int32_t *xs, uint32_t n);

static int tests_triangle(void) {
    return triangle(3, 4, 5) == 1 && triangle(3, 3, 2) == 2 && triangle(3, 2, 3) == 2 && triangle(2, 3, 3) == 2
        && triangle(4, 4, 4) == 3 && triangle(0, 1, 1) == 0 && triangle(1, -1, 1) == 0 && triangle(1, 1, 0) == 0
        && triangle(1, 2, 3) == 0;
}

static int tests_gcd(void) {
    return gcd(12, 18) == 6 && gcd(-12, 18) == 6 && gcd(0, 5) == 5 && gcd(5, 0) == 5 && gcd(7, 13) == 1;
}

static int tests_insertion_sort(void) {
    int32_t xs[] = {3, -1, 2, 2, 0};
    insertion_sort(xs, 5);
    return xs[0] == -1 && xs[1] == 0 && xs[2] == 2 && xs[3] == 2 && xs[4] == 3;
}

int main(void) {
    return tests_triangle() && tests_gcd() && tests_insertion_sort() ? 0 : 1;
}
