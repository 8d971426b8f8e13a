// The Gregorian calendar, extended over all time: days since 1970-01-01 and dates.
#pragma once

#include <cstdint>

namespace orrery::cassandra {

struct CivilDate {
  int64_t year = 1970;
  int month = 1;  // 1 to 12
  int day = 1;    // 1 to 31
  friend bool operator==(const CivilDate&, const CivilDate&) = default;
};

// Years of which DaysFromCivil does not overflow; more than any CQL type can hold.
inline constexpr int64_t kCivilYearMax = 999'999'999;

int DaysInMonth(int64_t year, int month);
// REQUIRES: |year| <= kCivilYearMax and a month of the year.
int64_t DaysFromCivil(const CivilDate& date);
// REQUIRES: a day within kCivilYearMax.
CivilDate CivilFromDays(int64_t days);
// The same day of another month, or that month's last day if it has fewer.
CivilDate AddMonths(const CivilDate& date, int64_t months);

}  // namespace orrery::cassandra
