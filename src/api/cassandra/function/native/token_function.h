// token(), the one function whose arguments depend on the table: its partition key columns.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "api/cassandra/function/function.h"

namespace orrery::cassandra {

// A key's position on the ring that clients see, out of the values of its columns.
using TokenOfKey = std::function<Result<int64_t>(std::span<const std::string_view> components)>;

class TokenFunction final : public ScalarFunction {
 public:
  TokenFunction(TypeList partition_key_types, TokenOfKey token_of_key);

  // A bigint; null when one of the columns is.
  FunctionResult Call(FunctionContext& context, FunctionArguments arguments) const override;

 private:
  const TokenOfKey token_of_key_;
};

}  // namespace orrery::cassandra
