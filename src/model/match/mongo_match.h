// Decides whether a value that a path leads to meets a condition under MongoDB's rules.
//
// A path leads through objects and into the elements of arrays; a number is the index of an element
// or the name of a field. What is there is met as a whole, and if it is an array by each of its
// elements as well. Null is equal to null and to no value. Comparisons are among values of one BSON
// type; but MinKey and MaxKey compare with all.
//
// Values are compared in the document's bytes where they are numbers or strings; only others are
// decoded. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "model/document/document.h"
#include "model/match/comparison.h"
#include "model/value.h"

namespace orrery::model {

// LeafArrays says whether an array at the end of a path is matched by its elements, too.
enum class LeafArrays : uint8_t { kWhole, kWholeAndElements };

// Visits what the path leads to, null for nothing at all, until `visit` is true. Returns whether it
// was. An empty path leads nowhere.
bool VisitMongoPath(DocumentView document, std::span<const std::string> path, LeafArrays arrays,
                    const std::function<bool(const ElementView*)>& visit);

// Returns whether one value compares so with the constant; null: no value.
bool MatchesMongo(const ElementView* value, Comparison comparison, const Value& constant);

// Returns whether any value that the path leads to compares so with the constant.
bool MatchesMongo(DocumentView document, std::span<const std::string> path, Comparison comparison,
                  const Value& constant);

}  // namespace orrery::model
