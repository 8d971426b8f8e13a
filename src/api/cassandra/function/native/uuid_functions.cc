#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"

namespace orrery::cassandra {

void AddUuidFunctions(FunctionLibrary& library) {
  constexpr FunctionTraits kImpure{.pure = false};
  library.Add(std::make_shared<NativeScalar>(
      NativeName("uuid"), TypeList{}, Type::Native(TypeKind::kUuid),
      [](FunctionContext& context, FunctionArguments) -> FunctionResult {
        return context.uuids.NextRandomUuid();
      },
      kImpure));
  for (const char* name : {"now", "currenttimeuuid", "current_timeuuid"}) {
    library.Add(std::make_shared<NativeScalar>(
        NativeName(name), TypeList{}, Type::Native(TypeKind::kTimeuuid),
        [](FunctionContext& context, FunctionArguments) -> FunctionResult {
          return context.uuids.NextTimeUuid();
        },
        kImpure));
  }
}

}  // namespace orrery::cassandra
