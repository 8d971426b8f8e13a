// CREATE, ALTER and DROP KEYSPACE.
#include <array>

#include "api/cassandra/schema/codec/keyspace_codec.h"
#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/option/replication.h"
#include "api/cassandra/schema/ddl/option/throughput.h"
#include "api/cassandra/schema/ddl/plan.h"
#include "api/cassandra/schema/ddl/property_reader.h"

namespace orrery::cassandra {
namespace {

constexpr std::array<std::string_view, 4> kKeyspacePropertyNames = {
    "durable_writes", "replication", kProvisionedThroughput, kAutoscaleMaxThroughput};

// `keyspace` with what the properties say of it.
CqlStatus Apply(const PlanContext& context, const PropertyReader& properties, Keyspace& keyspace) {
  CQL_ASSIGN(const std::optional<OptionMap> replication, properties.Map("replication"));
  if (replication.has_value() && !replication->empty()) {
    CQL_ASSIGN(keyspace.replication, CheckReplication(keyspace.name, *replication,
                                                      keyspace.replication, context.datacenter));
  }
  CQL_ASSIGN(const std::optional<bool> durable, properties.Boolean("durable_writes"));
  keyspace.durable_writes = durable.value_or(keyspace.durable_writes);
  return {};
}

}  // namespace

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::CreateKeyspace& statement) {
  CQL_ASSIGN(const std::string name, KeyspaceToChange(context, statement.keyspace.text));
  const PropertyReader properties(statement.properties);
  CQL_TRY(properties.AllowOnly(kKeyspacePropertyNames));
  if (!properties.Has("replication")) return Invalid("Missing mandatory option 'replication'");
  SchemaEdit edit;
  if (context.schema.FindKeyspace(name) != nullptr) {
    if (statement.if_not_exists) return edit;
    return KeyspaceExists(name);
  }
  Keyspace keyspace;
  keyspace.name = name;
  CQL_TRY(Apply(context, properties, keyspace));
  if (keyspace.replication.empty()) return ConfigError("Missing replication strategy class");
  CQL_ASSIGN(const ThroughputOptions throughput, ReadThroughput(properties, context.payload));
  edit.steps.push_back(AddDatabase{name, ToSettings(throughput), EncodeKeyspace(keyspace)});
  edit.change = KeyspaceChange(SchemaChangeKind::kCreated, name);
  return edit;
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::AlterKeyspace& statement) {
  CQL_ASSIGN(const std::string name, KeyspaceToChange(context, statement.keyspace.text));
  const PropertyReader properties(statement.properties);
  CQL_TRY(properties.AllowOnly(kKeyspacePropertyNames));
  SchemaEdit edit;
  const KeyspacePtr former = context.schema.FindKeyspace(name);
  if (former == nullptr) {
    if (statement.if_exists) return edit;
    return NoSuchKeyspace(name);
  }
  Keyspace next = *former;
  CQL_TRY(Apply(context, properties, next));
  CQL_ASSIGN(const ThroughputOptions throughput, ReadThroughput(properties, context.payload));
  if (throughput.any())
    edit.steps.push_back(ChangeThroughput{name, std::nullopt, ToSettings(throughput)});
  if (next.replication != former->replication || next.durable_writes != former->durable_writes)
    edit.steps.push_back(Replaced(next));
  edit.change = KeyspaceChange(SchemaChangeKind::kUpdated, name);
  return edit;
}

CqlResult<SchemaEdit> Plan(const PlanContext& context, const ast::DropKeyspace& statement) {
  CQL_ASSIGN(const std::string name, KeyspaceToChange(context, statement.keyspace.text));
  SchemaEdit edit;
  // One whose definition cannot be read can still be dropped.
  if (context.schema.FindKeyspace(name) == nullptr && !context.schema.damaged.contains(name)) {
    if (statement.if_exists) return edit;
    return NoSuchKeyspace(name);
  }
  edit.steps.push_back(RemoveDatabase{name});
  edit.change = KeyspaceChange(SchemaChangeKind::kDropped, name);
  return edit;
}

}  // namespace orrery::cassandra
