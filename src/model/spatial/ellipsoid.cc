#include "model/spatial/ellipsoid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/spatial/sphere.h"

namespace orrery::model {
namespace {

constexpr double kPi = std::numbers::pi;

// WGS-84.
constexpr double kEquatorRadius = 6378137.0;
constexpr double kFlattening = 1 / 298.257223563;
constexpr double kPoleRadius = kEquatorRadius * (1 - kFlattening);
constexpr double kEccentricitySquared = kFlattening * (2 - kFlattening);
constexpr double kMeanRadius = (2 * kEquatorRadius + kPoleRadius) / 3;

constexpr int kVincentyRoundsMax = 100;
constexpr double kVincentyPrecision = 1e-12;

double GreatCircleDistance(double latitude_a, double latitude_b, double longitude) {
  const double sine_latitude = std::sin((latitude_b - latitude_a) / 2);
  const double sine_longitude = std::sin(longitude / 2);
  const double h = sine_latitude * sine_latitude +
                   std::cos(latitude_a) * std::cos(latitude_b) * sine_longitude * sine_longitude;
  return 2 * kMeanRadius * std::asin(std::sqrt(std::min(h, 1.0)));
}

// Proportional to the area between the equator and the latitude.
double AuthalicQ(double sine) {
  const double e = std::sqrt(kEccentricitySquared);
  return (1 - kEccentricitySquared) * (sine / (1 - kEccentricitySquared * sine * sine) -
                                       std::log((1 - e * sine) / (1 + e * sine)) / (2 * e));
}

double AuthalicLatitude(double degrees) {
  const double ratio = AuthalicQ(std::sin(degrees * kRadiansPerDegree)) / AuthalicQ(1);
  return std::asin(std::clamp(ratio, -1.0, 1.0));
}

}  // namespace

double GeodesicDistance(GeoPoint a, GeoPoint b) {
  if (a == b) return 0;
  const double latitude_a = a.latitude * kRadiansPerDegree;
  const double latitude_b = b.latitude * kRadiansPerDegree;
  const double longitude = (b.longitude - a.longitude) * kRadiansPerDegree;
  const double reduced_a = std::atan((1 - kFlattening) * std::tan(latitude_a));
  const double reduced_b = std::atan((1 - kFlattening) * std::tan(latitude_b));
  const double sin_a = std::sin(reduced_a);
  const double cos_a = std::cos(reduced_a);
  const double sin_b = std::sin(reduced_b);
  const double cos_b = std::cos(reduced_b);

  double lambda = longitude;
  for (int round = 0; round < kVincentyRoundsMax; ++round) {
    const double sin_lambda = std::sin(lambda);
    const double cos_lambda = std::cos(lambda);
    const double sin_sigma =
        std::hypot(cos_b * sin_lambda, cos_a * sin_b - sin_a * cos_b * cos_lambda);
    if (sin_sigma == 0) {
      // The same place, such as a pole at two longitudes; or opposite on the equator.
      if (std::fabs(a.latitude - b.latitude) < 1e-12 && cos_lambda > 0) return 0;
      break;
    }
    const double cos_sigma = sin_a * sin_b + cos_a * cos_b * cos_lambda;
    const double sigma = std::atan2(sin_sigma, cos_sigma);
    const double sin_alpha = cos_a * cos_b * sin_lambda / sin_sigma;
    const double cos_squared_alpha = 1 - sin_alpha * sin_alpha;
    // Along the equator the term has no meaning, and no weight.
    const double cos_middle =
        cos_squared_alpha == 0 ? 0 : cos_sigma - 2 * sin_a * sin_b / cos_squared_alpha;
    const double c =
        kFlattening / 16 * cos_squared_alpha * (4 + kFlattening * (4 - 3 * cos_squared_alpha));
    const double previous = lambda;
    lambda = longitude +
             (1 - c) * kFlattening * sin_alpha *
                 (sigma +
                  c * sin_sigma * (cos_middle + c * cos_sigma * (2 * cos_middle * cos_middle - 1)));
    if (std::fabs(lambda - previous) > kVincentyPrecision) continue;

    const double u_squared = cos_squared_alpha *
                             (kEquatorRadius * kEquatorRadius - kPoleRadius * kPoleRadius) /
                             (kPoleRadius * kPoleRadius);
    const double big_a =
        1 + u_squared / 16384 * (4096 + u_squared * (-768 + u_squared * (320 - 175 * u_squared)));
    const double big_b =
        u_squared / 1024 * (256 + u_squared * (-128 + u_squared * (74 - 47 * u_squared)));
    const double middle_squared = cos_middle * cos_middle;
    const double correction =
        big_b * sin_sigma *
        (cos_middle +
         big_b / 4 *
             (cos_sigma * (2 * middle_squared - 1) -
              big_b / 6 * cos_middle * (4 * sin_sigma * sin_sigma - 3) * (4 * middle_squared - 3)));
    return kPoleRadius * big_a * (sigma - correction);
  }
  return GreatCircleDistance(latitude_a, latitude_b, longitude);
}

double RingArea(const GeoPath& ring) {
  // The signed area between each edge and the equator; a ring around a pole leaves out the pole's
  // half of the sphere.
  double below = 0;
  double turned = 0;
  for (size_t i = 0; i + 1 < ring.size(); ++i) {
    const double step = std::remainder(ring[i + 1].longitude - ring[i].longitude, 360.0);
    const double tan_a = std::tan(AuthalicLatitude(ring[i].latitude) / 2);
    const double tan_b = std::tan(AuthalicLatitude(ring[i + 1].latitude) / 2);
    below +=
        2 * std::atan2(std::tan(step * kRadiansPerDegree / 2) * (tan_a + tan_b), 1 + tan_a * tan_b);
    turned += step;
  }
  double left = std::fabs(turned) > 180 ? 2 * kPi - below : -below;
  if (left < 0) left += 4 * kPi;
  return left / (4 * kPi) * EarthArea();
}

double EarthArea() { return 2 * kPi * kEquatorRadius * kEquatorRadius * AuthalicQ(1); }

}  // namespace orrery::model
