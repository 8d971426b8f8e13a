// A keyspace and all that is in it. Immutable and shared, like its tables.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/schema/table.h"
#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// CREATE FUNCTION. The body is JavaScript; user_function/ runs it.
struct UserFunction {
  std::string keyspace;
  std::string name;
  std::vector<std::string> argument_names;
  TypeList argument_types;
  TypePtr return_type;
  bool called_on_null_input = false;
  std::string language;
  std::string body;
};

// The languages that functions may be written in. Java is not run here: such a function is there
// for schemas of other servers, if at all.
inline constexpr std::string_view kJavaScript = "javascript";
inline constexpr std::string_view kJava = "java";

// CREATE AGGREGATE.
struct UserAggregate {
  std::string keyspace;
  std::string name;
  TypeList argument_types;
  std::string state_function;
  TypePtr state_type;
  std::optional<std::string> final_function;
  TypePtr return_type;
  std::optional<std::string> initial_condition;  // CQL text, as it was given
};

using UserFunctionPtr = std::shared_ptr<const UserFunction>;
using UserAggregatePtr = std::shared_ptr<const UserAggregate>;

struct Keyspace {
  std::string name;
  OptionMap replication;
  bool durable_writes = true;
  bool is_virtual = false;  // system keyspaces whose tables have no container
  std::map<std::string, TablePtr, std::less<>> tables;  // views too: they share the names
  std::map<std::string, TypePtr, std::less<>> types;    // UDTs, each non-frozen
  std::vector<UserFunctionPtr> functions;               // by name, then argument types
  std::vector<UserAggregatePtr> aggregates;
  gateway::DatabaseRef database;  // null: virtual
  uint64_t digest = 0;            // without its tables

  TablePtr FindTable(std::string_view table) const;
  // The table that has this index.
  TablePtr FindTableOfIndex(std::string_view index) const;
  TypePtr FindType(std::string_view type) const;
  std::vector<TablePtr> ViewsOf(std::string_view base_table) const;
};
using KeyspacePtr = std::shared_ptr<const Keyspace>;

}  // namespace orrery::cassandra
