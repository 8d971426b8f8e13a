// typeAsBlob and blobAsType: the same bytes under another type.
#include <fmt/format.h>

#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/types/validate.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

FunctionResult SameBytes(FunctionContext&, FunctionArguments arguments) {
  if (HasNull(arguments)) return std::nullopt;
  return std::string(*arguments[0]);
}

// `shown` is what the type is called here: text is varchar too.
void AddConversions(FunctionLibrary& library, const TypePtr& type, const std::string& shown) {
  const TypePtr& blob = Type::Native(TypeKind::kBlob);
  for (const std::string& name : {shown + "asblob", shown + "_as_blob"})
    library.Add(std::make_shared<NativeScalar>(NativeName(name), TypeList{type}, blob, SameBytes));
  for (const std::string& name : {"blobas" + shown, "blob_as_" + shown})
    library.Add(std::make_shared<NativeScalar>(
        NativeName(name), TypeList{blob}, type,
        [name, type, shown](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
          if (HasNull(arguments)) return std::nullopt;
          const std::string_view value = *arguments[0];
          if (!Validate(*type, value).has_value())
            return Fail(Code::kInvalidArgument,
                        fmt::format("In call to function {}, value 0x{} is not a valid binary "
                                    "representation for type {}",
                                    NativeName(name).Text(), ToHex(value), shown));
          return std::string(value);
        }));
}

}  // namespace

void AddBlobFunctions(FunctionLibrary& library) {
  using enum TypeKind;
  for (const TypeKind kind :
       {kAscii, kBigint, kBoolean, kCounter, kDate, kDecimal, kDouble, kDuration, kFloat, kInet,
        kInt, kSmallint, kText, kTime, kTimestamp, kTimeuuid, kTinyint, kUuid, kVarint}) {
    const TypePtr& type = Type::Native(kind);
    AddConversions(library, type, type->CqlName());
  }
  AddConversions(library, Type::Native(kText), "varchar");
}

}  // namespace orrery::cassandra
