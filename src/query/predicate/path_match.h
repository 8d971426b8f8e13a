// Decides whether a condition on one path is true of a document: what MatchRules mean, value by
// value. Access paths find candidates; this decides.
//
// Pure.
#pragma once

#include <span>
#include <string>

#include "model/document/document.h"
#include "model/value.h"
#include "query/predicate/comparison.h"
#include "query/predicate/match_rules.h"

namespace orrery::query {

// Returns whether a value at the path compares so with the constant.
bool Matches(model::DocumentView document, std::span<const std::string> path, Comparison comparison,
             const model::Value& constant, MatchRules rules);

}  // namespace orrery::query
