// Measures on the WGS-84 ellipsoid.
#pragma once

#include "model/spatial/geometry.h"

namespace orrery::model {

// Metres along the geodesic, by Vincenty's inverse formula (to a millimetre). It does not converge
// for points almost opposite to each other: there, the great circle of the mean sphere (to 0.5 %).
double GeodesicDistance(GeoPoint a, GeoPoint b);

// Square metres on the left of a ring whose edges are great circles of the authalic sphere, which
// has the ellipsoid's area: exact for the sphere, and better than 0.01 % for edges that geodesics
// would draw. Between 0 and the earth's whole surface.
double RingArea(const GeoPath& ring);

double EarthArea();

}  // namespace orrery::model
