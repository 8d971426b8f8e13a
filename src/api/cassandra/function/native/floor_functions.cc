#include <fmt/format.h>

#include "api/cassandra/function/native/floor.h"
#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/function/native/temporal.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/duration.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

constexpr FunctionTraits kMonotonic{.monotonic = true};

// A moment cannot be rounded to less than its type can tell apart.
Status CheckPrecision(TypeKind kind, const Duration& duration) {
  if (kind == TypeKind::kDate && duration.nanoseconds != 0)
    return Fail(Code::kInvalidArgument,
                fmt::format("The floor on date values cannot be computed for the {} duration as "
                            "precision is below 1 day",
                            DurationText(duration)));
  if (kind != TypeKind::kDate && duration.nanoseconds % 1'000'000 != 0)
    return Fail(Code::kInvalidArgument,
                fmt::format("The floor cannot be computed for the {} duration as precision is "
                            "below 1 millisecond",
                            DurationText(duration)));
  return {};
}

// `from` rounded as a `to`; the start, if there is one, is of `to`.
FunctionResult Floor(TypeKind from, TypeKind to, FunctionArguments arguments) {
  if (HasNothing(arguments)) return std::nullopt;
  ORRERY_ASSIGN(const Duration duration, DecodeDuration(*arguments[1]));
  ORRERY_TRY(CheckPrecision(from, duration));
  const int64_t start_ms = arguments.size() == 3 ? MillisOf(to, *arguments[2]) : 0;
  ORRERY_ASSIGN(const int64_t floor,
                FloorMillis(MillisOf(from, *arguments[0]), duration, start_ms));
  return ValueOfMillis(to, floor);
}

FunctionResult FloorTime(FunctionContext&, FunctionArguments arguments) {
  if (HasNothing(arguments)) return std::nullopt;
  ORRERY_ASSIGN(const Duration duration, DecodeDuration(*arguments[1]));
  ORRERY_ASSIGN(const int64_t floor,
                FloorTimeOfDay(DecodeInteger<int64_t>(*arguments[0]), duration));
  return EncodeInteger(floor);
}

void AddFloor(FunctionLibrary& library, TypeKind from, TypeKind to) {
  TypeList types{Type::Native(from), Type::Native(TypeKind::kDuration)};
  const auto body = [from, to](FunctionContext&, FunctionArguments arguments) {
    return Floor(from, to, arguments);
  };
  library.Add(std::make_shared<NativeScalar>(NativeName("floor"), types, Type::Native(to), body,
                                             kMonotonic));
  types.push_back(Type::Native(to));
  library.Add(std::make_shared<NativeScalar>(NativeName("floor"), types, Type::Native(to), body,
                                             kMonotonic));
}

}  // namespace

void AddFloorFunctions(FunctionLibrary& library) {
  using enum TypeKind;
  AddFloor(library, kTimestamp, kTimestamp);
  AddFloor(library, kTimeuuid, kTimestamp);
  AddFloor(library, kDate, kDate);
  library.Add(std::make_shared<NativeScalar>(NativeName("floor"),
                                             TypeList{Type::Native(kTime), Type::Native(kDuration)},
                                             Type::Native(kTime), FloorTime, kMonotonic));
}

}  // namespace orrery::cassandra
