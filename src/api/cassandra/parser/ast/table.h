// CREATE, ALTER and DROP of keyspaces and tables.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "api/cassandra/parser/ast/property.h"
#include "api/cassandra/parser/ast/type.h"

namespace orrery::cassandra::ast {

struct CreateKeyspace {
  Name keyspace;
  bool if_not_exists = false;
  Properties properties;
};

struct AlterKeyspace {
  Name keyspace;
  bool if_exists = false;
  Properties properties;
};

struct DropKeyspace {
  Name keyspace;
  bool if_exists = false;
};

struct ColumnDefinition {
  Name name;
  RawType type;
  bool is_static = false;
  bool is_primary_key = false;  // "k int PRIMARY KEY"; never in ALTER TABLE
};

// PRIMARY KEY ((a, b), c)
struct PrimaryKey {
  std::vector<Name> partition_columns;
  std::vector<Name> clustering_columns;
};

struct ClusteringOrder {
  Name column;
  bool descending = false;
};

struct CreateTable {
  QualifiedName table;
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns;
  std::vector<PrimaryKey> primary_keys;  // the clauses; a valid table has one key in all
  std::vector<ClusteringOrder> clustering_order;
  bool compact_storage = false;
  Properties properties;
};

struct AddColumns {
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns;
};

struct DropColumns {
  bool if_exists = false;
  std::vector<Name> columns;
  std::optional<Constant> timestamp;
};

struct RenameColumns {
  bool if_exists = false;
  std::vector<std::pair<Name, Name>> renames;
};

// Read, so that it can be refused with a reason: no column changes its type since 3.10.
struct AlterColumnType {
  Name column;
  RawType type;
};

struct DropCompactStorage {};

struct AlterTable {
  using Change = std::variant<AddColumns, DropColumns, RenameColumns, AlterColumnType,
                              DropCompactStorage, Properties>;
  QualifiedName table;
  bool if_exists = false;
  Change change;
};

struct DropTable {
  QualifiedName table;
  bool if_exists = false;
};

}  // namespace orrery::cassandra::ast
