#include "api/cassandra/executor/access_policy.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace orrery::cassandra {

Resource Resource::Keyspace(std::string_view keyspace) {
  return {fmt::format("data/{}", keyspace)};
}

Resource Resource::Table(std::string_view keyspace, std::string_view table) {
  return {fmt::format("data/{}/{}", keyspace, table)};
}

Resource Resource::Functions(std::string_view keyspace) {
  return {fmt::format("functions/{}", keyspace)};
}

Resource Resource::Function(std::string_view keyspace, std::string_view function,
                            const std::vector<std::string>& argument_types) {
  return {fmt::format("functions/{}/{}[{}]", keyspace, function, fmt::join(argument_types, "^"))};
}

Resource Resource::Role(std::string_view role) { return {fmt::format("roles/{}", role)}; }

}  // namespace orrery::cassandra
