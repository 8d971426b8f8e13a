#include "api/table/query/key_ranges.h"

#include <algorithm>
#include <utility>

namespace orrery::table {
namespace {

std::string Behind(std::string key) { return std::move(key) + '\0'; }

bool EndsBefore(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  return a.has_value() && (!b.has_value() || *a < *b);
}

KeyInterval IntervalOf(Comparison comparison, const std::string& key) {
  switch (comparison) {
    case Comparison::kLess:
      return {.upper = key};
    case Comparison::kLessOrEqual:
      return {.upper = Behind(key)};
    case Comparison::kGreater:
      return {.lower = Behind(key)};
    case Comparison::kGreaterOrEqual:
      return {.lower = key};
    case Comparison::kEqual:
      break;
  }
  return {.lower = key, .upper = Behind(key)};
}

bool IsProperty(const FilterOperand& operand, std::string_view name) {
  const auto* property = std::get_if<FilterProperty>(&operand);
  return property != nullptr && property->name == name;
}

KeyRanges OfComparison(const Filter& filter, std::string_view property) {
  const bool is_first = IsProperty(*filter.a, property);
  const FilterOperand& other = is_first ? *filter.b : *filter.a;
  if ((!is_first && !IsProperty(*filter.b, property)) || filter.is_unequal) return KeyRanges::All();
  const auto* literal = std::get_if<EdmValue>(&other);
  if (literal == nullptr) return KeyRanges::All();
  // Keys are strings, which compare with nothing else.
  if (literal->type() != EdmType::kString) return KeyRanges::None();
  return KeyRanges::Of(
      IntervalOf(is_first ? filter.comparison : Mirrored(filter.comparison), literal->AsString()));
}

}  // namespace

bool KeyInterval::is_single() const {
  return upper.has_value() && upper->size() == lower.size() + 1 && upper->back() == '\0' &&
         upper->starts_with(lower);
}

KeyRanges KeyRanges::Between(const std::optional<std::string>& first,
                             const std::optional<std::string>& last) {
  KeyInterval interval{.lower = first.value_or("")};
  if (last.has_value()) interval.upper = Behind(*last);
  return All().Intersect(KeyRanges({std::move(interval)}));
}

KeyRanges KeyRanges::Allowed(const Filter* filter, std::string_view property) {
  if (filter == nullptr) return All();
  switch (filter->kind) {
    case Filter::Kind::kAnd:
      return Allowed(filter->left.get(), property)
          .Intersect(Allowed(filter->right.get(), property));
    case Filter::Kind::kOr:
      return Allowed(filter->left.get(), property).Unite(Allowed(filter->right.get(), property));
    case Filter::Kind::kCompare:
      return OfComparison(*filter, property);
    case Filter::Kind::kNot:
    case Filter::Kind::kOperand:
      break;
  }
  return All();
}

std::optional<std::string> KeyRanges::single() const {
  if (intervals_.size() != 1 || !intervals_.front().is_single()) return std::nullopt;
  return intervals_.front().lower;
}

KeyRanges KeyRanges::Intersect(const KeyRanges& other) const {
  std::vector<KeyInterval> both;
  for (size_t i = 0, j = 0; i < intervals_.size() && j < other.intervals_.size();) {
    const KeyInterval& a = intervals_[i];
    const KeyInterval& b = other.intervals_[j];
    KeyInterval common{.lower = std::max(a.lower, b.lower),
                       .upper = EndsBefore(a.upper, b.upper) ? a.upper : b.upper};
    if (!common.upper.has_value() || common.lower < *common.upper)
      both.push_back(std::move(common));
    EndsBefore(a.upper, b.upper) ? ++i : ++j;
  }
  return KeyRanges(std::move(both));
}

KeyRanges KeyRanges::Unite(const KeyRanges& other) const {
  std::vector<KeyInterval> all = intervals_;
  all.insert(all.end(), other.intervals_.begin(), other.intervals_.end());
  std::ranges::sort(all, {}, &KeyInterval::lower);
  std::vector<KeyInterval> united;
  for (KeyInterval& interval : all) {
    if (!united.empty() &&
        (!united.back().upper.has_value() || interval.lower <= *united.back().upper)) {
      if (EndsBefore(united.back().upper, interval.upper))
        united.back().upper = std::move(interval.upper);
    } else {
      united.push_back(std::move(interval));
    }
  }
  return KeyRanges(std::move(united));
}

}  // namespace orrery::table
