#include "net/http/http_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "net/http/http_message.h"

namespace orrery::net {
namespace {

// Read and written by hand because strftime, strptime and fmt's %a follow the locale.
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
// "Sun, 06 Nov 1994 08:49:37 GMT"
constexpr size_t kLength = 29;

template <size_t kCount>
std::optional<unsigned> IndexOf(const std::array<std::string_view, kCount>& names,
                                std::string_view name) {
  const auto found = std::ranges::find_if(
      names, [name](std::string_view each) { return EqualsIgnoringCase(each, name); });
  if (found == names.end()) return std::nullopt;
  return static_cast<unsigned>(found - names.begin());
}

std::optional<unsigned> Number(std::string_view digits) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string FormatHttpDate(Micros since_epoch) {
  const std::chrono::sys_time<Micros> time(since_epoch);
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(day).c_encoding()],
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
      clock.seconds().count());
}

std::optional<Micros> ParseHttpDate(std::string_view text) {
  if (text.size() != kLength || text.substr(3, 2) != ", " || text[7] != ' ' || text[11] != ' ' ||
      text[16] != ' ' || text[19] != ':' || text[22] != ':' ||
      !(EqualsIgnoringCase(text.substr(25), " GMT") ||
        EqualsIgnoringCase(text.substr(25), " UTC"))) {
    return std::nullopt;
  }
  const auto weekday = IndexOf(kDays, text.substr(0, 3));
  const auto day = Number(text.substr(5, 2));
  const auto month = IndexOf(kMonths, text.substr(8, 3));
  const auto year = Number(text.substr(12, 4));
  const auto hour = Number(text.substr(17, 2));
  const auto minute = Number(text.substr(20, 2));
  const auto second = Number(text.substr(23, 2));
  if (!weekday || !day || !month || !year || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month + 1), std::chrono::day(*day));
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const std::chrono::sys_days days(date);
  if (std::chrono::weekday(days).c_encoding() != *weekday) return std::nullopt;
  return Micros(days.time_since_epoch()) + std::chrono::hours(*hour) +
         std::chrono::minutes(*minute) + std::chrono::seconds(*second);
}

}  // namespace orrery::net
