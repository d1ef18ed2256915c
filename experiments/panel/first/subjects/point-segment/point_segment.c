/* The distance of a point from a line segment in the plane. */
#include <math.h>

/* A number, or the end of the interval from 0 to 1 that is nearest to it. */
static double within_0_and_1(double t) {
    if (t < 0.0)
        return 0.0;
    if (t > 1.0)
        return 1.0;
    return t;
}

/*
 * The distance of the point (px, py) from the segment that joins (ax, ay) and (bx, by). Both ends belong to the segment, and may
 * be the same point.
 */
double point_segment_distance(double px, double py, double ax, double ay, double bx, double by) {
    double dx = bx - ax, dy = by - ay;
    double square = dx * dx + dy * dy;
    double t = 0.0;
    /* The foot of the perpendicular is A + t (B - A). Beyond an end of the segment, that end is nearest. */
    if (square > 0.0)
        t = within_0_and_1(((px - ax) * dx + (py - ay) * dy) / square);
    return hypot(px - (ax + t * dx), py - (ay + t * dy));
}
