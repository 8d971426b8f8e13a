// The operators on dates.
#include <fmt/core.h>

#include <cctype>
#include <cmath>

#include "api/mongo/language/expression/date_text.h"
#include "api/mongo/language/expression/date_time.h"
#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/nodes.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Kind;
using model::TimeZone;
using model::Value;

// Dates, timestamps and ObjectIds have a time.
Answer<int64_t> TimeOf(const Value& value) {
  switch (value.kind()) {
    case Kind::kDateTime:
      return value.AsDateTime();
    case Kind::kTimestamp:
      return int64_t{value.AsTimestamp().seconds} * 1000;
    case Kind::kObjectId: {
      const model::ObjectIdBytes& id = value.AsObjectId();
      return int64_t{uint32_t{id[0]} << 24 | uint32_t{id[1]} << 16 | uint32_t{id[2]} << 8 | id[3]} *
             1000;
    }
    default:
      return Refuse(16006, fmt::format("can't convert from BSON type {} to Date",
                                       BsonTypeName(value.kind())));
  }
}

// Returns nullopt for a zone that is null.
Answer<std::optional<TimeZone>> ZoneOf(const Call& call, size_t index) {
  if (!call.is_given(index)) return TimeZone::Utc();
  if (IsNullish(call[index])) return std::nullopt;
  if (call[index].kind() != Kind::kString) {
    const bool is_told = call.name == "$dateTrunc" || call.name == "$dateDiff";
    return Refuse(40517, fmt::format("{}{}timezone must evaluate to a string, found {}",
                                     is_told ? call.name : "",
                                     is_told ? " parameter 'timezone' value parsing failed :: "
                                               "caused by :: "
                                             : "",
                                     BsonTypeName(call[index].kind())));
  }
  MONGO_ASSIGN(TimeZone zone, ParseTimeZone(call[index].AsString()));
  return zone;
}

Value PartOf(std::string_view name, int64_t local) {
  const DateParts parts = PartsOf(local);
  const auto number = [](int64_t value) { return Value::Int32(static_cast<int32_t>(value)); };
  if (name == "$year") return number(parts.year);
  if (name == "$month") return number(parts.month);
  if (name == "$dayOfMonth") return number(parts.day);
  if (name == "$hour") return number(parts.hour);
  if (name == "$minute") return number(parts.minute);
  if (name == "$second") return number(parts.second);
  if (name == "$millisecond") return number(parts.millisecond);
  if (name == "$dayOfYear") return number(DayOfYear(local));
  if (name == "$dayOfWeek") return number(DayOfWeek(local));
  if (name == "$isoDayOfWeek") return number(IsoDayOfWeek(local));
  if (name == "$week") return number(WeekOfYear(local));
  if (name == "$isoWeek") return number(IsoWeek(local));
  return Value::Int64(IsoWeekYear(local));
}

Answer<Value> DatePart(const Call& call) {
  if (!IsNullish(call[1]) && call[1].kind() != Kind::kString) {
    return Refuse(40533, fmt::format("{} requires a string for the timezone argument, but was "
                                     "given a {} ({})",
                                     call.name, BsonTypeName(call[1].kind()), PrintBson(call[1])));
  }
  MONGO_ASSIGN(const std::optional<TimeZone> zone, ZoneOf(call, 1));
  if (IsNullish(call[0]) || !zone.has_value()) return Value::Null();
  MONGO_ASSIGN(const int64_t time, TimeOf(call[0]));
  return PartOf(call.name, time + zone->OffsetAt(time));
}

