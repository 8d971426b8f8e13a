#include "api/cassandra/types/native/time_zone.h"

#include <algorithm>

namespace orrery::cassandra {
namespace {

constexpr int32_t kHour = 3'600;
constexpr int32_t kOffsetMax = 18 * kHour;

struct Zone {
  std::string_view abbreviation;
  std::string_view name;
  int32_t offset;
};

// Time zones. An abbreviation with several meanings has the one of Java's English locale.
constexpr Zone kZones[] = {
    {"HST", "Hawaii Standard Time", -10 * kHour},
    {"AKST", "Alaska Standard Time", -9 * kHour},
    {"AKDT", "Alaska Daylight Time", -8 * kHour},
    {"PST", "Pacific Standard Time", -8 * kHour},
    {"PDT", "Pacific Daylight Time", -7 * kHour},
    {"MST", "Mountain Standard Time", -7 * kHour},
    {"MDT", "Mountain Daylight Time", -6 * kHour},
    {"CST", "Central Standard Time", -6 * kHour},
    {"CDT", "Central Daylight Time", -5 * kHour},
    {"EST", "Eastern Standard Time", -5 * kHour},
    {"EDT", "Eastern Daylight Time", -4 * kHour},
    {"AST", "Atlantic Standard Time", -4 * kHour},
    {"ADT", "Atlantic Daylight Time", -3 * kHour},
    {"NST", "Newfoundland Standard Time", -3 * kHour - kHour / 2},
    {"BRT", "Brasilia Time", -3 * kHour},
    {"WET", "Western European Time", 0},
    {"WEST", "Western European Summer Time", kHour},
    {"BST", "British Summer Time", kHour},
    {"CET", "Central European Time", kHour},
    {"CEST", "Central European Summer Time", 2 * kHour},
    {"MEZ", "Middle European Time", kHour},
    {"EET", "Eastern European Time", 2 * kHour},
    {"EEST", "Eastern European Summer Time", 3 * kHour},
    {"SAST", "South Africa Standard Time", 2 * kHour},
    {"MSK", "Moscow Standard Time", 3 * kHour},
    {"PKT", "Pakistan Time", 5 * kHour},
    {"IST", "India Standard Time", 5 * kHour + kHour / 2},
    {"SGT", "Singapore Time", 8 * kHour},
    {"HKT", "Hong Kong Time", 8 * kHour},
    {"AWST", "Australian Western Standard Time", 8 * kHour},
    {"JST", "Japan Standard Time", 9 * kHour},
    {"KST", "Korea Standard Time", 9 * kHour},
    {"AEST", "Australian Eastern Standard Time", 10 * kHour},
    {"AEDT", "Australian Eastern Daylight Time", 11 * kHour},
    {"NZST", "New Zealand Standard Time", 12 * kHour},
    {"NZDT", "New Zealand Daylight Time", 13 * kHour},
};

bool EqualsInAnyCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// Two digits at `at`, or -1.
int TwoDigits(std::string_view text, size_t at) {
  if (at + 2 > text.size()) return -1;
  const char tens = text[at];
  const char ones = text[at + 1];
  if (tens < '0' || tens > '9' || ones < '0' || ones > '9') return -1;
  return (tens - '0') * 10 + (ones - '0');
}

}  // namespace

std::optional<int32_t> ParseUtcOffset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const int hours = TwoDigits(text, 1);
  int minutes = 0;
  if (text.size() == 5) {
    minutes = TwoDigits(text, 3);
  } else if (text.size() == 6 && text[3] == ':') {
    minutes = TwoDigits(text, 4);
  } else if (text.size() != 3) {
    return std::nullopt;
  }
  if (hours < 0 || minutes < 0 || minutes > 59) return std::nullopt;
  const int32_t offset = hours * kHour + minutes * 60;
  if (offset > kOffsetMax) return std::nullopt;
  return text[0] == '-' ? -offset : offset;
}

std::optional<int32_t> ParseTimeZone(std::string_view text) {
  if (const auto offset = ParseUtcOffset(text)) return offset;
  for (const std::string_view zero : {"UTC", "GMT", "UT"}) {
    if (!EqualsInAnyCase(text.substr(0, zero.size()), zero)) continue;
    const std::string_view rest = text.substr(zero.size());
    if (rest.empty()) return 0;
    if (rest.size() == 2 && rest[1] >= '0' && rest[1] <= '9' && (rest[0] == '+' || rest[0] == '-'))
      return (rest[0] == '-' ? -1 : 1) * (rest[1] - '0') * kHour;
    return rest.size() == 1 ? std::nullopt : ParseUtcOffset(rest);
  }
  if (EqualsInAnyCase(text, "Coordinated Universal Time")) return 0;
  if (EqualsInAnyCase(text, "Greenwich Mean Time")) return 0;
  for (const Zone& zone : kZones) {
    if (EqualsInAnyCase(text, zone.abbreviation) || EqualsInAnyCase(text, zone.name))
      return zone.offset;
  }
  return std::nullopt;
}

}  // namespace orrery::cassandra
