#include "model/sql/constant_set.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "model/number/number.h"
#include "model/sql/comparison.h"
#include "model/sql/identity.h"

namespace orrery::model::sql {
namespace {

bool IsFoundByIdentity(const Value& value) {
  if (!IsPrimitive(TypeOf(value))) return false;
  return !value.is_number() || !std::isnan(ToDouble(value));
}

}  // namespace

ConstantSet::ConstantSet(const std::vector<const Value*>& constants) {
  ORRERY_CHECK(!constants.empty());
  for (const Value* constant : constants) {
    if (IsFoundByIdentity(*constant))
      identities_.insert(IdentityOf(*constant));
    else
      others_.push_back(constant);
  }
  const JsonType first = TypeOf(*constants.front());
  if (std::ranges::all_of(constants, [&](const Value* c) { return TypeOf(*c) == first; }))
    only_type_ = first;
}

Truth ConstantSet::Contains(const Value& value) const {
  const JsonType type = TypeOf(value);
  if (type == JsonType::kUndefined) return Truth::kUndefined;
  const bool found =
      IsFoundByIdentity(value)
          ? identities_.contains(IdentityOf(value))
          : std::ranges::any_of(others_, [&](const Value* c) { return DeepEqual(value, *c); });
  if (found) return Truth::kTrue;
  return only_type_ == type ? Truth::kFalse : Truth::kUndefined;
}

}  // namespace orrery::model::sql