// {$year: date} or {$year: {date: date, timezone: zone}}.
Answer<ExpressionPtr> ParseDatePart(ExpressionParser& parser, const std::string& name,
                                    const Value& argument) {
  std::vector<ExpressionPtr> arguments(2);
  uint32_t given = 1;
  const bool is_named = argument.kind() == Kind::kObject && !argument.AsFields().empty() &&
                        !argument.AsFields().front().name.starts_with('$');
  if (is_named) {
    for (const Field& field : argument.AsFields()) {
      if (field.name != "date" && field.name != "timezone") {
        return Refuse(40535, fmt::format("unrecognized option to {}: \"{}\"", name, field.name));
      }
      const size_t index = field.name == "date" ? 0 : 1;
      given |= 1U << index;
      MONGO_ASSIGN(arguments[index], parser.Parse(field.value));
    }
    if (arguments[0] == nullptr) {
      return Refuse(40539, fmt::format("missing 'date' argument to {}, provided: {}", name, ""));
    }
  } else {
    if (argument.kind() == Kind::kArray && argument.AsValues().size() != 1) {
      return Refuse(40536, fmt::format("{} accepts exactly one argument if given an array, but was "
                                       "given {}",
                                       name, argument.AsValues().size()));
    }
    MONGO_ASSIGN(
        arguments[0],
        parser.Parse(argument.kind() == Kind::kArray ? argument.AsValues().front() : argument));
  }
  const SpecialOperator* row = FindSpecialOperator(name);
  auto call = std::make_shared<CallExpression>(row->name, DatePart, arguments, given);
  return Folded(std::move(call), arguments, parser.context());
}

constexpr SpecialOperator kDateOperators[] = {
    {"$year", ParseDatePart},         {"$month", ParseDatePart},     {"$dayOfMonth", ParseDatePart},
    {"$hour", ParseDatePart},         {"$minute", ParseDatePart},    {"$second", ParseDatePart},
    {"$millisecond", ParseDatePart},  {"$dayOfYear", ParseDatePart}, {"$dayOfWeek", ParseDatePart},
    {"$isoDayOfWeek", ParseDatePart}, {"$week", ParseDatePart},      {"$isoWeek", ParseDatePart},
    {"$isoWeekYear", ParseDatePart},
};

Answer<Value> DateToString(const Call& call) {
  const Value on_null = call.is_given(3) ? call[3] : Value::Null();
  if (call.is_given(1) && !IsNullish(call[1]) && call[1].kind() != Kind::kString) {
    return Refuse(18533, fmt::format("$dateToString requires that 'format' be a string, found: {}",
                                     BsonTypeName(call[1].kind())));
  }
  MONGO_ASSIGN(const std::optional<TimeZone> zone, ZoneOf(call, 2));
  if (IsNullish(call[0])) return on_null;
  if (!zone.has_value() || (call.is_given(1) && IsNullish(call[1]))) return Value::Null();
  MONGO_ASSIGN(const int64_t time, TimeOf(call[0]));
  const std::string_view format =
      call.is_given(1) ? std::string_view(call[1].AsString()) : "%Y-%m-%dT%H:%M:%S.%LZ";
  MONGO_ASSIGN(std::string text, FormatDate(time, *zone, format));
  return Value::String(std::move(text));
}

Answer<Value> DateFromString(const Call& call) {
  const auto failed = [&](std::string message) -> Answer<Value> {
    if (call.is_given(3)) return call[3];
    return Refuse(ErrorCode::kConversionFailure, std::move(message));
  };
  MONGO_ASSIGN(const std::optional<TimeZone> zone, ZoneOf(call, 2));
  if (IsNullish(call[0])) return call.is_given(4) ? call[4] : Value::Null();
  if (call[0].kind() != Kind::kString) {
    return failed(fmt::format("$dateFromString requires that 'dateString' be a string, found: {}",
                              BsonTypeName(call[0].kind())));
  }
  if (!zone.has_value() || (call.is_given(1) && IsNullish(call[1]))) return Value::Null();
  const std::string& text = call[0].AsString();
  std::optional<std::string_view> format;
  if (call.is_given(1) && call[1].kind() == Kind::kString) format = call[1].AsString();
  const bool is_offset =
      call.is_given(2) && call[2].kind() == Kind::kString &&
      (call[2].AsString().starts_with('+') || call[2].AsString().starts_with('-'));
  Answer<int64_t> time =
      DateOfText(text, format, call.is_given(2) ? zone : std::optional<TimeZone>(), is_offset);
  if (time.has_value()) return Value::DateTime(*time);
  if (time.error().code != static_cast<int32_t>(ErrorCode::kConversionFailure))
    return std::unexpected(std::move(time).error());
  return failed(std::move(time).error().message);
}

