#include "api/mongo/language/match/value_predicate.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "api/mongo/language/value/element_compare.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/compare.h"

namespace orrery::mongo {

using model::ElementView;
using model::Kind;
using model::Value;
using query::Comparison;

namespace {

bool IsNullOrUndefined(Kind kind) { return kind == Kind::kNull || kind == Kind::kUndefined; }

bool MeetsComparison(std::weak_ordering order, Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessOrEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    case Comparison::kGreaterOrEqual:
      return order >= 0;
  }
  return false;
}

bool IncludesEqual(Comparison comparison) {
  return comparison != Comparison::kLess && comparison != Comparison::kGreater;
}

}  // namespace

ComparisonTest::ComparisonTest(Comparison comparison, Value value)
    : comparison_(comparison), value_(std::move(value)), is_nan_(IsNan(value_)) {}

bool ComparisonTest::Passes(const ElementView* element, const QueryContext& context) const {
  const Kind kind = element == nullptr ? Kind::kUndefined : element->kind();
  if (!IsSameType(kind, value_.kind())) {
    if (IsNullOrUndefined(kind) && IsNullOrUndefined(value_.kind())) {
      return IncludesEqual(comparison_);
    }
    if (value_.kind() == Kind::kMinKey || value_.kind() == Kind::kMaxKey) {
      return comparison_ != Comparison::kEqual &&
             MeetsComparison(value_.kind() == Kind::kMinKey ? std::weak_ordering::greater
                                                            : std::weak_ordering::less,
                             comparison_);
    }
    return false;
  }
  if (element == nullptr) return IncludesEqual(comparison_);
  if (is_nan_) return IncludesEqual(comparison_) && IsNan(element->ToValue());
  if (comparison_ != Comparison::kEqual && model::IsNumber(kind) && IsNan(element->ToValue())) {
    return false;
  }
  return MeetsComparison(CompareElement(*element, value_, context.collator.get()), comparison_);
}

InTest::InTest(std::vector<Value> values, std::vector<PatternPtr> patterns,
               std::shared_ptr<const Collator> collator)
    : values_(std::move(values)), patterns_(std::move(patterns)), collator_(std::move(collator)) {
  const auto less = [&](const Value& a, const Value& b) {
    return CompareValues(a, b, collator_.get()) < 0;
  };
  StableSort(values_, less);
  const auto repeated = std::ranges::unique(
      values_, [&](const Value& a, const Value& b) { return EqualValues(a, b, collator_.get()); });
  values_.erase(repeated.begin(), repeated.end());
  has_null_ = std::ranges::any_of(values_, [](const Value& value) { return value.is_null(); });
}

bool InTest::Passes(const ElementView* element, const QueryContext&) const {
  if (element == nullptr || element->kind() == Kind::kUndefined) return has_null_;
  const Value value = element->ToValue();
  const bool is_listed = std::ranges::binary_search(
      values_, value,
      [&](const Value& a, const Value& b) { return CompareValues(a, b, collator_.get()) < 0; });
  if (is_listed) return true;
  return std::ranges::any_of(
      patterns_, [&](const PatternPtr& pattern) { return pattern->MatchesElement(*element); });
}

bool RegexTest::Passes(const ElementView* element, const QueryContext&) const {
  return element != nullptr && pattern_->MatchesElement(*element);
}

bool SizeTest::Passes(const ElementView* element, const QueryContext&) const {
  if (element == nullptr || element->kind() != Kind::kArray) return false;
  const model::DocumentView array = element->AsDocument();
  return std::distance(array.begin(), array.end()) == size_;
}

bool ModTest::Passes(const ElementView* element, const QueryContext&) const {
  if (element == nullptr || !model::IsNumber(element->kind())) return false;
  const std::optional<int64_t> number = TruncatedInt64(element->ToValue());
  if (!number.has_value()) return false;
  // The least int64 divided by -1 has no quotient.
  const int64_t remainder = divisor_ == -1 ? 0 : *number % divisor_;
  return remainder == remainder_;
}

bool BitsTest::Passes(const ElementView* element, const QueryContext&) const {
  if (element == nullptr) return false;
  const auto holds = [&](const auto& is_set) {
    switch (wanted_) {
      case Wanted::kAllSet:
        return std::ranges::all_of(positions_, is_set);
      case Wanted::kAllClear:
        return std::ranges::none_of(positions_, is_set);
      case Wanted::kAnySet:
        return std::ranges::any_of(positions_, is_set);
      case Wanted::kAnyClear:
        return !std::ranges::all_of(positions_, is_set);
    }
    return false;
  };
  if (element->kind() == Kind::kBinary) {
    const Value value = element->ToValue();
    const std::string& bytes = value.AsBytes();
    return holds([&](uint32_t position) {
      const size_t byte = position / 8;
      return byte < bytes.size() && (static_cast<uint8_t>(bytes[byte]) >> (position % 8) & 1) != 0;
    });
  }
  if (!model::IsNumber(element->kind())) return false;
  std::optional<int64_t> number;
  if (element->kind() == Kind::kDecimal128) {
    // A decimal is rounded to the next whole number, and one out of range is the least int64.
    const Value value = element->ToValue();
    const Value rounded = Value::Decimal128(
        model::RoundTo(value.AsDecimal128(), 0, model::DecimalRounding::kHalfEven));
    number = ExactInt64(rounded).value_or(INT64_MIN);
  } else {
    number = ExactInt64(element->ToValue());
  }
  if (!number.has_value()) return false;
  return holds(
      [&](uint32_t position) { return (*number >> std::min<uint32_t>(position, 63) & 1) != 0; });
}

}  // namespace orrery::mongo
