#include "api/cassandra/planner/term/literal_nodes.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/cassandra/types/collection_codec.h"

namespace orrery::cassandra {
namespace {

CqlResult<std::string> EvaluateElement(const Expression& part, const Evaluation& evaluation,
                                       std::string_view whole) {
  CQL_ASSIGN(TermValue value, part.Evaluate(evaluation));
  if (value.is_null()) return Invalid(fmt::format("null is not supported inside {}", whole));
  if (value.is_unset())
    return Invalid(fmt::format("unset value is not supported inside {}", whole));
  return std::move(value.bytes);
}

CqlResult<std::vector<std::string>> EvaluateElements(const ExpressionList& parts,
                                                     const Evaluation& evaluation,
                                                     std::string_view whole = "collections") {
  std::vector<std::string> values;
  values.reserve(parts.size());
  for (const ExpressionPtr& part : parts) {
    CQL_ASSIGN(std::string value, EvaluateElement(*part, evaluation, whole));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace

bool AllConstant(const ExpressionList& parts) {
  return std::ranges::all_of(
      parts, [](const ExpressionPtr& part) { return part == nullptr || part->is_constant(); });
}

ElementsExpression::ElementsExpression(TypePtr type, ExpressionList elements)
    : Expression(std::move(type)),
      elements_(std::move(elements)),
      constant_(AllConstant(elements_)) {}

CqlResult<TermValue> ElementsExpression::Evaluate(const Evaluation& evaluation) const {
  const bool vector = type()->kind() == TypeKind::kVector;
  CQL_ASSIGN(const std::vector<std::string> values,
             EvaluateElements(elements_, evaluation, vector ? "vectors" : "collections"));
  const Views views = AsViews(std::span(values));
  if (vector) return TermValue::Of(PackVector(*type(), views));
  std::string packed = PackElements(views);
  if (type()->kind() == TypeKind::kList) return TermValue::Of(std::move(packed));
  CQL_ASSIGN(std::string set, Normalise(*type(), packed));
  return TermValue::Of(std::move(set));
}

EntriesExpression::EntriesExpression(TypePtr type, ExpressionList keys, ExpressionList values)
    : Expression(std::move(type)),
      keys_(std::move(keys)),
      values_(std::move(values)),
      constant_(AllConstant(keys_) && AllConstant(values_)) {}

CqlResult<TermValue> EntriesExpression::Evaluate(const Evaluation& evaluation) const {
  CQL_ASSIGN(const std::vector<std::string> keys, EvaluateElements(keys_, evaluation));
  CQL_ASSIGN(const std::vector<std::string> values, EvaluateElements(values_, evaluation));
  std::vector<EntryView> entries;
  entries.reserve(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) entries.push_back({keys[i], values[i]});
  CQL_ASSIGN(std::string map, Normalise(*type(), PackEntries(entries)));
  return TermValue::Of(std::move(map));
}

ComponentsExpression::ComponentsExpression(TypePtr type, ExpressionList components)
    : Expression(std::move(type)),
      components_(std::move(components)),
      constant_(AllConstant(components_)) {}

CqlResult<TermValue> ComponentsExpression::Evaluate(const Evaluation& evaluation) const {
  std::vector<std::optional<std::string>> values;
  values.reserve(components_.size());
  for (size_t i = 0; i < components_.size(); ++i) {
    values.emplace_back();
    if (components_[i] == nullptr) continue;
    CQL_ASSIGN(TermValue value, components_[i]->Evaluate(evaluation));
    if (value.is_unset()) {
      return Invalid(type()->kind() == TypeKind::kTuple
                         ? fmt::format("Invalid unset value for tuple field number {}", i)
                         : fmt::format("Invalid unset value for field '{}' of user defined type {}",
                                       type()->udt().field_names[i], type()->udt().name));
    }
    if (value.has_value()) values.back() = std::move(value.bytes);
  }
  return TermValue::Of(PackComponents(AsViews(std::span(values))));
}

}  // namespace orrery::cassandra
