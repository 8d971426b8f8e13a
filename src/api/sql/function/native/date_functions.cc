// Functions of given points in time. Times travel as strings (time/date_time.h).
#include "api/sql/function/limits.h"
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/date_value.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/time/date_format.h"
#include "api/sql/function/time/date_part.h"
#include "model/time/date_time.h"

namespace orrery::sql {
namespace {

std::optional<model::Ticks> DateTimeOf(const Value& value) {
  const std::string* text = TextOf(value);
  return text == nullptr ? std::nullopt : model::ParseTicks(*text);
}

std::optional<DatePart> PartOf(const Value& value) {
  const std::string* text = TextOf(value);
  return text == nullptr ? std::nullopt : ParseDatePart(*text);
}

Result<Value> DateTimeAdd(Arguments arguments, const CallContext&) {
  const auto part = PartOf(arguments[0]);
  const auto count = IntegerOf(arguments[1]);
  const auto ticks = DateTimeOf(arguments[2]);
  if (!part || !count || !ticks) return Value::Undefined();
  return DateTimeValue(AddDatePart(*ticks, *part, *count));
}

Result<Value> DateTimeBin(Arguments arguments, const CallContext&) {
  const auto ticks = DateTimeOf(arguments[0]);
  const auto part = PartOf(arguments[1]);
  const auto size = arguments.size() > 2 ? IntegerOf(arguments[2]) : 1;
  const auto origin = arguments.size() > 3 ? DateTimeOf(arguments[3]) : model::Ticks{0};
  if (!ticks || !part || !size || *size <= 0 || !origin || *origin < model::kWindowsEpochTicks)
    return Value::Undefined();
  return DateTimeValue(BinDatePart(*ticks, *part, *size, *origin));
}

Result<Value> DateTimeDiff(Arguments arguments, const CallContext&) {
  const auto part = PartOf(arguments[0]);
  const auto start = DateTimeOf(arguments[1]);
  const auto end = DateTimeOf(arguments[2]);
  if (!part || !start || !end) return Value::Undefined();
  return model::NumberFromDouble(CountBoundaries(*part, *start, *end));
}

Result<Value> DateTimeFormat(Arguments arguments, const CallContext&) {
  const auto ticks = DateTimeOf(arguments[0]);
  const std::string* format = TextOf(arguments[1]);
  if (!ticks || format == nullptr) return Value::Undefined();
  auto text = FormatDateTimeAs(*ticks, *format);
  if (!text) return Value::Undefined();
  ORRERY_TRY(CheckResultBytes(text->size()));
  return Value::String(*std::move(text));
}

Result<Value> DateTimeFromParts(Arguments arguments, const CallContext&) {
  model::DateTimeParts parts;
  int64_t* const fields[] = {&parts.year,   &parts.month,  &parts.day,     &parts.hour,
                             &parts.minute, &parts.second, &parts.fraction};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto number = IntegerOf(arguments[i]);
    if (!number) return Value::Undefined();
    *fields[i] = *number;
  }
  return DateTimeValue(model::JoinDateTime(parts));
}

Result<Value> DateTimePart(Arguments arguments, const CallContext&) {
  const auto part = PartOf(arguments[0]);
  const auto ticks = DateTimeOf(arguments[1]);
  if (!part || !ticks) return Value::Undefined();
  return FromInteger(ReadDatePart(*part, *ticks));
}

template <DatePart part>
Result<Value> PartOfDate(Arguments arguments, const CallContext&) {
  const auto ticks = DateTimeOf(arguments[0]);
  return ticks ? FromInteger(ReadDatePart(part, *ticks)) : Value::Undefined();
}

// Since 1970, in units of so many ticks; what is less than a unit is dropped.
template <model::Ticks unit>
Result<Value> FromDateTime(Arguments arguments, const CallContext&) {
  const auto ticks = DateTimeOf(arguments[0]);
  if (!ticks) return Value::Undefined();
  return FromInteger(*ticks / unit - (*ticks % unit < 0 ? 1 : 0));
}

template <model::Ticks unit>
Result<Value> ToDateTime(Arguments arguments, const CallContext&) {
  const auto number = IntegerOf(arguments[0]);
  model::Ticks ticks = 0;
  if (!number || __builtin_mul_overflow(*number, unit, &ticks)) return Value::Undefined();
  return DateTimeValue(ticks);
}

constexpr Function kDateFunctions[] = {
    {"DATETIMEADD", 3, 3, DateTimeAdd},
    {"DATETIMEBIN", 2, 4, DateTimeBin},
    {"DATETIMEDIFF", 3, 3, DateTimeDiff},
    {"DATETIMEFORMAT", 2, 2, DateTimeFormat},
    {"DATETIMEFROMPARTS", 3, 7, DateTimeFromParts},
    {"DATETIMEPART", 2, 2, DateTimePart},
    {"DATETIMETOTICKS", 1, 1, FromDateTime<1>},
    {"DATETIMETOTIMESTAMP", 1, 1, FromDateTime<model::kTicksPerMillisecond>},
    {"DAY", 1, 1, PartOfDate<DatePart::kDay>},
    {"MONTH", 1, 1, PartOfDate<DatePart::kMonth>},
    {"TICKSTODATETIME", 1, 1, ToDateTime<1>},
    {"TIMESTAMPTODATETIME", 1, 1, ToDateTime<model::kTicksPerMillisecond>},
    {"YEAR", 1, 1, PartOfDate<DatePart::kYear>},
};

}  // namespace

std::span<const Function> DateFunctions() { return kDateFunctions; }

}  // namespace orrery::sql
