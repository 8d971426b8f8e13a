// The context of planning a schema statement, and the checks that all plans share.
//
// Plans are pure: the same context and statement give the same edit. Everything here is a view and
// must outlive the call.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/schema/ddl/schema_edit.h"
#include "api/cassandra/schema/schema.h"
#include "base/clock.h"

namespace orrery::cassandra {

// Cassandra's own limit, of keyspaces, tables and indexes.
inline constexpr size_t kSchemaNameMax = 48;

// Says whether a function may be made, because its body can be run or need not be: the engine that
// runs it is another module's.
class FunctionChecker {
 public:
  virtual ~FunctionChecker() = default;
  // ErrorCode::kInvalid with the compiler's words, or why the language is not taken. Thread-safe.
  virtual CqlStatus Check(const UserFunction& function) const = 0;
};

struct PlanContext {
  const Schema& schema;
  std::string_view session_keyspace;      // of USE; empty: none
  Micros now{};                           // the statement's time
  std::string_view new_id;                // 16 bytes: what a table made now is known by
  std::string_view datacenter;            // the one there is
  std::span<const PayloadEntry> payload;  // of the request: throughput may come in it
  const FunctionChecker& functions;
};

// The keyspace that a statement changes, by its name or that of the session. Refused: none of both,
// a system keyspace, a name that no keyspace can have.
CqlResult<std::string> KeyspaceToChange(const PlanContext& context, std::string_view keyspace);

// 1 to kSchemaNameMax letters, digits and underscores.
bool IsSchemaName(std::string_view name);

SchemaChange KeyspaceChange(SchemaChangeKind kind, std::string keyspace);
SchemaChange TableChange(SchemaChangeKind kind, std::string keyspace, std::string table);

// The steps that put a changed definition in the place of the one that was.
CatalogStep Replaced(const Keyspace& next);
CatalogStep Replaced(const Table& next);

}  // namespace orrery::cassandra