Answer<Value> DateToParts(const Call& call) {
  MONGO_ASSIGN(const std::optional<TimeZone> zone, ZoneOf(call, 1));
  if (IsNullish(call[0]) || !zone.has_value()) return Value::Null();
  MONGO_ASSIGN(const int64_t time, TimeOf(call[0]));
  const int64_t local = time + zone->OffsetAt(time);
  const bool is_iso = call.is_given(2) && IsTrue(call[2]);
  model::Fields fields;
  const auto add = [&](const char* name, const char* part) {
    Value value = PartOf(part, local);
    fields.push_back({name, Value::Int32(static_cast<int32_t>(value.AsInteger()))});
  };
  if (is_iso) {
    add("isoWeekYear", "$isoWeekYear");
    add("isoWeek", "$isoWeek");
    add("isoDayOfWeek", "$isoDayOfWeek");
  } else {
    add("year", "$year");
    add("month", "$month");
    add("day", "$dayOfMonth");
  }
  add("hour", "$hour");
  add("minute", "$minute");
  add("second", "$second");
  add("millisecond", "$millisecond");
  return Value::Object(std::move(fields));
}

Answer<Value> DateFromParts(const Call& call) {
  // year, month, day, hour, minute, second, millisecond, timezone, isoWeekYear, isoWeek,
  // isoDayOfWeek
  int64_t numbers[11] = {1970, 1, 1, 0, 0, 0, 0, 0, 1970, 1, 1};
  const bool has_iso = call.is_given(8) || call.is_given(9) || call.is_given(10);
  if (has_iso && (call.is_given(0) || call.is_given(1) || call.is_given(2))) {
    return Refuse(call.is_given(8) ? 40525 : 40489,
                  "$dateFromParts does not allow mixing natural dates with ISO dates");
  }
  for (size_t i = 0; i < 11; ++i) {
    if (i == 7 || !call.is_given(i)) continue;
    if (IsNullish(call[i])) return Value::Null();
    const std::optional<int64_t> number =
        call[i].is_number() ? ExactInt64(call[i]) : std::optional<int64_t>();
    if (!number.has_value()) {
      return Refuse(40515, fmt::format("'{}' must evaluate to an integer, found {}", "year",
                                       BsonTypeName(call[i].kind())));
    }
    if (std::abs(*number) > 32'767 && i != 5 && i != 6) {
      return Refuse(31034,
                    fmt::format("'{}' must evaluate to a value in the range [-32768, 32767]; "
                                "value {} is not in range",
                                "month", *number));
    }
    numbers[i] = *number;
  }
  MONGO_ASSIGN(const std::optional<TimeZone> zone, ZoneOf(call, 7));
  if (!zone.has_value()) return Value::Null();
  int64_t local = 0;
  if (call.is_given(8)) {
    if (numbers[8] < 1 || numbers[8] > 9999) {
      return Refuse(31095,
                    fmt::format("'isoWeekYear' must evaluate to an integer in the range 1 to "
                                "9999, found {}",
                                numbers[8]));
    }
    const int64_t fourth = MillisecondsOf({.year = numbers[8], .month = 1, .day = 4});
    const int64_t monday = fourth - (IsoDayOfWeek(fourth) - 1) * kDayMs;
    local = monday + ((numbers[9] - 1) * 7 + numbers[10] - 1) * kDayMs + numbers[3] * 3'600'000 +
            numbers[4] * 60'000 + numbers[5] * 1000 + numbers[6];
  } else {
    if (!call.is_given(0))
      return Refuse(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
    if (numbers[0] < 1 || numbers[0] > 9999) {
      return Refuse(40523, fmt::format("'year' must evaluate to an integer in the range 1 to 9999, "
                                       "found {}",
                                       numbers[0]));
    }
    local = MillisecondsOf(
        {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]});
  }
  return Value::DateTime(zone->ToUtc(local));
}

Answer<std::string> UnitOf(const Call& call, const Value& value) {
  if (value.kind() != Kind::kString) {
    return Refuse(5439013, fmt::format("{} requires 'unit' to be a string, but got {}", call.name,
                                       BsonTypeName(value.kind())));
  }
  if (UnitMs(value.AsString()) == 0 && UnitMonths(value.AsString()) == 0) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("{} parameter 'unit' value cannot be recognized as a time unit: {}",
                              call.name, value.AsString()));
  }
  return value.AsString();
}

