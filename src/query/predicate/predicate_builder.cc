#include "query/predicate/predicate_builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/key/key_codec.h"

namespace orrery::query {
namespace {

using model::Value;

ValueRange RangeOfValue(const std::string& encoded) {
  return {{{encoded, true}}, {{encoded, true}}};
}

// All values of the type that the encoded one has: the first byte of a component is its type.
item::ValueBound TypeBegin(const std::string& encoded) { return {encoded.substr(0, 1), true}; }
item::ValueBound TypeEnd(const std::string& encoded) {
  return {item::PrefixEnd(encoded.substr(0, 1)), false};
}

bool IsNothing(const Value& value) { return value.is_null() || value.is_undefined(); }

bool IsNumberText(const std::string& text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return c >= '0' && c <= '9'; });
}

// Rising, and each once. Ranges of values and one of nothing, whose ends are all inclusive.
void SortAndMerge(std::vector<ValueRange>& ranges) {
  std::ranges::sort(ranges, {}, [](const ValueRange& range) { return range.lower->encoded; });
  std::vector<ValueRange> merged;
  for (ValueRange& range : ranges) {
    if (!merged.empty() && range.lower->encoded <= merged.back().upper->encoded) {
      if (range.upper->encoded > merged.back().upper->encoded)
        merged.back().upper = std::move(range.upper);
    } else {
      merged.push_back(std::move(range));
    }
  }
  ranges = std::move(merged);
}

}  // namespace

std::string PredicateBuilder::Encode(const Value& value) const {
  return model::EncodeKey(std::span(&value, 1), order_);
}

bool PredicateBuilder::IsKnown(const DocumentPath& path) const {
  if (rules_ == MatchRules::kSql) return true;
  return std::ranges::none_of(path.steps, [](const DocumentPath::Step& step) {
    return step.is_element || IsNumberText(step.name);
  });
}

bool PredicateBuilder::IsIndexed(const Value& value) const {
  return rules_ == MatchRules::kMongo ||
         (!value.is_undefined() && value.kind() != model::Kind::kArray &&
          value.kind() != model::Kind::kObject);
}

std::vector<ValueRange> PredicateBuilder::RangesOfEqual(const Value& value) const {
  if (rules_ == MatchRules::kSql) return {RangeOfValue(Encode(value))};
  if (IsNothing(value))
    return {{{{Encode(Value::Undefined()), true}}, {{Encode(Value::Null()), true}}}};
  std::vector<ValueRange> ranges = {RangeOfValue(Encode(value))};
  if (value.kind() == model::Kind::kArray) {
    // An index has the elements of an array; of an empty one it has undefined. The array itself is
    // an element of another.
    const model::Values& elements = value.AsValues();
    for (ValueRange& range :
         RangesOfEqual(elements.empty() ? Value::Undefined() : elements.front()))
      ranges.push_back(std::move(range));
    SortAndMerge(ranges);
  }
  return ranges;
}

std::optional<Predicate> PredicateBuilder::Ranged(const DocumentPath& path,
                                                  ValueRange range) const {
  // One element may meet one of the bounds and another one the other.
  if (path.has_elements() || !IsKnown(path)) return std::nullopt;
  return Predicate{.path = path, .ranges = {std::move(range)}, .equal = {}, .rules = rules_};
}

std::optional<Predicate> PredicateBuilder::Equal(const DocumentPath& path,
                                                 const Value& value) const {
  if (!IsKnown(path) || !IsIndexed(value)) return std::nullopt;
  Predicate predicate{.path = path, .ranges = RangesOfEqual(value), .equal = {}, .rules = rules_};
  // Of null and of an array a document may have other values in an index.
  if (rules_ == MatchRules::kSql || (!IsNothing(value) && value.kind() != model::Kind::kArray))
    predicate.equal = value;
  return predicate;
}

