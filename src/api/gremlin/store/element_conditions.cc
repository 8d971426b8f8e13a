#include "api/gremlin/store/element_conditions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "api/gremlin/store/element_codec.h"
#include "api/gremlin/value/arithmetic.h"
#include "model/aggregate/accumulator.h"
#include "model/aggregate/partial_groups.h"
#include "model/key/key_codec.h"
#include "query/predicate/predicate_builder.h"

namespace orrery::gremlin {
namespace {

using query::DocumentPath;

const query::PredicateBuilder kBuilder{model::Order::kSql};

// Whole numbers below are the same as integers, floats and doubles.
constexpr double kExactMax = 16'777'216;

bool IsExact(double number) { return std::abs(number) < kExactMax; }

// Returns whether all stored values that are equal to this one are stored alike.
bool HasOneForm(const Value& value) {
  switch (value.type()) {
    case Type::kBool:
    case Type::kString:
    case Type::kUuid:
    case Type::kDate:
    case Type::kBinary:
      return true;
    case Type::kBigInteger:
    case Type::kBigDecimal:
      return false;
    default:
      return value.is_number() && IsExact(ToDouble(value));
  }
}

// Bounds that no number is outside of that compares as equal to this one or beyond it.
double Below(const Value& number) {
  const double exact = ToDouble(number);
  if (IsExact(exact) && HasOneForm(number)) return exact;
  return std::nextafter(static_cast<float>(exact), -INFINITY);
}
double Above(const Value& number) {
  const double exact = ToDouble(number);
  if (IsExact(exact) && HasOneForm(number)) return exact;
  return std::nextafter(static_cast<float>(exact), INFINITY);
}

bool IsComparable(const Value& value) {
  if (value.is_number()) return !std::isnan(ToDouble(value));
  return value.type() == Type::kString || value.type() == Type::kDate;
}

std::optional<query::Predicate> AtLeast(const DocumentPath& path, const Value& bound) {
  if (!IsComparable(bound)) return std::nullopt;
  const model::Value low =
      bound.is_number() ? model::Value::Double(Below(bound)) : ToStored(bound).value;
  return kBuilder.Compare(path, query::Comparison::kGreaterOrEqual, low);
}

std::optional<query::Predicate> AtMost(const DocumentPath& path, const Value& bound) {
  if (!IsComparable(bound)) return std::nullopt;
  const model::Value high =
      bound.is_number() ? model::Value::Double(Above(bound)) : ToStored(bound).value;
  return kBuilder.Compare(path, query::Comparison::kLessOrEqual, high);
}

std::optional<query::Predicate> Between(const DocumentPath& path, const Values& bounds) {
  if (bounds.size() != 2 || !IsComparable(bounds[0]) || !IsComparable(bounds[1]))
    return std::nullopt;
  if (bounds[0].is_number() != bounds[1].is_number() ||
      (!bounds[0].is_number() && bounds[0].type() != bounds[1].type()))
    return std::nullopt;
  if (bounds[0].is_number()) {
    const double low = Below(bounds[0]);
    const double high = Above(bounds[1]);
    if (!(low <= high)) return std::nullopt;
    return kBuilder.Between(path, model::Value::Double(low), model::Value::Double(high));
  }
  return kBuilder.Between(path, ToStored(bounds[0]).value, ToStored(bounds[1]).value);
}

std::optional<query::Predicate> AnyOf(const DocumentPath& path, const Values& values) {
  if (values.empty() || values.size() > query::kListedValuesMax) return std::nullopt;
  std::vector<model::Value> stored;
  for (const Value& value : values) {
    if (!HasOneForm(value)) return std::nullopt;
    stored.push_back(ToStored(value).value);
  }
  if (stored.size() == 1) return kBuilder.Equal(path, stored.front());
  return kBuilder.AnyOf(path, std::move(stored));
}

std::optional<query::Predicate> PredicateOf(const DocumentPath& path, const Predicate& predicate) {
  const Values& values = predicate.values;
  switch (predicate.comparison) {
    case Comparison::kEq:
      if (values.size() != 1) return std::nullopt;
      if (HasOneForm(values[0])) return AnyOf(path, values);
      if (!values[0].is_number()) return std::nullopt;
      return Between(path, {values[0], values[0]});
    case Comparison::kWithin:
      return AnyOf(path, values);
    case Comparison::kGt:
    case Comparison::kGte:
      return values.size() == 1 ? AtLeast(path, values[0]) : std::nullopt;
    case Comparison::kLt:
    case Comparison::kLte:
      return values.size() == 1 ? AtMost(path, values[0]) : std::nullopt;
    case Comparison::kBetween:
    case Comparison::kInside:
      return Between(path, values);
    case Comparison::kStartingWith:
      if (values.size() != 1 || !values[0].is_string() || values[0].AsString().empty())
        return std::nullopt;
      return kBuilder.Prefix(path, values[0].AsString());
    case Comparison::kAnd:
      // One value meets all parts; one of them is enough to find it.
      for (const auto& part : predicate.parts) {
        if (auto found = PredicateOf(path, *part)) return found;
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// A condition on a property. Each value of a vertex's property is an element of an array: one of
// them must meet the predicate, all of it, so that the ranges of a scalar are those of the
// elements.
std::optional<query::Predicate> PropertyPredicate(const PropertyCondition& condition,
                                                  ElementKind kind, const GraphRules& rules) {
  const DocumentPath field = DocumentPath().Field(condition.key);
  auto predicate = PredicateOf(field, *condition.predicate);
  const bool is_scalar = kind == ElementKind::kEdge || condition.key == rules.partition_key;
  if (predicate.has_value() && !is_scalar)
    predicate->path = field.Element().Field(std::string(kValueField));
  return predicate;
}

std::vector<model::Value> Strings(std::span<const std::string> texts) {
  std::vector<model::Value> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.push_back(model::Value::String(text));
  return values;
}

std::optional<query::Predicate> AnyText(std::string_view field,
                                        std::span<const std::string> texts) {
  if (texts.empty() || texts.size() > query::kListedValuesMax) return std::nullopt;
  const DocumentPath path = DocumentPath().Field(std::string(field));
  if (texts.size() == 1) return kBuilder.Equal(path, model::Value::String(texts.front()));
  return kBuilder.AnyOf(path, Strings(texts));
}

}  // namespace

query::Conditions ConditionsOf(const ElementQuery& query, const GraphRules& rules) {
  query::Conditions conditions;
  const auto add = [&](std::optional<query::Predicate> predicate) {
    if (predicate.has_value()) conditions.all.push_back(*std::move(predicate));
  };
  if (query.ids.has_value()) add(AnyText("id", *query.ids));
  std::vector<std::string> known;
  for (const PropertyCondition& condition : query.conditions) {
    // A property may have several values, each of which meets another condition: bounds of two are
    // not to be intersected. The ttl is a scalar or a property like others.
    if (condition.key == kTtlField || std::ranges::find(known, condition.key) != known.end())
      continue;
    known.push_back(condition.key);
    add(PropertyPredicate(condition, query.kind, rules));
  }
  // Many elements have one label, and owners filter by it: any other index finds fewer.
  if (query.labels.has_value() && conditions.all.empty()) add(AnyText("label", *query.labels));
  if (conditions.all.empty() && query.kind == ElementKind::kEdge) {
    add(kBuilder.Equal(DocumentPath().Field(std::string(kIsEdgeField)), model::Value::Bool(true)));
  }
  return conditions;
}

query::Conditions AdjacencyOf(EdgeDirection direction, std::span<const std::string> ids) {
  query::Conditions conditions;
  const std::string_view field = direction == EdgeDirection::kOut ? kSourceField : kSinkField;
  if (auto predicate = AnyText(field, ids)) conditions.all.push_back(*std::move(predicate));
  return conditions;
}

std::optional<item::IndexRange> AdjacencyRange(EdgeDirection direction,
                                               std::span<const std::string> ids,
                                               const item::ContainerSchema& schema) {
  const std::string_view field = direction == EdgeDirection::kOut ? kSourceField : kSinkField;
  const auto index = DocumentPath().Field(std::string(field)).IndexOf(schema);
  if (!index.has_value()) return std::nullopt;
  std::vector<std::string> values;
  values.reserve(ids.size());
  for (const std::string& id : ids) {
    const model::Value text = model::Value::String(id);
    values.push_back(model::EncodeKey({&text, 1}, model::Order::kSql));
  }
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  const auto only = [](const std::string& value) { return item::ValueBound{value, true}; };
  item::IndexRange range{
      .index = *index, .lower = only(values.front()), .upper = only(values.front())};
  for (const std::string& value : std::span(values).subspan(1))
    range.further.push_back({.lower = only(value), .upper = only(value)});
  return range;
}

Result<std::shared_ptr<const model::Expression>> KindFilter(ElementKind kind,
                                                            std::span<const std::string> labels) {
  const auto field = [](std::string_view name) {
    return model::Expression::Field(model::Path({std::string(name)}));
  };
  // Exactly true of edges, as IsEdge() has it.
  ORRERY_ASSIGN(model::Expression is_edge,
                model::Expression::Apply(
                    model::Operator::kEqual,
                    {field(kIsEdgeField), model::Expression::Literal(model::Value::Bool(true))}));
  if (kind == ElementKind::kVertex) {
    // Of no value, or another one, the comparison is undefined.
    ORRERY_ASSIGN(is_edge, model::Expression::Apply(
                               model::Operator::kConditional,
                               {is_edge, model::Expression::Literal(model::Value::Bool(false)),
                                model::Expression::Literal(model::Value::Bool(true))}));
  }
  if (!labels.empty()) {
    std::vector<model::Expression> candidates = {field("label")};
    for (const std::string& label : labels)
      candidates.push_back(model::Expression::Literal(model::Value::String(label)));
    ORRERY_ASSIGN(const model::Expression has_label,
                  model::Expression::Apply(model::Operator::kIn, std::move(candidates)));
    ORRERY_ASSIGN(is_edge, model::Expression::Apply(model::Operator::kAnd, {is_edge, has_label}));
  }
  return std::make_shared<const model::Expression>(std::move(is_edge));
}

Result<std::shared_ptr<const model::Expression>> ElementFilter(
    ElementKind kind, const std::optional<std::vector<std::string>>& labels) {
  ORRERY_ASSIGN(const auto of_kind,
                KindFilter(kind, labels.has_value() ? std::span<const std::string>(*labels)
                                                    : std::span<const std::string>()));
  model::Expression filter = *of_kind;
  std::vector<std::string_view> texts = {"id"};
  if (kind == ElementKind::kEdge) {
    texts.push_back(kSourceField);
    texts.push_back(kSinkField);
  }
  for (const std::string_view name : texts) {
    ORRERY_ASSIGN(
        model::Expression is_text,
        model::Expression::Apply(model::Operator::kIsString,
                                 {model::Expression::Field(model::Path({std::string(name)}))}));
    ORRERY_ASSIGN(filter, model::Expression::Apply(model::Operator::kAnd,
                                                   {std::move(filter), std::move(is_text)}));
  }
  return std::make_shared<const model::Expression>(std::move(filter));
}

std::shared_ptr<const model::Grouping> CountGrouping() {
  static const auto kCount = std::make_shared<const model::Grouping>(model::Grouping{
      .keys = {},
      .aggregates = {{.op = model::AggregateOperator::kSqlCount,
                      .argument = model::Expression::Literal(model::Value::Int32(1))}}});
  return kCount;
}

Result<int64_t> CountOf(model::DocumentView group) {
  ORRERY_ASSIGN(const model::PartialGroup partial, model::ReadPartialGroup(group.ToObject(), 0));
  if (partial.partials.kind() != model::Kind::kArray || partial.partials.AsValues().size() != 1)
    return Fail(Code::kInternal, "a partition has counted in another form than it was asked for");
  const auto counter = model::StartAggregate(model::AggregateOperator::kSqlCount);
  ORRERY_TRY(counter->Merge(partial.partials.AsValues().front()));
  const model::Value count = counter->Final();
  if (!count.is_number()) return Fail(Code::kInternal, "a count is no number");
  return count.kind() == model::Kind::kDouble ? static_cast<int64_t>(count.AsDouble())
                                              : count.AsInteger();
}

}  // namespace orrery::gremlin