Answer<Value> DateAdd(const Call& call) {
  MONGO_ASSIGN(const std::optional<TimeZone> zone, ZoneOf(call, 3));
  for (size_t i = 0; i < 3; ++i) {
    if (IsNullish(call[i])) return Value::Null();
  }
  if (!zone.has_value()) return Value::Null();
  MONGO_ASSIGN(const std::string unit, UnitOf(call, call[1]));
  const std::optional<int64_t> amount =
      call[2].is_number() ? ExactInt64(call[2]) : std::optional<int64_t>();
  if (!amount.has_value()) {
    return Refuse(5166405, fmt::format("{} expects integer amount of time units", call.name));
  }
  Answer<int64_t> start = TimeOf(call[0]);
  if (!start.has_value()) {
    return Refuse(5166403,
                  fmt::format("{} requires startDate to be convertible to a date", call.name));
  }
  const std::optional<int64_t> moved =
      MoveDate(*start, unit, call.name == "$dateSubtract" ? -*amount : *amount, *zone);
  if (!moved.has_value()) return Refuse(5166406, fmt::format("{} overflowed", call.name));
  return Value::DateTime(*moved);
}

// Sunday 0 .. Saturday 6, by name or its beginning.
Answer<int64_t> StartOfWeek(const Call& call, size_t index) {
  if (!call.is_given(index) || IsNullish(call[index])) return 0;
  static constexpr std::string_view kDays[] = {"sunday",   "monday", "tuesday", "wednesday",
                                               "thursday", "friday", "saturday"};
  if (call[index].kind() == Kind::kString) {
    std::string name = call[index].AsString();
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (size_t i = 0; i < 7; ++i) {
      if (name == kDays[i] || name == kDays[i].substr(0, 3)) return static_cast<int64_t>(i);
    }
  }
  return Refuse(
      ErrorCode::kFailedToParse,
      fmt::format("{} parameter 'startOfWeek' value cannot be recognized as a day of a week",
                  call.name));
}

int64_t WeekNumber(int64_t local, int64_t start) {
  return FloorDiv(FloorDiv(local, kDayMs) + 4 - start, 7);  // 1970-01-01 was a Thursday
}

Answer<Value> DateDiff(const Call& call) {
  for (size_t i = 0; i < 3; ++i) {
    if (IsNullish(call[i])) return Value::Null();
  }
  MONGO_ASSIGN(const std::optional<TimeZone> zone, ZoneOf(call, 3));
  if (!zone.has_value()) return Value::Null();
  int64_t times[2];
  for (size_t i = 0; i < 2; ++i) {
    Answer<int64_t> time = TimeOf(call[i]);
    if (!time.has_value()) {
      return Refuse(5166307,
                    fmt::format("$dateDiff requires '{}' to be a date, but got {}",
                                i == 0 ? "startDate" : "endDate", BsonTypeName(call[i].kind())));
    }
    times[i] = *time;
  }
  MONGO_ASSIGN(const std::string unit, UnitOf(call, call[2]));
  MONGO_ASSIGN(const int64_t start, StartOfWeek(call, 4));
  const auto local = [&](int64_t time) { return time + zone->OffsetAt(time); };
  const int64_t from = local(times[0]);
  const int64_t to = local(times[1]);
  if (unit == "week") return Value::Int64(WeekNumber(to, start) - WeekNumber(from, start));
  if (const int64_t months = UnitMonths(unit)) {
    const auto number = [&](int64_t time) {
      const DateParts parts = PartsOf(time);
      return FloorDiv(parts.year * 12 + parts.month - 1, months);
    };
    return Value::Int64(number(to) - number(from));
  }
  const int64_t ms = UnitMs(unit);
  if (ms < kDayMs) return Value::Int64(FloorDiv(times[1], ms) - FloorDiv(times[0], ms));
  return Value::Int64(FloorDiv(to, ms) - FloorDiv(from, ms));
}

