#include "api/cassandra/parser/ast/access.h"

namespace orrery::cassandra::ast {

std::string_view PermissionName(Permission permission) {
  constexpr std::string_view kNames[] = {"CREATE", "ALTER",     "DROP",     "SELECT",
                                         "MODIFY", "AUTHORIZE", "DESCRIBE", "EXECUTE"};
  return kNames[static_cast<size_t>(permission)];
}

}  // namespace orrery::cassandra::ast
