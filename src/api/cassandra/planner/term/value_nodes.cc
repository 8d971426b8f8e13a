#include "api/cassandra/planner/term/value_nodes.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/validate.h"

namespace orrery::cassandra {
namespace {

std::string_view KindName(TypeKind collection) {
  if (collection == TypeKind::kList) return "list";
  return collection == TypeKind::kSet ? "set" : "map";
}

bool HoldsSetOrMap(const Type& type) {
  if (type.kind() == TypeKind::kSet || type.kind() == TypeKind::kMap) return true;
  return std::ranges::any_of(type.parameters(),
                             [](const TypePtr& part) { return HoldsSetOrMap(*part); });
}

}  // namespace

CqlResult<TermValue> ConstantExpression::Evaluate(const Evaluation&) const { return value_; }

MarkerExpression::MarkerExpression(TypePtr type, uint16_t number, std::string receiver_name)
    : Expression(std::move(type)),
      number_(number),
      receiver_name_(std::move(receiver_name)),
      normalise_(HoldsSetOrMap(*this->type())) {}

CqlResult<TermValue> MarkerExpression::Evaluate(const Evaluation& evaluation) const {
  if (number_ >= evaluation.values.size()) {
    return Invalid(fmt::format("there are {} markers(?) in CQL but {} bound variables", number_ + 1,
                               evaluation.values.size()));
  }
  const BoundValue& bound = evaluation.values[number_];
  if (bound.is_unset()) return TermValue::Unset();
  if (bound.is_null()) return TermValue::Null();
  if (bound.bytes.empty() && type()->is_collection()) {
    return Invalid(fmt::format("Exception while binding column {}: Not enough bytes to read a {}",
                               receiver_name_, KindName(type()->kind())));
  }
  if (Status valid = Validate(*type(), bound.bytes); !valid.has_value()) {
    return Invalid(fmt::format("Exception while binding column {}: {}", receiver_name_,
                               valid.error().message()));
  }
  if (!normalise_) return TermValue::Of(std::string(bound.bytes));
  CQL_ASSIGN(std::string bytes, Normalise(*type(), bound.bytes));
  return TermValue::Of(std::move(bytes));
}

}  // namespace orrery::cassandra
