#include "api/mongo/executor/read/key_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/stable_sort.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;
using model::Values;

// Combinations of the keys of several arrays; an index has one array at most in a document.
constexpr size_t kKeysMax = 100'000;

bool IsPlace(std::string_view step) {
  return !step.empty() && std::ranges::all_of(step, [](char c) { return c >= '0' && c <= '9'; });
}

// Appends the values that an index has for a path.
void AppendKeysAt(model::DocumentView document, std::span<const std::string> steps, Values& keys);

void AppendKeysOf(const model::ElementView& element, std::span<const std::string> rest,
                  Values& keys) {
  if (rest.empty()) {
    if (element.kind() != Kind::kArray) return keys.push_back(element.ToValue());
    const model::DocumentView elements = element.AsDocument();
    if (elements.empty()) return keys.push_back(Value::Undefined());
    for (const model::ElementView each : elements) keys.push_back(each.ToValue());
    return;
  }
  if (element.kind() == Kind::kObject) return AppendKeysAt(element.AsDocument(), rest, keys);
  if (element.kind() != Kind::kArray) return keys.push_back(Value::Null());
  const model::DocumentView elements = element.AsDocument();
  if (IsPlace(rest.front())) {
    if (const auto at = elements.Find(rest.front()))
      return AppendKeysOf(*at, rest.subspan(1), keys);
  }
  if (elements.empty()) return keys.push_back(Value::Null());
  for (const model::ElementView each : elements) {
    if (each.kind() == Kind::kObject) {
      AppendKeysAt(each.AsDocument(), rest, keys);
    } else {
      keys.push_back(Value::Null());
    }
  }
}

void AppendKeysAt(model::DocumentView document, std::span<const std::string> steps, Values& keys) {
  const auto found = document.Find(steps.front());
  if (!found.has_value()) return keys.push_back(Value::Null());
  AppendKeysOf(*found, steps.subspan(1), keys);
}

// The values of a bound, in the order of the index.
Answer<std::optional<Values>> BoundOf(std::optional<model::DocumentView> bound,
                                      model::DocumentView key) {
  if (!bound.has_value() || bound->empty()) return std::nullopt;
  Values values;
  auto at = key.begin();
  for (const model::ElementView field : *bound) {
    if (at == key.end() || (*at).name() != field.name())
      return Refuse(51174, "The index chosen is not compatible with min/max");
    values.push_back(field.ToValue());
    ++at;
  }
  if (at != key.end()) return Refuse(51174, "The index chosen is not compatible with min/max");
  return values;
}

Outcome CheckSameNames(std::optional<model::DocumentView> min,
                       std::optional<model::DocumentView> max) {
  if (!min.has_value() || min->empty() || !max.has_value() || max->empty()) return {};
  auto a = min->begin();
  auto b = max->begin();
  for (; a != min->end() && b != max->end(); ++a, ++b) {
    if ((*a).name() != (*b).name()) break;
  }
  if (a == min->end() && b == max->end()) return {};
  return Refuse(51176, "min and max must have the same field names");
}

}  // namespace

Answer<KeyRange> KeyRange::Make(model::DocumentView key, std::optional<model::DocumentView> min,
                                std::optional<model::DocumentView> max) {
  MONGO_TRY(CheckSameNames(min, max));
  KeyRange range;
  for (const model::ElementView field : key) {
    const Value direction = field.ToValue();
    const bool descending =
        (direction.kind() == Kind::kDouble && direction.AsDouble() < 0) ||
        ((direction.kind() == Kind::kInt32 || direction.kind() == Kind::kInt64) &&
         direction.AsInteger() < 0);
    range.parts_.push_back({PathOf(field.name()).steps(), descending});
  }
  MONGO_ASSIGN(range.min_, BoundOf(min, key));
  MONGO_ASSIGN(range.max_, BoundOf(max, key));
  if (range.min_.has_value() && range.max_.has_value() &&
      range.Compare(*range.min_, *range.max_, nullptr) >= 0) {
    return Refuse(51175,
                  "The value provided for min() does not come before the value provided for max() "
                  "in the hinted index");
  }
  return range;
}

std::weak_ordering KeyRange::Compare(const Values& a, const Values& b,
                                     const Collator* collator) const {
  for (size_t i = 0; i < parts_.size(); ++i) {
    const std::weak_ordering order = CompareValues(a[i], b[i], collator);
    if (order != 0) return parts_[i].descending ? 0 <=> order : order;
  }
  return std::weak_ordering::equivalent;
}

std::vector<Values> KeyRange::KeysOf(model::DocumentView document) const {
  std::vector<Values> keys;
  std::vector<Values> found(parts_.size());
  size_t count = 1;
  for (size_t i = 0; i < parts_.size(); ++i) {
    AppendKeysAt(document, parts_[i].steps, found[i]);
    if (found[i].empty()) found[i].push_back(Value::Null());
    count = std::min(kKeysMax, count * found[i].size());
  }
  keys.reserve(count);
  for (size_t number = 0; number < count; ++number) {
    Values key;
    size_t rest = number;
    for (const Values& values : found) {
      key.push_back(values[rest % values.size()]);
      rest /= values.size();
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

std::optional<Values> KeyRange::KeyIn(model::DocumentView document,
                                      const Collator* collator) const {
  std::optional<Values> smallest;
  for (Values& key : KeysOf(document)) {
    if (min_.has_value() && Compare(key, *min_, collator) < 0) continue;
    if (max_.has_value() && Compare(key, *max_, collator) >= 0) continue;
    if (!smallest.has_value() || Compare(key, *smallest, collator) < 0) smallest = std::move(key);
  }
  return smallest;
}

Outcome KeyRangeRows::Fill() {
  is_filled_ = true;
  size_t bytes = 0;
  while (true) {
    MONGO_ASSIGN(std::optional<Row> row, input_->Next());
    if (!row.has_value()) break;
    auto key = range_.KeyIn(row->document, context_->collator.get());
    if (!key.has_value()) continue;
    bytes += row->document.bson().size() + 64;
    if (bytes > context_->stage_memory_bytes_max) {
      return Refuse(ErrorCode::kQueryExceededMemoryLimitNoDiskUseAllowed,
                    fmt::format("find with min or max exceeded memory limit of {} bytes",
                                context_->stage_memory_bytes_max));
    }
    rows_.emplace_back(*std::move(key), *std::move(row));
  }
  StableSort(rows_, [this](const auto& a, const auto& b) {
    return range_.IsBefore(a.first, b.first, context_->collator.get());
  });
  return {};
}

Answer<std::optional<Row>> KeyRangeRows::Next() {
  if (!is_filled_) MONGO_TRY(Fill());
  if (next_ == rows_.size()) return std::nullopt;
  return std::move(rows_[next_++].second);
}

}  // namespace orrery::mongo
