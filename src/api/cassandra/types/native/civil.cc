#include "api/cassandra/types/native/civil.h"

#include <algorithm>

namespace orrery::cassandra {
namespace {

constexpr int64_t kDaysPerEra = 146'097;  // of 400 years
constexpr int64_t kEpochDays = 719'468;   // from 0000-03-01 to 1970-01-01

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

bool IsLeap(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

}  // namespace

int DaysInMonth(int64_t year, int month) {
  if (month == 2) return IsLeap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Years counted from March put the leap day last, which makes month lengths a simple formula.
int64_t DaysFromCivil(const CivilDate& date) {
  const int64_t year = date.month <= 2 ? date.year - 1 : date.year;
  const int64_t era = FloorDivide(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t month_from_march = (date.month + 9) % 12;
  const int64_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPerEra + day_of_era - kEpochDays;
}

CivilDate CivilFromDays(int64_t days) {
  const int64_t shifted = days + kEpochDays;
  const int64_t era = FloorDivide(shifted, kDaysPerEra);
  const int64_t day_of_era = shifted - era * kDaysPerEra;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  CivilDate date;
  date.day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  date.month =
      static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  date.year = era * 400 + year_of_era + (date.month <= 2 ? 1 : 0);
  return date;
}

CivilDate AddMonths(const CivilDate& date, int64_t months) {
  const int64_t total = date.year * 12 + (date.month - 1) + months;
  CivilDate moved;
  moved.year = FloorDivide(total, 12);
  moved.month = static_cast<int>(total - moved.year * 12) + 1;
  moved.day = std::min(date.day, DaysInMonth(moved.year, moved.month));
  return moved;
}

}  // namespace orrery::cassandra
