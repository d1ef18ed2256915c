/* The smaller of two integers: the program by which the study shows that a mutant's tests kill other mutants. */
#include <stdint.h>

int32_t min(int32_t a, int32_t b) {
    int32_t m;
    m = a;
    if (m > b) {
        m = b;
    }
    return m;
}
