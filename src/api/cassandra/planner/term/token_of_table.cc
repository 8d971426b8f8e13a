#include "api/cassandra/planner/term/token_of_table.h"

#include "api/cassandra/function/native/token_function.h"
#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

Result<int64_t> TokenOfComponents(std::span<const std::string_view> components) {
  if (components.size() == 1) return gateway::TokenOf(components.front());
  ORRERY_ASSIGN(const std::string key, gateway::JoinKeyComponents(components));
  return gateway::TokenOf(key);
}

}  // namespace

FunctionPtr TokenOf(const Table& table) {
  TypeList types;
  for (const Column& column : table.partition_key()) types.push_back(column.type);
  return std::make_shared<TokenFunction>(std::move(types), TokenOfComponents);
}

}  // namespace orrery::cassandra
