#include "api/cassandra/parser/ast/restriction.h"

namespace orrery::cassandra::ast {

std::string_view OperatorText(RelationOperator op) {
  constexpr std::string_view kTexts[] = {
      "=", "!=", "<", "<=", ">", ">=", "IN", "CONTAINS", "CONTAINS KEY", "LIKE", "IS NOT NULL"};
  return kTexts[static_cast<size_t>(op)];
}

}  // namespace orrery::cassandra::ast
