/* Sine, cosine and tangent with a fault: the angle is first brought into one turn by a circumference
   of eight digits, so each turn adds an error of 2.8e-9. */
#include <math.h>

static const double TURN = 6.28318531;

static double one_turn(double x) {
    return x - TURN * round(x / TURN);
}

double quick_sin(double x) {
    return sin(one_turn(x));
}

double quick_cos(double x) {
    return cos(one_turn(x));
}

double quick_tan(double x) {
    return tan(one_turn(x));
}
