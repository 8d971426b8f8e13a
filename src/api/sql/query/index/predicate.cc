#include "api/sql/query/index/predicate.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/function/json_type.h"
#include "api/sql/query/bind/grouping.h"
#include "api/sql/query/bind/tree_walk.h"
#include "api/sql/query/index/conjunction.h"
#include "api/sql/query/index/constant.h"
#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

using ast::BinaryOperator;
using model::Value;

// Elements of one IN; more are left to the filter.
constexpr size_t kRangesMax = 1'000;

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

// The place that IS_DEFINED asks for, if that is the condition.
std::optional<Place> DefinedPlaceOf(const ast::Expression& condition, const Places& places) {
  const auto* call = condition.As<ast::FunctionCall>();
  if (call == nullptr || call->is_user_defined || call->arguments.size() != 1 ||
      UpperCase(call->function.text) != "IS_DEFINED")
    return std::nullopt;
  auto place = PlaceOf(call->arguments.front(), places);
  if (!place.has_value() || place->has_elements()) return std::nullopt;
  return place;
}

class PredicateFinder {
 public:
  PredicateFinder(const PredicateContext& context, std::vector<Predicate>& found)
      : context_(context), found_(found) {}

  void Look(const ast::Expression& condition, const Places& places) {
    if (const auto* logical = condition.As<ast::Logical>()) {
      if (logical->op == ast::LogicalOperator::kOr) return LookAtAlternatives(*logical, places);
      for (const ast::Expression& operand : logical->operands) Look(operand, places);
    } else if (const auto* binary = condition.As<ast::Binary>()) {
      LookAt(*binary, places);
    } else if (const auto* between = condition.As<ast::Between>()) {
      LookAt(*between, places);
    } else if (const auto* in = condition.As<ast::In>()) {
      LookAt(*in, places);
    } else if (const auto* like = condition.As<ast::Like>()) {
      LookAt(*like, places);
    } else if (const auto* call = condition.As<ast::FunctionCall>()) {
      LookAt(*call, places);
    } else if (const auto* subquery = condition.As<ast::Subquery>()) {
      LookAt(*subquery, places);
    } else if (const auto* unary = condition.As<ast::Unary>()) {
      LookAt(*unary, places);
    } else if (const auto place = PlaceOf(condition, places)) {
      AddEqual(*place, Value::Bool(true));
    }
  }

 private:
  void LookAt(const ast::Binary& binary, const Places& places) {
    LookAt(binary, binary.op, places);
  }

  void LookAt(const ast::Binary& binary, BinaryOperator op, const Places& places) {
    auto place = PlaceOf(*binary.left, places);
    auto constant = ConstantOf(*binary.right);
    if (!place.has_value() || !constant.has_value()) {
      place = PlaceOf(*binary.right, places);
      constant = ConstantOf(*binary.left);
      op = Mirrored(op);
    }
    if (!place.has_value() || !constant.has_value()) return;
    const std::string encoded = Encode(*constant);
    switch (op) {
      case BinaryOperator::kEqual:
        return AddEqual(*place, *constant);
      case BinaryOperator::kLess:
        return AddRange(*place, {TypeBegin(encoded), {{encoded, false}}});
      case BinaryOperator::kLessOrEqual:
        return AddRange(*place, {TypeBegin(encoded), {{encoded, true}}});
      case BinaryOperator::kGreater:
        return AddRange(*place, {{{encoded, false}}, TypeEnd(encoded)});
      case BinaryOperator::kGreaterOrEqual:
        return AddRange(*place, {{{encoded, true}}, TypeEnd(encoded)});
      default:
        return;
    }
  }

  void LookAt(const ast::Between& between, const Places& places) {
    const auto place = PlaceOf(*between.value, places);
    const auto low = ConstantOf(*between.low);
    const auto high = ConstantOf(*between.high);
    if (between.negated || !place.has_value() || !low.has_value() || !high.has_value()) return;
    const std::string lower = Encode(*low);
    const std::string upper = Encode(*high);
    // Bounds of different types let nothing through.
    if (lower.front() == upper.front()) AddRange(*place, {{{lower, true}}, {{upper, true}}});
  }

  void LookAt(const ast::In& in, const Places& places) {
    const auto place = PlaceOf(*in.value, places);
    if (in.negated || !place.has_value() || in.candidates.size() > kRangesMax) return;
    std::vector<Value> values;
    for (const ast::Expression& candidate : in.candidates) {
      auto constant = ConstantOf(candidate);
      if (!constant.has_value()) return;
      if (in.candidates.size() == 1) return AddEqual(*place, *constant);
      values.push_back(*std::move(constant));
    }
    AddValues(*place, std::move(values));
  }

