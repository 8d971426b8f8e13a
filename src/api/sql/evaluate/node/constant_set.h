// Whether a value is one of many constants: what IN asks when its list has thousands.
//
// The same answer as In of function/operator/comparison.h, in the time of one look-up instead of
// one comparison per constant.
//
// Immutable, so thread-safe.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "api/sql/function/json_type.h"
#include "api/sql/function/operator/truth.h"
#include "model/value.h"

namespace orrery::sql::node {

class ConstantSet {
 public:
  // The constants must outlive the set. REQUIRES: at least one.
  explicit ConstantSet(const std::vector<const model::Value*>& constants);

  Truth Contains(const model::Value& value) const;

 private:
  // The identities of null, booleans, strings and numbers.
  std::unordered_set<std::string> identities_;
  // Arrays, objects and NaN: identity and equality differ where NaN is.
  std::vector<const model::Value*> others_;
  // When all are of one type. A value of any other compares with none of them, or not with all.
  std::optional<JsonType> only_type_;
};

}  // namespace orrery::sql::node
