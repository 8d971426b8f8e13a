#include "api/cassandra/schema/ddl/table_rules.h"

#include <fmt/format.h>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/plan_context.h"

namespace orrery::cassandra {

std::string TableText(const Table& table) {
  return fmt::format("{}.{}", PrintName(table.keyspace), PrintName(table.name));
}

CqlStatus CheckKeyColumn(std::string_view name, const Type& type, bool quote) {
  if (type.is_multi_cell() && type.kind() == TypeKind::kUdt && !quote) {
    return Invalid(
        fmt::format("Invalid non-frozen user-defined type \"{}.{}\" for PRIMARY KEY column '{}'",
                    type.udt().keyspace, type.udt().name, name));
  }
  if (type.is_multi_cell()) {
    return Invalid(fmt::format("Invalid non-frozen {} type {}{}{} for PRIMARY KEY column '{}'",
                               type.is_collection() ? "collection" : "user-defined",
                               quote ? "'" : "", type.CqlName(), quote ? "'" : "", name));
  }
  if (type.kind() == TypeKind::kCounter) {
    return Invalid(fmt::format("counter type is not supported for PRIMARY KEY column '{}'", name));
  }
  if (type.ReferencesDuration()) {
    return Invalid(fmt::format("duration type is not supported for PRIMARY KEY column '{}'", name));
  }
  return {};
}

CqlStatus CheckNesting(const Type& type) {
  if (type.kind() != TypeKind::kUdt || !type.is_multi_cell()) return {};
  for (const TypePtr& field : type.parameters()) {
    if (field->is_multi_cell())
      return Invalid("Non-frozen UDTs with nested non-frozen collections are not supported");
  }
  return {};
}

CqlStatus CheckTable(const Table& table) {
  const std::string prefix = fmt::format("{}.{}: ", table.keyspace, table.name);
  if (!IsSchemaName(table.name)) {
    return ConfigError(
        prefix +
        fmt::format("Table name must not be empty, more than {} characters long, or contain "
                    "non-alphanumeric-underscore characters (got \"{}\")",
                    kSchemaNameMax, table.name));
  }
  for (const Column& column : table.columns) {
    if (column.is_key() || column.is_counter() == table.is_counter) continue;
    return ConfigError(
        prefix + (table.is_counter
                      ? fmt::format("Cannot have a non counter column (\"{}\") in a counter table",
                                    column.name)
                      : fmt::format("Cannot have a counter column (\"{}\") in a non counter table",
                                    column.name)));
  }
  return {};
}

}  // namespace orrery::cassandra
