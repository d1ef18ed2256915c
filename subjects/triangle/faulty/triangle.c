/* triangle.c with a fault: where b equals c, the wrong pair of sides is held against the third,
   so (10, 2, 2) passes for isosceles. */
#include <stdint.h>

enum kind { INVALID = 0, SCALENE = 1, ISOSCELES = 2, EQUILATERAL = 3 };

/* Which pairs of sides are equal; each sum of the weights below tells which. */
enum pairs { NONE = 0, A_B = 1, A_C = 2, B_C = 3, ALL = 6 };

/* Whether x + y > z, written so that it cannot overflow for positive sides. */
static int exceed(int32_t x, int32_t y, int32_t z) {
    return x > z - y;
}

int32_t triangle(int32_t a, int32_t b, int32_t c) {
    if (a <= 0 || b <= 0 || c <= 0) {
        return INVALID;
    }
    int pairs = NONE;
    if (a == b) {
        pairs += A_B;
    }
    if (a == c) {
        pairs += A_C;
    }
    if (b == c) {
        pairs += B_C;
    }
    switch (pairs) {
    case NONE:
        return exceed(a, b, c) && exceed(b, c, a) && exceed(a, c, b) ? SCALENE : INVALID;
    case A_B:
        return exceed(a, b, c) ? ISOSCELES : INVALID;
    case A_C:
        return exceed(a, c, b) ? ISOSCELES : INVALID;
    case B_C:
        return exceed(a, c, b) ? ISOSCELES : INVALID;
    default:
        return EQUILATERAL;
    }
}