  // Alternatives that each want one value, or one of several, of the same place: a list of values.
  void LookAtAlternatives(const ast::Logical& alternatives, const Places& places) {
    if (alternatives.operands.size() > kRangesMax) return;
    std::optional<Place> place;
    std::vector<Value> values;
    for (const ast::Expression& operand : alternatives.operands) {
      std::vector<Predicate> found;
      PredicateFinder(context_, found).Look(operand, places);
      const auto listed = std::ranges::find_if(found, [&](const Predicate& predicate) {
        return (predicate.equal.has_value() || !predicate.any_of.empty()) &&
               (!place.has_value() || predicate.place == *place);
      });
      if (listed == found.end()) return;
      place = listed->place;
      if (listed->equal.has_value()) values.push_back(*listed->equal);
      values.insert(values.end(), listed->any_of.begin(), listed->any_of.end());
      if (values.size() > kRangesMax) return;
    }
    AddValues(*place, std::move(values));
  }

  // What stands before the first character that means others.
  void LookAt(const ast::Like& like, const Places& places) {
    const auto place = PlaceOf(*like.value, places);
    const auto pattern = ConstantOf(*like.pattern);
    if (like.negated || like.escape.has_value() || !place.has_value() || !pattern.has_value() ||
        TypeOf(*pattern) != JsonType::kString)
      return;
    const std::string& text = pattern->AsString();
    const size_t end = text.find_first_of("%_[");
    if (end == std::string::npos) return AddEqual(*place, *pattern);
    if (end > 0) AddPrefix(*place, Value::String(text.substr(0, end)));
  }

  void LookAt(const ast::FunctionCall& call, const Places& places) {
    if (call.is_user_defined || call.arguments.empty()) return;
    const auto place = PlaceOf(call.arguments[0], places);
    const std::string name = UpperCase(call.function.text);
    if (!place.has_value()) {
      if (name == "ARRAY_CONTAINS" && call.arguments.size() == 2) LookAtList(call, places);
      return;
    }
    if (call.arguments.size() == 1) {
      if (name == "IS_NULL") AddEqual(*place, Value::Null());
      if (name == "IS_BOOL" || name == "IS_BOOLEAN") AddTypeOf(*place, Value::Bool(true));
      if (name == "IS_NUMBER") AddTypeOf(*place, Value::Int32(0));
      if (name == "IS_STRING") AddTypeOf(*place, Value::String(""));
      if (name == "IS_ARRAY") AddKind(*place, model::Kind::kArray);
      if (name == "IS_OBJECT") AddKind(*place, model::Kind::kObject);
      return;
    }
    if (call.arguments.size() != 2) return;
    const auto constant = ConstantOf(call.arguments[1]);
    if (!constant.has_value()) return;
    if (name == "ARRAY_CONTAINS") AddEqual(place->Element(), *constant);
    if (name == "STARTSWITH" && TypeOf(*constant) == JsonType::kString)
      AddPrefix(*place, *constant);
  }

  // A constant list that has the value there: one of several.
  void LookAtList(const ast::FunctionCall& call, const Places& places) {
    const auto place = PlaceOf(call.arguments[1], places);
    const auto list = sql::ConstantOf(call.arguments[0], context_);
    if (!place.has_value() || !list.has_value() || TypeOf(*list) != JsonType::kArray) return;
    const auto& values = list->AsValues();
    // Indexes have no arrays and objects.
    if (values.empty() || values.size() > kRangesMax ||
        !std::ranges::all_of(values, [](const Value& v) { return IsPrimitive(TypeOf(v)); }))
      return;
    if (values.size() == 1) return AddEqual(*place, values.front());
    AddValues(*place, values);
  }

  void LookAt(const ast::Unary& unary, const Places& places) {
    if (unary.op != ast::UnaryOperator::kNot) return;
    if (const auto* compared = unary.operand->As<ast::Binary>()) {
      // What is not less is at least as much: values of other types are neither.
      if (const auto opposite = OppositeOf(compared->op)) LookAt(*compared, *opposite, places);
      return;
    }
    LookAtAbsence(unary, places);
  }

  // That nothing is there: in the index of a place that the policy names exactly.
  void LookAtAbsence(const ast::Unary& unary, const Places& places) {
    const auto place = DefinedPlaceOf(*unary.operand, places);
    if (!place.has_value() || context_.schema == nullptr ||
        !place->IsIndexedWhenAbsent(*context_.schema))
      return;
    const item::ValueBound nothing{Encode(Value::Undefined()), true};
    found_.push_back({*place, {{nothing, nothing}}, {}});
  }

