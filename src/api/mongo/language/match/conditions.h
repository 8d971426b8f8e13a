// Finds what of a filter access paths can be chosen by.
//
// Everything returned is implied by the filter; the Matcher still decides on every document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/mongo/language/match/matcher.h"
#include "query/predicate/conditions.h"

namespace orrery::mongo {

// Under a collator, conditions on strings (and on values that contain strings) are left out.
query::Conditions ConditionsOf(const Matcher& matcher);
// The same with conditions on the keys that the collator makes of strings. REQUIRES: the filter has
// a collator.
query::Conditions CollatedConditionsOf(const Matcher& matcher);

// Adds where the documents of a search by distance are, if it has a maximum.
void AddConditionsOf(const NearNode::Search& search, query::Conditions& conditions);

// The value that the filter requires at the path by equality, as a shard key or `_id` has it;
// nullopt if it does not require exactly one. Arrays and regular expressions are none.
std::optional<model::Value> EqualityOn(const Matcher& matcher, std::string_view path);

}  // namespace orrery::mongo
