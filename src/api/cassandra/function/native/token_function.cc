#include "api/cassandra/function/native/token_function.h"

#include <utility>

#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {

TokenFunction::TokenFunction(TypeList partition_key_types, TokenOfKey token_of_key)
    : ScalarFunction(NativeName("token"), std::move(partition_key_types),
                     Type::Native(TypeKind::kBigint)),
      token_of_key_(std::move(token_of_key)) {}

FunctionResult TokenFunction::Call(FunctionContext&, FunctionArguments arguments) const {
  if (HasNull(arguments)) return std::nullopt;
  std::vector<std::string_view> components;
  for (const auto& argument : arguments) components.push_back(*argument);
  ORRERY_ASSIGN(const int64_t token, token_of_key_(components));
  return EncodeInteger(token);
}

}  // namespace orrery::cassandra
