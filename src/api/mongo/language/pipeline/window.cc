#include "api/mongo/language/pipeline/window.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/mongo/language/expression/date_time.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"

namespace orrery::mongo {

using model::Kind;
using model::Value;

std::optional<int64_t> WindowUnitMs(const std::string& unit) {
  const int64_t ms = UnitMs(unit);
  return ms == 0 ? std::nullopt : std::optional(ms);
}

namespace {

std::unexpected<MongoError> BadWindow(std::string text) {
  return Refuse(ErrorCode::kFailedToParse, std::move(text));
}

Answer<std::optional<Value>> ParseEnd(const Window& window, const Value& value) {
  if (value.kind() == Kind::kString) {
    if (value.AsString() == "unbounded") return std::optional<Value>();
    if (value.AsString() == "current") return std::optional(Value::Int32(0));
  }
  if (!value.is_number())
    return BadWindow("Window bounds must be 'unbounded', 'current', or a number.");
  const std::optional<int64_t> whole = ExactInt64(value);
  if (!window.is_range) {
    if (!whole.has_value()) return BadWindow("Numeric document-based bounds must be an integer");
    return std::optional(Value::Int64(*whole));
  }
  if (!window.unit.empty() && !whole.has_value())
    return BadWindow("With 'unit', range-based bounds must be an integer");
  return std::optional(value);
}

Outcome ParseUnit(const Value& unit, Window& window) {
  if (unit.kind() != Kind::kString) return BadWindow("'unit' must be a string");
  window.unit = unit.AsString();
  if (UnitMs(window.unit) == 0 && UnitMonths(window.unit) == 0)
    return BadWindow(fmt::format("unknown time unit value: {}", window.unit));
  return {};
}

Outcome CheckFields(const Value& value, std::string_view kind) {
  for (const model::Field& field : value.AsFields()) {
    if (field.name == kind || (kind == "range" && field.name == "unit")) continue;
    if (field.name == "unit")
      return BadWindow("Window bounds can only specify 'unit' with range-based bounds.");
    if (kind.empty()) return BadWindow("'window' field can only contain 'documents' or 'range'");
    return BadWindow(kind == "range"
                         ? "'window' field that specifies range cannot have other fields besides "
                           "'unit'"
                         : "'window' field that specifies documents cannot have other fields");
  }
  return {};
}

bool IsLess(const Value& a, const Value& b) { return CompareValues(a, b, nullptr) < 0; }

}  // namespace

Answer<Window> ParseWindow(const Value& value) {
  Window window;
  if (value.kind() != Kind::kObject) return BadWindow("'window' field must be an object");
  const Value* documents = value.Find("documents");
  const Value* range = value.Find("range");
  if (documents != nullptr && range != nullptr) {
    return BadWindow("Window bounds can specify either 'documents' or 'range', not both.");
  }
  window.is_range = range != nullptr;
  const std::string_view kind = window.is_range ? "range" : documents != nullptr ? "documents" : "";
  MONGO_TRY(CheckFields(value, kind));
  if (kind.empty()) return window;
  const Value& bounds = window.is_range ? *range : *documents;
  if (bounds.kind() != Kind::kArray || bounds.AsValues().size() != 2) {
    return BadWindow("Window bounds must be a 2-element array: " +
                     PrintElement(std::string(kind), bounds));
  }
  if (const Value* unit = value.Find("unit")) MONGO_TRY(ParseUnit(*unit, window));
  MONGO_ASSIGN(window.lower, ParseEnd(window, bounds.AsValues()[0]));
  MONGO_ASSIGN(window.upper, ParseEnd(window, bounds.AsValues()[1]));
  if (window.lower.has_value() && window.upper.has_value() &&
      IsLess(*window.upper, *window.lower)) {
    return Refuse(5339900, fmt::format("Lower bound must not exceed upper bound: [{}, {}]",
                                       PrintBson(*window.lower), PrintBson(*window.upper)));
  }
  return window;
}

namespace {

Outcome CheckBase(const Value& base, bool is_dated) {
  if (is_dated) {
    if (base.kind() == Kind::kDateTime) return {};
    return Refuse(5429513, fmt::format("Invalid range: Expected the sortBy field to be a Date, but "
                                       "it was {}",
                                       BsonTypeName(base.kind())));
  }
  if (base.kind() == Kind::kDateTime) {
    return Refuse(5429413,
                  "Invalid range: For windows that involve date or time ranges, a unit must be "
                  "provided.");
  }
  if (base.is_number()) return {};
  return Refuse(5429414, fmt::format("Invalid range: Expected the sortBy field to be a number, but "
                                     "it was {}",
                                     BsonTypeName(base.kind())));
}

Answer<Value> Moved(const Value& base, const Value& distance, const std::string& unit) {
  if (unit.empty()) return AddNumbers(base, distance);
  const std::optional<int64_t> moved =
      MoveDate(base.AsDateTime(), unit, ExactInt64(distance).value_or(0), model::TimeZone::Utc());
  if (!moved.has_value()) return Refuse(5166406, "$dateAdd overflowed");
  return Value::DateTime(*moved);
}

}  // namespace

Answer<std::pair<size_t, size_t>> Window::RowsOf(size_t at, size_t size,
                                                 std::span<const Value> keys) const {
  if (!is_range) {
    const auto place = static_cast<int64_t>(at);
    const auto count = static_cast<int64_t>(size);
    // Far ends are cut before they are added, which could overflow.
    const auto end_at = [&](const Value& distance) {
      return place + std::clamp<int64_t>(distance.AsInteger(), -count - 1, count + 1);
    };
    const int64_t first = lower.has_value() ? std::clamp<int64_t>(end_at(*lower), 0, count) : 0;
    const int64_t end =
        upper.has_value() ? std::clamp<int64_t>(end_at(*upper) + 1, first, count) : count;
    return std::pair(static_cast<size_t>(first), static_cast<size_t>(end));
  }
  if (is_descending) return Refuse(5429404, "Missing _sortExpr with range-based bounds");
  MONGO_TRY(CheckBase(keys[at], !unit.empty()));
  size_t first = 0;
  size_t end = size;
  if (lower.has_value()) {
    MONGO_ASSIGN(const Value least, Moved(keys[at], *lower, unit));
    first = static_cast<size_t>(std::ranges::lower_bound(keys, least, IsLess) - keys.begin());
  }
  if (upper.has_value()) {
    MONGO_ASSIGN(const Value greatest, Moved(keys[at], *upper, unit));
    end = static_cast<size_t>(std::ranges::upper_bound(keys, greatest, IsLess) - keys.begin());
  }
  return std::pair(first, std::max(first, end));
}

}  // namespace orrery::mongo