Answer<Value> DateTrunc(const Call& call) {
  for (size_t i = 0; i < 2; ++i) {
    if (IsNullish(call[i])) return Value::Null();
  }
  MONGO_ASSIGN(const std::optional<TimeZone> zone, ZoneOf(call, 3));
  if (!zone.has_value()) return Value::Null();
  Answer<int64_t> time = TimeOf(call[0]);
  if (!time.has_value()) {
    return Refuse(5439012, fmt::format("$dateTrunc requires 'date' to be a date, but got {}",
                                       BsonTypeName(call[0].kind())));
  }
  MONGO_ASSIGN(const std::string unit, UnitOf(call, call[1]));
  MONGO_ASSIGN(const int64_t start, StartOfWeek(call, 4));
  int64_t size = 1;
  if (call.is_given(2)) {
    if (IsNullish(call[2])) return Value::Null();
    const std::optional<int64_t> number =
        call[2].is_number() ? ExactInt64(call[2]) : std::optional<int64_t>();
    if (!number.has_value()) {
      return Refuse(5439017, "$dateTrunc requires 'binSize' to be a 64-bit integer");
    }
    if (*number <= 0) return Refuse(5439018, "$dateTrunc requires 'binSize' to be greater than 0");
    size = *number;
  }
  const int64_t local = *time + zone->OffsetAt(*time);
  // Bins are counted from 2000-01-01.
  constexpr int64_t kReference = 946'684'800'000;
  if (const int64_t months = UnitMonths(unit)) {
    const DateParts parts = PartsOf(local);
    const int64_t number = (parts.year - 2000) * 12 + parts.month - 1;
    const int64_t first = FloorDiv(number, months * size) * months * size;
    return Value::DateTime(
        zone->ToUtc(MillisecondsOf({.year = 2000, .month = first + 1, .day = 1})));
  }
  if (unit == "week") {
    const int64_t reference_day = kReference + ((7 + start - 6) % 7) * kDayMs;  // a Saturday
    const int64_t ms = 7 * kDayMs * size;
    return Value::DateTime(zone->ToUtc(reference_day + FloorDiv(local - reference_day, ms) * ms));
  }
  const int64_t ms = UnitMs(unit) * size;
  if (UnitMs(unit) < kDayMs) {
    const int64_t reference = zone->ToUtc(kReference);
    return Value::DateTime(reference + FloorDiv(*time - reference, ms) * ms);
  }
  return Value::DateTime(zone->ToUtc(kReference + FloorDiv(local - kReference, ms) * ms));
}

constexpr NamedArgument kToStringArguments[] = {
    {"date", true}, {"format"}, {"timezone"}, {"onNull"}};
constexpr NamedArgument kFromStringArguments[] = {
    {"dateString", true}, {"format"}, {"timezone"}, {"onError"}, {"onNull"}};
constexpr NamedArgument kToPartsArguments[] = {{"date", true}, {"timezone"}, {"iso8601"}};
constexpr NamedArgument kFromPartsArguments[] = {
    {"year"},        {"month"},    {"day"},         {"hour"},    {"minute"},      {"second"},
    {"millisecond"}, {"timezone"}, {"isoWeekYear"}, {"isoWeek"}, {"isoDayOfWeek"}};
constexpr NamedArgument kAddArguments[] = {
    {"startDate", true}, {"unit", true}, {"amount", true}, {"timezone"}};
constexpr NamedArgument kDiffArguments[] = {
    {"startDate", true}, {"endDate", true}, {"unit", true}, {"timezone"}, {"startOfWeek"}};
constexpr NamedArgument kTruncArguments[] = {
    {"date", true}, {"unit", true}, {"binSize"}, {"timezone"}, {"startOfWeek"}};

constexpr NamedOperator kNamedDateOperators[] = {
    {"$dateToString", kToStringArguments, DateToString, 18629, 18534, 18628},
    {"$dateFromString", kFromStringArguments, DateFromString, 40540, 40541, 40542},
    {"$dateToParts", kToPartsArguments, DateToParts, 40524, 40520, 40522},
    {"$dateFromParts", kFromPartsArguments, DateFromParts, 40519, 40518, 40516},
    {"$dateAdd", kAddArguments, DateAdd, 5166400, 5166401, 5166402},
    {"$dateSubtract", kAddArguments, DateAdd, 5166400, 5166401, 5166402},
    {"$dateDiff", kDiffArguments, DateDiff, 5166301, 5166302, 5166303},
    {"$dateTrunc", kTruncArguments, DateTrunc, 5439007, 5439008, 5439009},
};

}  // namespace

std::span<const SpecialOperator> DateOperators() { return kDateOperators; }
std::span<const NamedOperator> NamedDateOperators() { return kNamedDateOperators; }

}  // namespace orrery::mongo