std::optional<Predicate> PredicateBuilder::Compare(const DocumentPath& path, Comparison comparison,
                                                   const Value& value) const {
  if (comparison == Comparison::kEqual) return Equal(path, value);
  if (rules_ == MatchRules::kMongo) {
    // Indexes have no arrays but those in others; what compares with all leaves nothing out.
    if (value.kind() == model::Kind::kArray || value.kind() == model::Kind::kMinKey ||
        value.kind() == model::Kind::kMaxKey)
      return std::nullopt;
    if (IsNothing(value)) {
      const bool includes_equal =
          comparison == Comparison::kLessOrEqual || comparison == Comparison::kGreaterOrEqual;
      return includes_equal ? Equal(path, value) : std::nullopt;
    }
  }
  if (!IsIndexed(value)) return std::nullopt;
  const std::string encoded = Encode(value);
  switch (comparison) {
    case Comparison::kEqual:
      break;
    case Comparison::kLess:
      return Ranged(path, {TypeBegin(encoded), {{encoded, false}}});
    case Comparison::kLessOrEqual:
      return Ranged(path, {TypeBegin(encoded), {{encoded, true}}});
    case Comparison::kGreater:
      return Ranged(path, {{{encoded, false}}, TypeEnd(encoded)});
    case Comparison::kGreaterOrEqual:
      return Ranged(path, {{{encoded, true}}, TypeEnd(encoded)});
  }
  return std::nullopt;
}

std::optional<Predicate> PredicateBuilder::Between(const DocumentPath& path, const Value& low,
                                                   const Value& high) const {
  // Under kMongo the two may be met by different elements.
  if (rules_ == MatchRules::kMongo) return Compare(path, Comparison::kGreaterOrEqual, low);
  if (!IsIndexed(low) || !IsIndexed(high)) return std::nullopt;
  const std::string lower = Encode(low);
  const std::string upper = Encode(high);
  if (lower.front() != upper.front()) return std::nullopt;
  return Ranged(path, {{{lower, true}}, {{upper, true}}});
}

std::optional<Predicate> PredicateBuilder::AnyOf(const DocumentPath& path,
                                                 std::vector<Value> values) const {
  if (values.empty() || values.size() > kListedValuesMax) return std::nullopt;
  if (values.size() == 1) return Equal(path, values.front());
  // A document may have several of the elements.
  if (path.has_elements() || !IsKnown(path) ||
      !std::ranges::all_of(values, [&](const Value& value) { return IsIndexed(value); }))
    return std::nullopt;
  Predicate predicate{.path = path, .ranges = {}, .equal = {}, .rules = rules_};
  for (const Value& value : values)
    std::ranges::move(RangesOfEqual(value), std::back_inserter(predicate.ranges));
  SortAndMerge(predicate.ranges);
  const auto is_one = [&](const Value& value) {
    return !IsNothing(value) && value.kind() != model::Kind::kArray;
  };
  if (rules_ == MatchRules::kSql || std::ranges::all_of(values, is_one))
    predicate.any_of = std::move(values);
  return predicate;
}

std::optional<Predicate> PredicateBuilder::Prefix(const DocumentPath& path,
                                                  const std::string& prefix) const {
  std::string encoded = Encode(Value::String(prefix));
  encoded.resize(encoded.size() - 2);  // the end of the text
  return Ranged(path, {{{encoded, true}}, {{item::PrefixEnd(encoded), false}}});
}

ValueRange PredicateBuilder::RangeOfType(const Value& example) const {
  const std::string encoded = Encode(example);
  return {TypeBegin(encoded), TypeEnd(encoded)};
}

std::optional<Predicate> PredicateBuilder::TypeOf(const DocumentPath& path,
                                                  const Value& example) const {
  return Ranged(path, RangeOfType(example));
}

std::optional<Predicate> PredicateBuilder::NestedTypeOf(const DocumentPath& path,
                                                        model::Kind kind) const {
  if (path.has_elements() || rules_ == MatchRules::kMongo) return std::nullopt;
  auto predicate = Equal(path.Types(), item::KindValue(kind));
  predicate->is_presence = true;
  return predicate;
}

std::optional<Predicate> PredicateBuilder::Absent(const DocumentPath& path) const {
  if (path.has_elements() || !IsKnown(path)) return std::nullopt;
  // Under kMongo an index has null for no value.
  if (rules_ == MatchRules::kMongo) return Equal(path, Value::Null());
  return Predicate{path, {RangeOfValue(Encode(Value::Undefined()))}, {}};
}

std::vector<std::vector<Predicate>> PredicateBuilder::Present(const DocumentPath& path) const {
  if (path.has_elements() || rules_ == MatchRules::kMongo) return {};
  const item::ValueBound nothing{Encode(Value::Undefined()), false};
  Predicate scalar{.path = path, .ranges = {{nothing, std::nullopt}}, .equal = {}};
  Predicate nested{.path = path.Types(), .ranges = {ValueRange()}, .equal = {}};
  scalar.is_presence = nested.is_presence = true;
  return {{std::move(scalar)}, {std::move(nested)}};
}

}  // namespace orrery::query
