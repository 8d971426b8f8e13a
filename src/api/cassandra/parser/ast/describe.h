// DESCRIBE: what of the schema to show.
#pragma once

#include <cstdint>
#include <optional>

#include "api/cassandra/parser/ast/name.h"

namespace orrery::cassandra::ast {

enum class DescribeKind : uint8_t {
  kCluster,
  kSchema,      // user keyspaces with all that is in them
  kFullSchema,  // system keyspaces too
  kKeyspaces,
  kKeyspace,      // with all that is in it; the current one without a name
  kOnlyKeyspace,  // without
  kTables,
  kTable,
  kIndex,
  kView,
  kTypes,
  kType,
  kFunctions,
  kFunction,
  kAggregates,
  kAggregate,
  kAnything,  // whatever has this name: a keyspace, table, view or index
};

struct Describe {
  DescribeKind kind = DescribeKind::kCluster;
  std::optional<QualifiedName> target;  // of the kinds in the singular; a keyspace is its `name`
  bool with_internals = false;
};

}  // namespace orrery::cassandra::ast
