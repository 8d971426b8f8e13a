// $geoWithin and $geoIntersects on one value: a GeoJSON object or a legacy pair.
#pragma once

#include <optional>
#include <string>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/value_predicate.h"
#include "model/spatial/geometry.h"
#include "model/value.h"

namespace orrery::mongo {

// A condition on the place that a value stands for.
class GeoTest : public ValuePredicate {
 public:
  // The places that are no farther from a shape than so many metres: all that pass are there.
  struct Vicinity {
    model::Geometry shape;
    double metres = 0;
  };
  // Nullopt if they may be anywhere on the earth.
  virtual std::optional<Vicinity> vicinity() const = 0;
};

// REQUIRES: name is "$geoWithin", "$within" or "$geoIntersects".
Answer<ValuePredicatePtr> ParseGeoPredicate(const std::string& name, const model::Value& value);

}  // namespace orrery::mongo
