#include "cli/byte_size.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace orrery::cli {
namespace {

constexpr std::array<std::string_view, 6> kByteUnits = {"B", "KB", "MB", "GB", "TB", "PB"};
constexpr double kSizeMax = 9.2e18;  // below 2^63

// The factor of a unit's spelling, or 0.
uint64_t UnitFactor(std::string_view unit) {
  constexpr std::string_view kPrefixes = "bkmgtp";
  std::string lower;
  for (const char c : unit)
    lower.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  const size_t power = lower.empty() ? std::string_view::npos : kPrefixes.find(lower[0]);
  if (power == std::string_view::npos) return 0;
  const std::string_view rest = std::string_view(lower).substr(1);
  if (!rest.empty() && (power == 0 || (rest != "b" && rest != "ib"))) return 0;
  return uint64_t{1} << (10 * power);
}

}  // namespace

Result<uint64_t> ParseByteSize(std::string_view text, uint64_t bare_unit) {
  const auto refuse = [&] {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("'{}' is not a size; write a number with a unit, such as 64MB or 20GB", text));
  };
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number) || number < 0) return refuse();
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  const uint64_t factor = unit.empty() ? bare_unit : UnitFactor(unit);
  if (factor == 0) return refuse();
  const double bytes = number * static_cast<double>(factor);
  if (bytes > kSizeMax) return refuse();
  return static_cast<uint64_t>(std::llround(bytes));
}

std::string FormatByteSize(uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  // 1023.95 would print as "1024.0": take the next unit already there.
  while (value >= 1023.95 && unit + 1 < kByteUnits.size()) {
    value /= 1024;
    ++unit;
  }
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return fmt::format("{} {}", text, kByteUnits[unit]);
}

}  // namespace orrery::cli