  // What EXISTS finds has met the subquery's own condition. An aggregate is there in any case.
  void LookAt(const ast::Subquery& subquery, const Places& places) {
    const ast::Query& query = *subquery.query;
    if (subquery.kind != ast::SubqueryKind::kExists || !query.where.has_value()) return;
    bool has_aggregate = false;
    ForEachSelected(query.select, [&](const ast::Expression& expression) {
      has_aggregate = has_aggregate || HasAggregate(expression, context_.functions);
    });
    if (has_aggregate) return;
    Places inner = places;
    AddSourcePlaces(query, 0, inner);
    Look(*query.where, inner);
  }

  static std::optional<BinaryOperator> OppositeOf(BinaryOperator op) {
    switch (op) {
      case BinaryOperator::kLess:
        return BinaryOperator::kGreaterOrEqual;
      case BinaryOperator::kLessOrEqual:
        return BinaryOperator::kGreater;
      case BinaryOperator::kGreater:
        return BinaryOperator::kLessOrEqual;
      case BinaryOperator::kGreaterOrEqual:
        return BinaryOperator::kLess;
      case BinaryOperator::kNotEqual:
        return BinaryOperator::kEqual;
      default:
        return std::nullopt;
    }
  }

  static BinaryOperator Mirrored(BinaryOperator op) {
    switch (op) {
      case BinaryOperator::kLess:
        return BinaryOperator::kGreater;
      case BinaryOperator::kLessOrEqual:
        return BinaryOperator::kGreaterOrEqual;
      case BinaryOperator::kGreater:
        return BinaryOperator::kLess;
      case BinaryOperator::kGreaterOrEqual:
        return BinaryOperator::kLessOrEqual;
      default:
        return op;
    }
  }

  // Values that indexes have.
  std::optional<Value> ConstantOf(const ast::Expression& expression) const {
    auto value = sql::ConstantOf(expression, context_);
    if (!value.has_value() || !IsPrimitive(TypeOf(*value))) return std::nullopt;
    return value;
  }

  std::string Encode(const Value& value) const {
    return model::EncodeKey(std::span(&value, 1), context_.order);
  }
  // All values of the type that the encoded one has.
  static std::optional<item::ValueBound> TypeBegin(const std::string& encoded) {
    return item::ValueBound{encoded.substr(0, 1), true};
  }
  static std::optional<item::ValueBound> TypeEnd(const std::string& encoded) {
    return item::ValueBound{item::PrefixEnd(encoded.substr(0, 1)), false};
  }

  void AddEqual(const Place& place, const Value& value) {
    const std::string encoded = Encode(value);
    found_.push_back({place, {{{{encoded, true}}, {{encoded, true}}}}, value});
  }
  void AddValues(const Place& place, std::vector<Value> values) {
    if (place.has_elements()) return;  // a document may have several of them
    std::vector<std::string> encoded;
    for (const Value& value : values) encoded.push_back(Encode(value));
    std::ranges::sort(encoded);
    const auto repeated = std::ranges::unique(encoded);
    encoded.erase(repeated.begin(), repeated.end());
    Predicate predicate{.place = place, .ranges = {}, .equal = {}, .any_of = std::move(values)};
    for (const std::string& value : encoded)
      predicate.ranges.push_back({{{value, true}}, {{value, true}}});
    found_.push_back(std::move(predicate));
  }
  void AddRange(const Place& place, ValueRange range) {
    // An element that meets one bound and another that meets the other would be met twice.
    if (!place.has_elements()) found_.push_back({place, {std::move(range)}, {}});
  }
  void AddTypeOf(const Place& place, const Value& example) {
    const std::string encoded = Encode(example);
    AddRange(place, {TypeBegin(encoded), TypeEnd(encoded)});
  }
  void AddKind(const Place& place, model::Kind kind) {
    if (place.has_elements()) return;
    AddEqual(place.Kinds(), item::KindValue(kind));
    found_.back().is_presence = true;
  }
  void AddPrefix(const Place& place, const Value& prefix) {
    std::string encoded = Encode(prefix);
    encoded.resize(encoded.size() - 2);  // the end of the text
    AddRange(place, {{{encoded, true}}, {{item::PrefixEnd(encoded), false}}});
  }

  const PredicateContext& context_;
  std::vector<Predicate>& found_;
};

std::vector<Predicate> PredicatesOf(const ast::Expression& condition, const Places& places,
                                    const PredicateContext& context) {
  std::vector<Predicate> found;
  PredicateFinder(context, found).Look(condition, places);
  std::erase_if(
      found, [&](const Predicate& predicate) { return context.IsBeyondIndexes(predicate.place); });
  return found;
}

