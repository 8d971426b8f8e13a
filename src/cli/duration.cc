#include "cli/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace orrery::cli {
namespace {

struct DurationUnit {
  std::string_view name;
  Micros length;
};
// The largest first.
constexpr std::array kDurationUnits{
    DurationUnit{"d", std::chrono::hours(24)}, DurationUnit{"h", std::chrono::hours(1)},
    DurationUnit{"m", std::chrono::minutes(1)}, DurationUnit{"s", std::chrono::seconds(1)},
    DurationUnit{"ms", std::chrono::milliseconds(1)}};
constexpr double kDaysMax = 36'525;

}  // namespace

Result<Micros> ParseDuration(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  for (const DurationUnit& known : kDurationUnits) {
    if (error != std::errc() || unit != known.name || !(number >= 0)) continue;
    const double micros = number * static_cast<double>(known.length.count());
    if (micros > kDaysMax * static_cast<double>(kDurationUnits[0].length.count()))
      return Fail(Code::kInvalidArgument, fmt::format("'{}' is longer than 100 years", text));
    return Micros(std::llround(micros));
  }
  return Fail(Code::kInvalidArgument,
              fmt::format("'{}' is no span of time: write it like 90s, 15m, 1.5h or 30d", text));
}

std::string FormatDuration(Micros duration) {
  if (duration == Micros(0)) return "0s";
  for (const DurationUnit& unit : kDurationUnits) {
    const auto tenths = duration.count() * 10 / unit.length.count();
    const bool exact = duration.count() * 10 % unit.length.count() == 0;
    if (tenths < 10 || !exact) continue;
    return tenths % 10 == 0 ? fmt::format("{}{}", tenths / 10, unit.name)
                            : fmt::format("{}.{}{}", tenths / 10, tenths % 10, unit.name);
  }
  return fmt::format("{:.1f}ms", static_cast<double>(duration.count()) / 1000);
}

std::string FormatElapsed(Micros elapsed) {
  const int64_t seconds = elapsed / std::chrono::seconds(1);
  const int64_t hours = seconds / 3600;
  const bool days = hours >= 48;
  std::string text =
      days ? fmt::format("{}d {:02}", hours / 24, hours % 24) : fmt::to_string(hours);
  text += fmt::format(":{:02}", seconds / 60 % 60);
  if (seconds % 60 != 0) text += fmt::format(":{:02}", seconds % 60);
  return text;
}

}  // namespace orrery::cli
