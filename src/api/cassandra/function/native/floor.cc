#include "api/cassandra/function/native/floor.h"

#include <string>

#include "api/cassandra/types/native/civil.h"
#include "api/cassandra/types/native/date_time.h"

namespace orrery::cassandra {
namespace {

constexpr int64_t kNanosPerMilli = 1'000'000;

// Wide enough for a product of a duration and a number of months between any two moments.
__extension__ using Int128 = __int128;

std::unexpected<Error> Invalid(const char* message) {
  return Fail(Code::kInvalidArgument, message);
}

bool IsNegative(const Duration& duration) {
  return duration.months < 0 || duration.days < 0 || duration.nanoseconds < 0;
}

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

CivilDate DateOf(int64_t unix_ms) { return CivilFromDays(FloorDivide(unix_ms, kMillisPerDay)); }

// Every multiple of a duration of months, from a start.
class Calendar {
 public:
  Calendar(int64_t start_ms, int64_t months, int64_t millis)
      : start_(DateOf(start_ms)),
        time_of_day_ms_(start_ms - FloorDivide(start_ms, kMillisPerDay) * kMillisPerDay),
        months_(months),
        millis_(millis) {}

  Int128 Multiple(int64_t n) const {
    const Int128 days = DaysFromCivil(AddMonths(start_, n * months_));
    return days * kMillisPerDay + time_of_day_ms_ + static_cast<Int128>(n) * millis_;
  }

  // None whose month is after that of the moment.
  int64_t MultiplesUpTo(int64_t unix_ms) const {
    const CivilDate date = DateOf(unix_ms);
    return ((date.year - start_.year) * 12 + (date.month - start_.month)) / months_;
  }

 private:
  CivilDate start_;
  int64_t time_of_day_ms_;
  int64_t months_;
  int64_t millis_;
};

}  // namespace

Result<int64_t> FloorMillis(int64_t unix_ms, const Duration& duration, int64_t start_ms) {
  if (start_ms > unix_ms)
    return Invalid("The floor function starting time is greater than the provided time");
  if (IsNegative(duration))
    return Invalid("Negative durations are not supported by the floor function");
  const int64_t millis = duration.days * kMillisPerDay + duration.nanoseconds / kNanosPerMilli;
  if (duration.months == 0) {
    if (millis == 0) return unix_ms;
    const Int128 delta = (static_cast<Int128>(unix_ms) - start_ms) % millis;
    return unix_ms - static_cast<int64_t>(delta);
  }

  const Calendar calendar(start_ms, duration.months, millis);
  int64_t low = 0;  // never after the moment
  int64_t high = calendar.MultiplesUpTo(unix_ms);
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (calendar.Multiple(middle) <= unix_ms) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return static_cast<int64_t>(calendar.Multiple(low));
}

Result<int64_t> FloorTimeOfDay(int64_t nanoseconds, const Duration& duration) {
  if (IsNegative(duration))
    return Invalid("Negative durations are not supported by the floor function");
  if (duration.months != 0 || duration.days != 0 || duration.nanoseconds > kNanosPerDay)
    return Invalid(
        "For time values, the floor can only be computed for durations smaller that a day");
  if (duration.nanoseconds == 0) return nanoseconds;
  return nanoseconds - nanoseconds % duration.nanoseconds;
}

}  // namespace orrery::cassandra
