#include "api/mongo/language/pipeline/window.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "model/number/number.h"

namespace orrery::mongo {

using model::Kind;
using model::Value;

std::optional<int64_t> WindowUnitMs(const std::string& unit) {
  if (unit == "millisecond") return 1;
  if (unit == "second") return 1000;
  if (unit == "minute") return 60'000;
  if (unit == "hour") return 3'600'000;
  if (unit == "day") return 86'400'000;
  if (unit == "week") return 604'800'000;
  return std::nullopt;
}

namespace {

// The place of a sorted value on a line; nullopt for what has none.
std::optional<double> PlaceOf(const Value& value) {
  if (value.is_number()) return model::ToDouble(value);
  if (value.kind() == Kind::kDateTime) return static_cast<double>(value.AsDateTime());
  return std::nullopt;
}

Answer<WindowEnd> ParseEnd(const Value& value) {
  if (value.kind() == Kind::kString) {
    if (value.AsString() == "unbounded") return WindowEnd();
    if (value.AsString() == "current") return WindowEnd(0);
  }
  if (!value.is_number()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "Window bounds must be 'unbounded', 'current', or a number.");
  }
  return WindowEnd(model::ToDouble(value));
}

}  // namespace

Answer<Window> ParseWindow(const Value& value) {
  Window window;
  if (value.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse, "'window' field must be an object");
  }
  const Value* documents = value.Find("documents");
  const Value* range = value.Find("range");
  const Value* unit = value.Find("unit");
  if (documents != nullptr && range != nullptr) {
    return Refuse(ErrorCode::kFailedToParse,
                  "Window bounds can specify either 'documents' or 'range', not both.");
  }
  if (documents == nullptr && range == nullptr) return window;
  window.is_range = range != nullptr;
  const Value& bounds = window.is_range ? *range : *documents;
  if (bounds.kind() != Kind::kArray || bounds.AsValues().size() != 2) {
    return Refuse(ErrorCode::kFailedToParse, "Window bounds must be a 2-element array");
  }
  MONGO_ASSIGN(window.lower, ParseEnd(bounds.AsValues()[0]));
  MONGO_ASSIGN(window.upper, ParseEnd(bounds.AsValues()[1]));
  if (window.lower.has_value() && window.upper.has_value() && *window.lower > *window.upper) {
    return Refuse(5339900, "Lower bound must not exceed upper bound");
  }
  if (unit != nullptr) {
    const std::optional<int64_t> ms =
        unit->kind() == Kind::kString ? WindowUnitMs(unit->AsString()) : std::nullopt;
    if (!ms.has_value()) {
      return Refuse(ErrorCode::kFailedToParse, "'unit' of a window must be week or shorter");
    }
    window.unit_ms = *ms;
  }
  return window;
}

std::pair<size_t, size_t> Window::RowsOf(size_t at, size_t size,
                                         std::span<const Value> keys) const {
  if (!is_range) {
    const auto place = static_cast<int64_t>(at);
    const auto count = static_cast<int64_t>(size);
    const int64_t first =
        lower.has_value() ? std::clamp<int64_t>(place + static_cast<int64_t>(*lower), 0, count) : 0;
    const int64_t end =
        upper.has_value()
            ? std::clamp<int64_t>(place + static_cast<int64_t>(*upper) + 1, first, count)
            : count;
    return {static_cast<size_t>(first), static_cast<size_t>(std::max(first, end))};
  }
  const std::optional<double> place = PlaceOf(keys[at]);
  const double scale = unit_ms == 0 ? 1 : static_cast<double>(unit_ms);
  const auto is_inside = [&](size_t i) {
    const std::optional<double> other = PlaceOf(keys[i]);
    if (!place.has_value() || !other.has_value()) return false;
    const double distance = *other - *place;
    return (!lower.has_value() || distance >= *lower * scale) &&
           (!upper.has_value() || distance <= *upper * scale);
  };
  size_t first = 0;
  while (first < size && !is_inside(first)) ++first;
  size_t end = first;
  while (end < size && is_inside(end)) ++end;
  return {first, end};
}

}  // namespace orrery::mongo
