#include "api/cassandra/schema/ddl/option/retry_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/types/native/real.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

std::unexpected<CqlError> WrongPolicy(std::string_view text) {
  return ConfigError(fmt::format("Invalid value {} for option 'speculative_retry'", text));
}

// Returns the text before the unit, when that is digits and points.
std::optional<std::string_view> Before(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  text.remove_suffix(unit.size());
  const bool digits =
      std::ranges::all_of(text, [](char c) { return query::IsDigit(c) || c == '.'; });
  return text.empty() || !digits ? std::nullopt : std::optional(text);
}

// At most four digits after the point, and no zeros at the end.
std::string PercentileText(double percentile) {
  std::string text = fmt::format("{:.4f}", percentile);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text + "p";
}

// `text` in lower case. nullopt: neither of both forms.
CqlResult<std::optional<std::string>> Simple(std::string_view text, std::string_view given) {
  std::optional<std::string_view> percentile = Before(text, "percentile");
  if (!percentile.has_value()) percentile = Before(text, "p");
  if (percentile.has_value()) {
    const auto value = ParseDouble(*percentile);
    if (!value.has_value()) return WrongPolicy(given);
    if (*value <= 0 || *value >= 100) {
      return ConfigError(
          fmt::format("Invalid value {} for PERCENTILE option 'speculative_retry': must be between "
                      "(0.0 and 100.0)",
                      given));
    }
    return PercentileText(*value);
  }
  if (const auto fixed = Before(text, "ms"); fixed.has_value()) {
    const auto value = ParseDouble(*fixed);
    if (!value.has_value() || *value > 2'147'483'647.0) return WrongPolicy(given);
    return fmt::format("{}ms", static_cast<int32_t>(*value));
  }
  return std::nullopt;
}

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

CqlResult<std::string> Hybrid(std::string_view lower, std::string_view given) {
  const std::string function = lower.starts_with("min") ? "MIN" : "MAX";
  const std::string_view arguments = lower.substr(4, lower.size() - 5);
  const size_t comma = arguments.find(',');
  if (comma == std::string_view::npos) return WrongPolicy(given);
  CQL_ASSIGN(const auto first, Simple(Trimmed(arguments.substr(0, comma)), given));
  CQL_ASSIGN(const auto second, Simple(Trimmed(arguments.substr(comma + 1)), given));
  if (!first.has_value() || !second.has_value()) return WrongPolicy(given);
  const bool first_is_fixed = first->ends_with("ms");
  if (first_is_fixed == second->ends_with("ms")) {
    return ConfigError(
        fmt::format("Invalid value {} for option 'speculative_retry': MIN()/MAX() arguments should "
                    "be of different types, but both are of type {}",
                    given, first_is_fixed ? "FIXED" : "PERCENTILE"));
  }
  return first_is_fixed ? fmt::format("{}({},{})", function, *second, *first)
                        : fmt::format("{}({},{})", function, *first, *second);
}

}  // namespace

CqlResult<std::string> CheckRetryPolicy(const std::string& given) {
  const std::string lower = query::ToLower(given);
  if (lower == "always") return std::string("ALWAYS");
  if (lower == "never" || lower == "none") return std::string("NEVER");
  if ((lower.starts_with("min(") || lower.starts_with("max(")) && lower.ends_with(')'))
    return Hybrid(lower, given);
  CQL_ASSIGN(std::optional<std::string> simple, Simple(lower, given));
  if (!simple.has_value()) return WrongPolicy(given);
  return *std::move(simple);
}

}  // namespace orrery::cassandra
