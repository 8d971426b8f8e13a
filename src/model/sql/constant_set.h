// A ConstantSet tells whether a value is one of many constants: for IN with thousands of values.
//
// The same answer as In of comparison.h, in the time of one look-up instead of
// one comparison per constant.
//
// Immutable, so thread-safe.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "model/sql/json_type.h"
#include "model/sql/truth.h"
#include "model/value.h"

namespace orrery::model::sql {

class ConstantSet {
 public:
  // The constants must outlive the set. REQUIRES: at least one.
  explicit ConstantSet(const std::vector<const Value*>& constants);

  Truth Contains(const Value& value) const;

 private:
  // The identities of null, booleans, strings and numbers.
  std::unordered_set<std::string> identities_;
  // Arrays, objects and NaN: identity and equality differ where NaN is.
  std::vector<const Value*> others_;
  // Set when all are of one type. A value of any other compares with none of them, or not with all.
  std::optional<JsonType> only_type_;
};

}  // namespace orrery::model::sql
