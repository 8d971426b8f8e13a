// The whole schema at one moment: what names mean. Immutable; a statement takes one and keeps it.
//
// It is a function of the catalog (gateway/catalog): schema_cache.h makes it, codec/ knows how
// definitions are written into what the catalog keeps for us.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/keyspace.h"

namespace orrery::cassandra {

struct Schema {
  std::map<std::string, KeyspacePtr, std::less<>> keyspaces;
  std::string version;  // a uuid, 16 bytes: equal exactly when the definitions are
  // Keyspaces ("ks") and tables ("ks.t") whose stored definition cannot be read, and why. They are
  // not among the others.
  std::map<std::string, Error, std::less<>> damaged;
  // Of which catalog this is the picture.
  std::shared_ptr<const gateway::CatalogSnapshot> source;

  KeyspacePtr FindKeyspace(std::string_view keyspace) const;  // null when there is none
  TablePtr FindTable(std::string_view keyspace, std::string_view table) const;

  // Those below refuse with Cassandra's message. `keyspace` empty: the statement named none and no
  // USE came before.
  CqlResult<KeyspacePtr> RequireKeyspace(std::string_view keyspace) const;
  CqlResult<TablePtr> RequireTable(std::string_view keyspace, std::string_view table) const;
};
using SchemaPtr = std::shared_ptr<const Schema>;

// The keyspace that a name is in: its own, else that of the session; refused when there is neither.
CqlResult<std::string> KeyspaceOf(const ast::QualifiedName& name, std::string_view session);

// system, system_schema, ...: nobody may change them. system_auth and system_traces are among them.
bool IsSystemKeyspace(std::string_view keyspace);

// A type as written, looked up. `keyspace` is that of the statement: user-defined types are of it
// only. Errors are Cassandra's.
CqlResult<TypePtr> ResolveType(const ast::RawType& type, const Keyspace& keyspace);

}  // namespace orrery::cassandra
