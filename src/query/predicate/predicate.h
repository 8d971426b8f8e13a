// A Predicate is a condition on one path of documents, as ranges of an index over that path.
//
// It is implied by the conditions of the query that it was made of: a document that has no value in
// its ranges cannot be wanted. What has one is still to be checked against the conditions. Made by
// PredicateBuilder. A value; thread-safe.
#pragma once

#include <optional>
#include <vector>

#include "model/value.h"
#include "query/predicate/document_path.h"
#include "query/predicate/match_rules.h"
#include "query/predicate/value_range.h"

namespace orrery::query {

struct Predicate {
  DocumentPath path;
  std::vector<ValueRange> ranges;         // rising and disjoint
  std::optional<model::Value> equal;      // what it must be equal to, if it is one value
  std::vector<model::Value> any_of = {};  // what it must be one of, if it is one of several
  bool is_presence = false;               // says only that something of some type is there
  MatchRules rules = MatchRules::kSql;    // under which it was made
};

// Returns the values that both allow; nullopt if they are of different paths, or of one where a
// document may have several values (as it may everywhere under kMongo), of which each may meet
// another of the two.
std::optional<Predicate> Intersect(const Predicate& a, const Predicate& b);

}  // namespace orrery::query
