#include "api/cassandra/schema/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

constexpr std::array<std::string_view, 7> kSystemKeyspaces = {
    "system",       "system_schema",      "system_traces",        "system_auth",
    "system_views", "system_distributed", "system_virtual_schema"};

std::unexpected<CqlError> NoKeyspaceSaid() {
  return Invalid(
      "No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
}

}  // namespace

KeyspacePtr Schema::FindKeyspace(std::string_view keyspace) const {
  const auto found = keyspaces.find(keyspace);
  return found == keyspaces.end() ? nullptr : found->second;
}

TablePtr Schema::FindTable(std::string_view keyspace, std::string_view table) const {
  const KeyspacePtr owner = FindKeyspace(keyspace);
  return owner == nullptr ? nullptr : owner->FindTable(table);
}

CqlResult<KeyspacePtr> Schema::RequireKeyspace(std::string_view keyspace) const {
  if (keyspace.empty()) return NoKeyspaceSaid();
  if (KeyspacePtr found = FindKeyspace(keyspace)) return found;
  if (const auto broken = damaged.find(keyspace); broken != damaged.end())
    return std::unexpected(ToCqlError(broken->second));
  return Invalid(fmt::format("Keyspace '{}' does not exist", keyspace));
}

CqlResult<TablePtr> Schema::RequireTable(std::string_view keyspace, std::string_view table) const {
  if (keyspace.empty()) return NoKeyspaceSaid();
  if (table.empty()) return Invalid("non-empty table is required");
  const KeyspacePtr owner = FindKeyspace(keyspace);
  if (owner == nullptr) {
    if (const auto broken = damaged.find(keyspace); broken != damaged.end())
      return std::unexpected(ToCqlError(broken->second));
    return Invalid(fmt::format("keyspace {} does not exist", keyspace));
  }
  if (TablePtr found = owner->FindTable(table)) return found;
  if (const auto broken = damaged.find(fmt::format("{}.{}", keyspace, table));
      broken != damaged.end())
    return std::unexpected(ToCqlError(broken->second));
  return Invalid(fmt::format("table {} does not exist", table));
}

CqlResult<std::string> KeyspaceOf(const ast::QualifiedName& name, std::string_view session) {
  if (!name.keyspace.empty()) return name.keyspace;
  if (session.empty()) return NoKeyspaceSaid();
  return std::string(session);
}

bool IsSystemKeyspace(std::string_view keyspace) {
  return std::ranges::find(kSystemKeyspaces, query::ToLower(keyspace)) != kSystemKeyspaces.end();
}

}  // namespace orrery::cassandra
