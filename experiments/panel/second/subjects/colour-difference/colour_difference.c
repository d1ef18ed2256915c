/* The difference that cmsCIE2000DeltaE gives, with the weights of 1 that the standard has for reference conditions. */
#include "lcms2.h"

double colour_difference(double l1, double a1, double b1, double l2, double a2, double b2) {
    cmsCIELab first = {l1, a1, b1}, second = {l2, a2, b2};
    return cmsCIE2000DeltaE(&first, &second, 1, 1, 1);
}