// A scalar there, or an array or object.
std::vector<std::vector<Predicate>> PresenceAt(const Place& place,
                                               const PredicateContext& context) {
  // What the system adds is there in every document, also where no index has it.
  if (place.steps.empty() || IsSystemProperty(place.steps.front().name) ||
      context.IsBeyondIndexes(place))
    return {};
  const Value undefined = Value::Undefined();
  const item::ValueBound nothing{model::EncodeKey({&undefined, 1}, context.order), false};
  Predicate scalar{.place = place, .ranges = {{nothing, std::nullopt}}, .equal = {}};
  Predicate nested{.place = place.Kinds(), .ranges = {ValueRange()}, .equal = {}};
  scalar.is_presence = nested.is_presence = true;
  return {{std::move(scalar)}, {std::move(nested)}};
}

void ForEachAlternative(const ast::Logical& alternatives,
                        const std::function<void(const ast::Expression&)>& visit) {
  for (const ast::Expression& operand : alternatives.operands) {
    const auto* logical = operand.As<ast::Logical>();
    if (logical != nullptr && logical->op == ast::LogicalOperator::kOr) {
      ForEachAlternative(*logical, visit);
    } else {
      visit(operand);
    }
  }
}

}  // namespace

bool ValueRange::is_one_value() const {
  return lower.has_value() && upper.has_value() && lower->inclusive && upper->inclusive &&
         lower->encoded == upper->encoded;
}

bool ValueRange::Meets(std::string_view encoded) const {
  const auto is_cut = [&](const item::ValueBound& bound) {
    return bound.encoded.size() > encoded.size() && bound.encoded.starts_with(encoded);
  };
  if (lower.has_value() && !is_cut(*lower)) {
    if (encoded < lower->encoded) return false;
    if (!lower->inclusive && encoded.starts_with(lower->encoded)) return false;
  }
  if (!upper.has_value() || is_cut(*upper) || encoded < upper->encoded) return true;
  return upper->inclusive && encoded.starts_with(upper->encoded);
}

bool PredicateContext::IsComputed(const Place& place) const {
  return !place.steps.empty() && !place.steps.front().is_element &&
         computed.Find(place.steps.front().name) != nullptr;
}

bool PredicateContext::IsBeyondIndexes(const Place& place) const {
  if (!IsComputed(place)) return false;
  if (schema == nullptr) return true;
  const ComputedProperty& property = *computed.Find(place.steps.front().name);
  const auto has = [&](const item::IndexPolicy& policy) {
    const item::ComputedDefinition* indexed = policy.FindComputed(property.name);
    return indexed != nullptr && indexed->definition == property.query;
  };
  return !has(schema->indexing) ||
         (schema->former_indexing.has_value() && !has(*schema->former_indexing));
}

std::vector<Predicate> PredicatesOf(const ast::Query& reader, const PredicateContext& context) {
  if (!reader.where.has_value()) return {};
  return PredicatesOf(*reader.where, DocumentPlaces(reader), context);
}

std::vector<std::vector<std::vector<Predicate>>> AlternativesOf(const ast::Query& reader,
                                                                const PredicateContext& context) {
  std::vector<std::vector<std::vector<Predicate>>> found;
  ForEachCondition(reader, [&](const ast::Expression& condition) {
    if (const auto place = DefinedPlaceOf(condition, DocumentPlaces(reader))) {
      if (auto presence = PresenceAt(*place, context); !presence.empty())
        found.push_back(std::move(presence));
      return;
    }
    const auto* logical = condition.As<ast::Logical>();
    if (logical == nullptr || logical->op != ast::LogicalOperator::kOr) return;
    auto& alternatives = found.emplace_back();
    ForEachAlternative(*logical, [&](const ast::Expression& alternative) {
      alternatives.push_back(PredicatesOf(alternative, DocumentPlaces(reader), context));
    });
  });
  return found;
}

std::optional<Predicate> Intersect(const Predicate& a, const Predicate& b) {
  if (a.place != b.place || a.place.has_elements()) return std::nullopt;
  if (a.ranges.size() != 1 || b.ranges.size() != 1) return std::nullopt;
  Predicate both = a.equal.has_value() ? a : b;
  if (both.equal.has_value()) return both;
  ValueRange& range = both.ranges.front();
  const ValueRange& other = a.ranges.front();
  const auto is_narrower = [](const item::ValueBound& x, const item::ValueBound& y, bool is_lower) {
    if (x.encoded == y.encoded) return !x.inclusive && y.inclusive;
    return (x.encoded > y.encoded) == is_lower;
  };
  if (other.lower.has_value() &&
      (!range.lower.has_value() || is_narrower(*other.lower, *range.lower, true)))
    range.lower = other.lower;
  if (other.upper.has_value() &&
      (!range.upper.has_value() || is_narrower(*other.upper, *range.upper, false)))
    range.upper = other.upper;
  return both;
}

}  // namespace orrery::sql
