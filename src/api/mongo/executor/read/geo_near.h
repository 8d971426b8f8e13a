// $geoNear: the first stage of a pipeline that gives documents by their distance from a point, with
// the distance as a field.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/match/near_search.h"
#include "api/mongo/language/row.h"

namespace orrery::mongo {

struct GeoNearStage {
  NearNode::Search search;  // without a path, if the stage has no key
  std::string distance_field;
  std::optional<std::string> place_field = {};  // includeLocs
  double multiplier = 1;                        // distanceMultiplier
  MatcherPtr filter = nullptr;                  // query; null: every document

  // The errors are those of MongoDB.
  static Answer<GeoNearStage> Parse(const model::Value& operand, const QueryContextPtr& context);
};

// Finds the path of the one geo index where the stage has no key, and checks that an index serves.
Outcome CompleteSearch(const Collection& collection, NearNode::Search& search);
// Returns whether a geo index of the collection serves the search; 291 NoQueryExecutionPlans if
// not.
Outcome CheckGeoIndex(const Collection& collection, const NearNode::Search& search);

// Rows with the fields of the stage. `input` has the metadata of NearRows.
std::unique_ptr<RowSource> WithDistances(std::unique_ptr<RowSource> input, GeoNearStage stage);

}  // namespace orrery::mongo
