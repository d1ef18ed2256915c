// The numbers of Fibonacci modulo 2^64, by doubling: fib(2k) and fib(2k + 1) from fib(k) and fib(k + 1).

#include <stdint.h>

__attribute__((export_name("fib"))) uint64_t fib(uint64_t n) {
    uint64_t a = 0, b = 1;
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t twice = a * (2 * b - a);
        uint64_t next = a * a + b * b;
        a = twice;
        b = next;
        if (n >> bit & 1) {
            uint64_t sum = a + b;
            a = b;
            b = sum;
        }
    }
    return a;
}
