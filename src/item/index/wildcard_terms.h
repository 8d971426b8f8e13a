// The terms of a wildcard index: of every value at or below its path, with the path of the value.
//
//   value := path as a string, value     ; in the order of keys, cut like others
//
// Steps into arrays do not count: {a: [{b: 1}, 2]} has ("a.b", 1) and ("a", 2). An object has what
// is in it, and itself where it is empty; an empty array counts as undefined, and an array in an
// array as a whole. Documents that have nothing there have no term.
//
// Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "item/index/index_policy.h"
#include "item/index/index_terms.h"
#include "model/compare.h"
#include "model/document/document.h"

namespace orrery::item {

// Adds them, in no order. kTooLarge past kIndexTermsMax. REQUIRES: index.kind is kWildcard.
Status AddWildcardTerms(const NamedIndex& index, model::DocumentView document, model::Order order,
                        std::vector<IndexTerm>& terms);

// Returns whether the index has the values at a path, given by its fields.
bool CoversPath(const NamedIndex& index, std::span<const std::string> path);

// The beginning of the values that it has of a path.
std::string WildcardPrefix(std::span<const std::string> path, model::Order order);

}  // namespace orrery::item
