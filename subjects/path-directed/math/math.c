/* Functions of MathUtils of Commons Math 2: the greatest common divisor, angles reduced to one turn, and the distance of
   two points. Where the original throws an exception, these trap. */
#include <stddef.h>
#include <stdint.h>

#include "../here.h"

static const double PI = 3.14159265358979323846;
static const double TURN = 2 * 3.14159265358979323846;

/* ---- gcd ---- */

static int32_t magnitude(int32_t x) {
    if (x == INT32_MIN) {
        /* 2^31 is no int. */
        __builtin_trap();
    }
    if (x < 0) {
        return -x;
    }
    return x;
}

/* The greatest common divisor by the binary method of Stein (Knuth 4.5.2, algorithm B). The numbers are kept negative,
   since those reach one further. */
int32_t gcd(int32_t p, int32_t q) {
    int32_t u = p;
    int32_t v = q;
    if (u == 0) {
        return magnitude(v);
    }
    if (v == 0) {
        return magnitude(u);
    }
    if (u > 0) {
        u = -u;
    }
    if (v > 0) {
        v = -v;
    }
    /* Common factors of two. */
    int32_t k = 0;
    while ((u & 1) == 0 && (v & 1) == 0 && k < 31) {
        u /= 2;
        v /= 2;
        k++;
    }
    if (k == 31) {
        /* 2^31 is no int. */
        __builtin_trap();
    }
    /* One of them is odd. t is positive where u has become smaller, else negative. */
    int32_t t;
    if ((u & 1) == 1) {
        t = v;
    } else {
        t = -(u / 2);
    }
    do {
        while ((t & 1) == 0) {
            t /= 2;
        }
        if (t > 0) {
            u = -t;
        } else {
            v = t;
        }
        t = (v - u) / 2;
    } while (t != 0);
    return -u * (1 << k);
}

/* ---- normalize_angle ---- */

/* The angle in [center - pi, center + pi) that differs from this one by whole turns, in radians. */
double normalize_angle(double angle, double center) {
    double low = center - PI;
    if (angle >= low && angle < center + PI) {
        return angle;
    }
    double turns = __builtin_floor((angle - low) / TURN);
    return angle - TURN * turns;
}

/* ---- distance ---- */

static double absolute(double x) {
    if (x < 0.0) {
        return -x;
    }
    return x;
}

/* The Euclidean distance of two points of so many coordinates; scaled by the greatest difference, so that no square
   overflows. */
double distance(const double *a, const double *b, size_t coordinates) {
    double greatest = 0.0;
    for (size_t i = 0; i < coordinates; i++) {
        double difference = absolute(a[i] - b[i]);
        if (difference > greatest) {
            greatest = difference;
        }
    }
    if (greatest == 0.0) {
        HERE; return 0.0;
    }
    double sum = 0.0;
    for (size_t i = 0; i < coordinates; i++) {
        double share = (a[i] - b[i]) / greatest;
        sum += share * share;
    }
    return greatest * __builtin_sqrt(sum);
}
