/* What two circles in the plane have in common. */
#include <math.h>

static const double PI = 3.14159265358979323846;

/* A number from -1 to 1: rounding may have led out of that. */
static double cosine(double value) {
    return value < -1 ? -1 : value > 1 ? 1 : value;
}

/* The area of the part of a circle that a chord cuts off, which is seen from the centre under twice the angle. */
static double segment(double radius, double angle) {
    return radius * radius * (angle - sin(angle) * cos(angle));
}

/*
 * The area that two circles have in common: one with the radius `r1` around (x1, y1), the other with the radius `r2` around (x2, y2).
 *
 * It is 0 if they do not meet, or only touch, and the area of the smaller one if that lies within the other. A circle with the radius
 * 0 is a point, and has no area. The result is NaN if a radius is negative.
 */
double circle_overlap(double x1, double y1, double r1, double x2, double y2, double r2) {
    double distance, first, second;
    if (r1 < 0 || r2 < 0)
        return NAN;
    distance = hypot(x2 - x1, y2 - y1);
    if (distance >= r1 + r2)
        return 0;
    if (distance <= fabs(r1 - r2)) {
        double smaller = r1 < r2 ? r1 : r2;
        return PI * smaller * smaller;
    }
    /* Half of the angles under which the centres see the common chord. */
    first = acos(cosine((distance + (r1 - r2) / distance * (r1 + r2)) / (2 * r1)));
    second = acos(cosine((distance + (r2 - r1) / distance * (r1 + r2)) / (2 * r2)));
    return segment(r1, first) + segment(r2, second);
}
