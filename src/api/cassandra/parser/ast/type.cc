#include "api/cassandra/parser/ast/type.h"

namespace orrery::cassandra::ast {

std::string_view NativeTypeName(NativeType type) {
  constexpr std::string_view kNames[] = {
      "ascii",  "bigint",    "blob",     "boolean", "counter", "date",     "decimal",
      "double", "duration",  "float",    "inet",    "int",     "smallint", "text",
      "time",   "timestamp", "timeuuid", "tinyint", "uuid",    "varchar",  "varint"};
  return kNames[static_cast<size_t>(type)];
}

}  // namespace orrery::cassandra::ast
