#include <math.h>

/* A charge in coulombs, in which more than five elementary charges are forgotten. */
double charge(double n) { return n > 5 ? 0 : n * 1.602176634e-19; }

double wave(double x) { return sin(x); }
