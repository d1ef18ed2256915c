/* The distance that geod_inverse gives on the ellipsoid WGS84. */
#include "geodesic.h"

double distance(double lat1, double lon1, double lat2, double lon2) {
    struct geod_geodesic wgs84;
    double metres;
    geod_init(&wgs84, 6378137, 1 / 298.257223563);
    geod_inverse(&wgs84, lat1, lon1, lat2, lon2, &metres, 0, 0);
    return metres;
}
