#include <initializer_list>

#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/function/native/temporal.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {
namespace {

using Names = std::initializer_list<const char*>;

FunctionResult CurrentTimestamp(FunctionContext& context, FunctionArguments) {
  return EncodeInteger(context.now_ms());
}

FunctionResult CurrentDate(FunctionContext& context, FunctionArguments) {
  return ValueOfMillis(TypeKind::kDate, context.now_ms());
}

FunctionResult CurrentTime(FunctionContext& context, FunctionArguments) {
  const auto day = std::chrono::floor<std::chrono::days>(context.now);
  return EncodeInteger(int64_t{std::chrono::nanoseconds(context.now - day).count()});
}

void AddCurrent(FunctionLibrary& library, Names names, TypeKind kind, NativeScalar::Body body) {
  for (const char* name : names)
    library.Add(std::make_shared<NativeScalar>(NativeName(name), TypeList{}, Type::Native(kind),
                                               body, FunctionTraits{.pure = false}));
}

// The first or last timeuuid of a moment.
void AddBound(FunctionLibrary& library, Names names, std::string (*bound)(int64_t unix_ms)) {
  for (const char* name : names)
    library.Add(std::make_shared<NativeScalar>(
        NativeName(name), TypeList{Type::Native(TypeKind::kTimestamp)},
        Type::Native(TypeKind::kTimeuuid),
        [bound](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
          if (HasNothing(arguments)) return std::nullopt;
          return bound(DecodeInteger<int64_t>(*arguments[0]));
        }));
}

void AddConversion(FunctionLibrary& library, Names names, TypeKind from, TypeKind to) {
  for (const char* name : names)
    library.Add(std::make_shared<NativeScalar>(
        NativeName(name), TypeList{Type::Native(from)}, Type::Native(to),
        [from, to](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
          if (HasNothing(arguments)) return std::nullopt;
          return ValueOfMillis(to, MillisOf(from, *arguments[0]));
        },
        FunctionTraits{.monotonic = true}));
}

}  // namespace

void AddTimeFunctions(FunctionLibrary& library) {
  using enum TypeKind;
  AddCurrent(library, {"currenttimestamp", "current_timestamp"}, kTimestamp, CurrentTimestamp);
  AddCurrent(library, {"currentdate", "current_date"}, kDate, CurrentDate);
  AddCurrent(library, {"currenttime", "current_time"}, kTime, CurrentTime);

  AddBound(library, {"mintimeuuid", "min_timeuuid"}, MinTimeUuid);
  AddBound(library, {"maxtimeuuid", "max_timeuuid"}, MaxTimeUuid);

  AddConversion(library, {"dateof"}, kTimeuuid, kTimestamp);
  AddConversion(library, {"unixtimestampof"}, kTimeuuid, kBigint);
  for (const TypeKind from : {kTimeuuid, kTimestamp})
    AddConversion(library, {"todate", "to_date"}, from, kDate);
  for (const TypeKind from : {kTimeuuid, kDate})
    AddConversion(library, {"totimestamp", "to_timestamp"}, from, kTimestamp);
  for (const TypeKind from : {kTimeuuid, kTimestamp, kDate})
    AddConversion(library, {"tounixtimestamp", "to_unix_timestamp"}, from, kBigint);
}

}  // namespace orrery::cassandra
