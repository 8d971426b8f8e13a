// $geoWithin and $geoIntersects on one value: a GeoJSON object or a legacy pair.
#pragma once

#include <string>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/value_predicate.h"
#include "model/value.h"

namespace orrery::mongo {

// REQUIRES: name is "$geoWithin", "$within" or "$geoIntersects".
Answer<ValuePredicatePtr> ParseGeoPredicate(const std::string& name, const model::Value& value);

}  // namespace orrery::mongo
