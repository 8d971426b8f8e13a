#include "api/cassandra/types/native/duration.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "api/cassandra/types/invalid_value.h"
#include "api/cassandra/types/native/civil.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/vint.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

constexpr int64_t kNanosPerMilli = 1'000'000;

struct Unit {
  std::string_view symbol;
  std::string_view name;
  int32_t months;
  int32_t days;
  int64_t nanoseconds;
};

// In the order they have to be written in.
constexpr auto kUnits = std::to_array<Unit>({
    {"y", "years", 12, 0, 0},
    {"mo", "months", 1, 0, 0},
    {"w", "weeks", 0, 7, 0},
    {"d", "days", 0, 1, 0},
    {"h", "hours", 0, 0, 3'600'000'000'000},
    {"m", "minutes", 0, 0, 60'000'000'000},
    {"s", "seconds", 0, 0, 1'000'000'000},
    {"ms", "milliseconds", 0, 0, kNanosPerMilli},
    {"us", "microseconds", 0, 0, 1'000},
    {"ns", "nanoseconds", 0, 0, 1},
});
enum UnitIndex : size_t { kYears, kMonths, kWeeks, kDays, kHours, kMinutes, kSeconds };

std::unexpected<Error> NoDuration(std::string_view text) {
  return InvalidValue(fmt::format("Unable to convert '{}' to a duration", text));
}

// Adds up the units of one text, each after the one before.
class Builder {
 public:
  Status Add(size_t unit, int64_t count) {
    if (next_ == unit + 1) {
      return InvalidValue(
          fmt::format("Invalid duration. The {} are specified multiple times", kUnits[unit].name));
    }
    if (next_ > unit) {
      return InvalidValue(fmt::format("Invalid duration. The {} should be after {}",
                                      kUnits[next_ - 1].name, kUnits[unit].name));
    }
    next_ = unit + 1;
    ORRERY_TRY(AddTo(months_, count, kUnits[unit].months, "months"));
    ORRERY_TRY(AddTo(days_, count, kUnits[unit].days, "days"));
    return AddTo(nanoseconds_, count, kUnits[unit].nanoseconds, "nanoseconds");
  }

  Duration Finish(bool negative) const {
    if (negative) return {-months_, -days_, -nanoseconds_};
    return {months_, days_, nanoseconds_};
  }

 private:
  template <typename T>
  static Status AddTo(T& total, int64_t count, T each, std::string_view name) {
    if (each == 0) return {};
    constexpr T kMax = std::numeric_limits<T>::max();
    if (count > (kMax - total) / each) {
      return InvalidValue(fmt::format(
          "Invalid duration. The total number of {} must be less or equal to {}", name, kMax));
    }
    total = static_cast<T>(total + static_cast<T>(count) * each);
    return {};
  }

  size_t next_ = 0;
  int32_t months_ = 0;
  int32_t days_ = 0;
  int64_t nanoseconds_ = 0;
};

// At least one digit; false also when the number does not fit.
bool TakeNumber(std::string_view& text, int64_t& number) {
  size_t count = 0;
  number = 0;
  for (; count < text.size() && text[count] >= '0' && text[count] <= '9'; ++count) {
    if (__builtin_mul_overflow(number, 10, &number) ||
        __builtin_add_overflow(number, text[count] - '0', &number))
      return false;
  }
  text.remove_prefix(count);
  return count > 0;
}

// The unit whose symbol, in any case, is next: the longest one that fits.
size_t TakeUnit(std::string_view& text) {
  constexpr std::string_view kMicroSign = "\xc2\xb5";  // µs is another way to write us
  std::string symbol;
  size_t size = 0;
  if (text.starts_with(kMicroSign)) {
    symbol = "u";
    size = kMicroSign.size();
  }
  for (; symbol.size() < 2 && size < text.size(); ++size) {
    const char lower = static_cast<char>(text[size] | 0x20);
    if (lower < 'a' || lower > 'z') break;
    symbol.push_back(lower);
  }
  for (; !symbol.empty(); symbol.pop_back(), --size) {
    for (size_t unit = 0; unit < kUnits.size(); ++unit) {
      if (kUnits[unit].symbol != symbol) continue;
      text.remove_prefix(size);
      return unit;
    }
  }
  return kUnits.size();
}

Result<Duration> ParseStandard(std::string_view source, bool negative) {
  Builder builder;
  std::string_view rest = source;
  if (rest.empty()) return NoDuration(source);
  while (!rest.empty()) {
    int64_t number = 0;
    if (!TakeNumber(rest, number)) return NoDuration(source);
    const size_t unit = TakeUnit(rest);
    if (unit == kUnits.size()) return NoDuration(source);
    ORRERY_TRY(builder.Add(unit, number));
  }
  return builder.Finish(negative);
}

// P[nY][nM][nD][T[nH][nM][nS]] and PnW.
Result<Duration> ParseIso(std::string_view source, bool negative) {
  Builder builder;
  std::string_view rest = source.substr(1);
  bool in_time = false;
  const bool weeks = source.ends_with('W');
  while (!rest.empty()) {
    if (!in_time && rest[0] == 'T') {
      in_time = true;
      rest.remove_prefix(1);
      continue;
    }
    int64_t number = 0;
    if (!TakeNumber(rest, number) || rest.empty()) return NoDuration(source);
    const std::string_view letters = weeks ? "W" : in_time ? "HMS" : "YMD";
    const size_t letter = letters.find(rest[0]);
    if (letter == std::string_view::npos) return NoDuration(source);
    constexpr size_t kDateUnits[] = {kYears, kMonths, kDays};
    constexpr size_t kTimeUnits[] = {kHours, kMinutes, kSeconds};
    ORRERY_TRY(
        builder.Add(weeks ? kWeeks : (in_time ? kTimeUnits[letter] : kDateUnits[letter]), number));
    rest.remove_prefix(1);
  }
  return builder.Finish(negative);
}

// PYYYY-MM-DDThh:mm:ss
Result<Duration> ParseIsoAlternative(std::string_view source, bool negative) {
  constexpr std::string_view kPattern = "P####-##-##T##:##:##";
  constexpr size_t kParts[] = {kYears, kMonths, kDays, kHours, kMinutes, kSeconds};
  if (source.size() != kPattern.size()) return NoDuration(source);
  Builder builder;
  size_t part = 0;
  for (size_t i = 0; i < source.size();) {
    if (kPattern[i] != '#') {
      if (source[i] != kPattern[i]) return NoDuration(source);
      ++i;
      continue;
    }
    const size_t end = std::min(kPattern.find_first_not_of('#', i), kPattern.size());
    std::string_view digits = source.substr(i, end - i);
    int64_t number = 0;
    if (!TakeNumber(digits, number) || !digits.empty()) return NoDuration(source);
    ORRERY_TRY(builder.Add(kParts[part++], number));
    i = end;
  }
  return builder.Finish(negative);
}

// Unsigned, so that the lowest int64 has a magnitude.
uint64_t Magnitude(int64_t number) {
  return number < 0 ? -static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
}

void AppendPart(std::string& out, uint64_t& number, uint64_t each, std::string_view symbol) {
  if (number >= each) out += fmt::format("{}{}", number / each, symbol);
  number %= each;
}

Result<int64_t> Move(int64_t unix_ms, int64_t months, int64_t days, int64_t milliseconds) {
  int64_t moved = unix_ms;
  bool overflow = false;
  if (months != 0) {
    int64_t day = unix_ms / kMillisPerDay;
    int64_t rest = unix_ms % kMillisPerDay;
    if (rest < 0) {
      rest += kMillisPerDay;
      --day;
    }
    const int64_t target = DaysFromCivil(AddMonths(CivilFromDays(day), months));
    overflow |= __builtin_mul_overflow(target, kMillisPerDay, &moved);
    overflow |= __builtin_add_overflow(moved, rest, &moved);
  }
  overflow |= __builtin_add_overflow(moved, days * kMillisPerDay, &moved);
  overflow |= __builtin_add_overflow(moved, milliseconds, &moved);
  if (overflow) return InvalidValue("the result is out of the range of timestamps");
  return moved;
}

}  // namespace

std::string EncodeDuration(const Duration& duration) {
  std::string bytes;
  AppendVint(bytes, duration.months);
  AppendVint(bytes, duration.days);
  AppendVint(bytes, duration.nanoseconds);
  return bytes;
}

Result<Duration> DecodeDuration(std::string_view bytes) {
  ByteReader reader(bytes);
  int64_t months = 0;
  int64_t days = 0;
  int64_t nanoseconds = 0;
  if (bytes.size() < 3 || !ReadVint(reader, months) || !ReadVint(reader, days) ||
      !ReadVint(reader, nanoseconds)) {
    return InvalidValue(fmt::format("Expected at least 3 bytes for a duration ({})", bytes.size()));
  }
  if (!reader.empty()) return InvalidValue("Unexpected extraneous bytes after duration value");
  if (months != static_cast<int32_t>(months)) {
    return InvalidValue(
        fmt::format("The duration months must be a 32 bits integer but was: {}", months));
  }
  if (days != static_cast<int32_t>(days))
    return InvalidValue(
        fmt::format("The duration days must be a 32 bits integer but was: {}", days));
  const bool has_negative = months < 0 || days < 0 || nanoseconds < 0;
  const bool has_positive = months > 0 || days > 0 || nanoseconds > 0;
  if (has_negative && has_positive) {
    return InvalidValue(fmt::format(
        "The duration months, days and nanoseconds must be all of the same sign ({}, {}, {})",
        months, days, nanoseconds));
  }
  return Duration{static_cast<int32_t>(months), static_cast<int32_t>(days), nanoseconds};
}

Result<Duration> ParseDuration(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view source = negative ? text.substr(1) : text;
  if (!source.starts_with('P')) return ParseStandard(source, negative);
  if (source.find('-') != std::string_view::npos && !source.ends_with('W'))
    return ParseIsoAlternative(source, negative);
  return ParseIso(source, negative);
}

std::string DurationText(const Duration& duration) {
  std::string text;
  if (duration.months < 0 || duration.days < 0 || duration.nanoseconds < 0) text += '-';
  uint64_t months = Magnitude(duration.months);
  uint64_t days = Magnitude(duration.days);
  uint64_t nanoseconds = Magnitude(duration.nanoseconds);
  AppendPart(text, months, 12, "y");
  AppendPart(text, months, 1, "mo");
  AppendPart(text, days, 1, "d");
  for (size_t unit = kHours; unit < kUnits.size(); ++unit) {
    AppendPart(text, nanoseconds, static_cast<uint64_t>(kUnits[unit].nanoseconds),
               kUnits[unit].symbol);
  }
  return text.empty() ? "0ns" : text;
}

Result<int64_t> AddDuration(int64_t unix_ms, const Duration& duration) {
  return Move(unix_ms, duration.months, duration.days, duration.nanoseconds / kNanosPerMilli);
}

Result<int64_t> SubtractDuration(int64_t unix_ms, const Duration& duration) {
  return Move(unix_ms, -int64_t{duration.months}, -int64_t{duration.days},
              -(duration.nanoseconds / kNanosPerMilli));
}

}  // namespace orrery::cassandra
