/* Branches on a double that is computed from an integer: four paths. */
#include <stdint.h>

double int_to_double(int32_t x) {
    double y = x * 0.5 + 1.25;
    if (y * y > 1e6) {
        if (y > 0.0) {
            return y / 3.0 - 7.0;
        }
        return -y;
    }
    if (y / 7.0 < 2.5) {
        return y + 100.0;
    }
    return y * 2.0;
}
