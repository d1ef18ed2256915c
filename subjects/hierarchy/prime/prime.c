/* Whether a positive integer is prime, wrong for one input alone: 4, which passes for prime. */
#include <stdbool.h>
#include <stdint.h>

bool prime(int32_t n) {
    if (n < 2) {
        return false;
    }
    bool divided = false;
    int32_t divisor = 2;
    /* The fault: `2 * divisor <= n` is intended. Every other composite number has a divisor below its half. */
    while (!divided && 2 * divisor < n) {
        if (n % divisor == 0) {
            divided = true;
        }
        divisor++;
    }
    return !divided;
}
