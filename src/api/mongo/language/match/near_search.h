// A NearSearch tells how far documents are from the point of a $near, $nearSphere or $geoNear.
// Pure.
#pragma once

#include <optional>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/match_node.h"
#include "model/document/document.h"
#include "model/spatial/geometry.h"

namespace orrery::mongo {

// MongoDB's earth is a sphere.
inline constexpr double kEarthRadiusMetres = 6'378'100;

class NearSearch {
 public:
  // kBadValue when `near` is no point.
  static Answer<NearSearch> Make(NearNode::Search search);

  struct Found {
    double distance = 0;  // metres, radians (a pair, spherical) or the plane's units
    model::Value place;   // the nearest one at the path
  };
  // Nullopt for documents without a place there, or not between the distances that are wanted.
  std::optional<Found> Measure(model::DocumentView document) const;

  const NearNode::Search& search() const { return search_; }
  const model::Geometry& point() const { return point_; }
  // The distance that all documents are within, in metres; nullopt if there is none on the earth.
  std::optional<double> metres_max() const;

 private:
  NearSearch(NearNode::Search search, model::Geometry point)
      : search_(std::move(search)), point_(std::move(point)) {}
  double DistanceTo(const model::Geometry& place) const;

  NearNode::Search search_;
  model::Geometry point_;
};

}  // namespace orrery::mongo
