// Compares elements of BSON documents with values, without making values of them where that is
// avoidable: what filters do for every document.
#pragma once

#include <compare>

#include "api/mongo/language/value/collator.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

// Returns whether two values have the same place in BSON's order of types: numbers are one type,
// strings and symbols too.
bool IsSameType(model::Kind a, model::Kind b);

// As CompareValues. REQUIRES: IsSameType.
std::weak_ordering CompareElement(const model::ElementView& element, const model::Value& value,
                                  const Collator* collator);

bool IsNan(const model::Value& value);

}  // namespace orrery::mongo
