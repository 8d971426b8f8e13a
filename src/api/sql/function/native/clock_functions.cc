// Functions of the current time: at each call, or at the start of the query for those named STATIC.
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/date_value.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/time/date_part.h"
#include "model/time/date_time.h"

namespace orrery::sql {
namespace {

enum class Moment : uint8_t { kCall, kQueryStart };

model::Ticks TicksAt(Moment moment, const CallContext& context) {
  const Micros time = moment == Moment::kCall ? context.clock.Now() : context.query_start;
  return time.count() * model::kTicksPerMicrosecond;
}

template <Moment moment>
Result<Value> CurrentDateTime(Arguments, const CallContext& context) {
  return DateTimeValue(TicksAt(moment, context));
}

// Since 1970, in units of so many ticks.
template <Moment moment, model::Ticks unit>
Result<Value> Current(Arguments, const CallContext& context) {
  return FromInteger(TicksAt(moment, context) / unit);
}

// Now and so much more, or less when `sign` is -1.
template <int sign>
Result<Value> FromNow(Arguments arguments, const CallContext& context) {
  const model::Ticks now = TicksAt(Moment::kCall, context);
  if (arguments.empty()) return DateTimeValue(now);
  // One argument says of what, but not how much.
  if (arguments.size() != 2) return Value::Undefined();
  const std::string* name = TextOf(arguments[0]);
  const auto part = name == nullptr ? std::nullopt : ParseDatePart(*name);
  const auto count = IntegerOf(arguments[1]);
  int64_t signed_count = 0;
  if (!part || !count || __builtin_mul_overflow(*count, int64_t{sign}, &signed_count))
    return Value::Undefined();
  return DateTimeValue(AddDatePart(now, *part, signed_count));
}

constexpr auto kVolatile = Function::Purity::kVolatile;

// The STATIC ones are volatile too: a plan may outlive the query that it was made for.
constexpr Function kClockFunctions[] = {
    {"AGO", 2, 2, FromNow<-1>, kVolatile},
    {"GETCURRENTDATETIME", 0, 0, CurrentDateTime<Moment::kCall>, kVolatile},
    {"GETCURRENTDATETIMESTATIC", 0, 0, CurrentDateTime<Moment::kQueryStart>, kVolatile},
    {"GETCURRENTTICKS", 0, 0, Current<Moment::kCall, 1>, kVolatile},
    {"GETCURRENTTICKSSTATIC", 0, 0, Current<Moment::kQueryStart, 1>, kVolatile},
    {"GETCURRENTTIMESTAMP", 0, 0, Current<Moment::kCall, model::kTicksPerMillisecond>, kVolatile},
    {"GETCURRENTTIMESTAMPSTATIC", 0, 0, Current<Moment::kQueryStart, model::kTicksPerMillisecond>,
     kVolatile},
    {"NOW", 0, 2, FromNow<1>, kVolatile},
};

}  // namespace

std::span<const Function> ClockFunctions() { return kClockFunctions; }

}  // namespace orrery::sql
