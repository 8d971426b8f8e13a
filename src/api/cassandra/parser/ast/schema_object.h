// CREATE, ALTER and DROP of what belongs to tables and keyspaces: types, indexes, materialized
// views and triggers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/cassandra/parser/ast/select.h"
#include "api/cassandra/parser/ast/table.h"

namespace orrery::cassandra::ast {

struct FieldDefinition {
  Name name;
  RawType type;
};

struct CreateType {
  QualifiedName type;
  bool if_not_exists = false;
  std::vector<FieldDefinition> fields;
};

struct AddField {
  bool if_not_exists = false;
  FieldDefinition field;
};

struct RenameFields {
  bool if_exists = false;
  std::vector<std::pair<Name, Name>> renames;
};

// Read, so that it can be refused with a reason.
struct AlterFieldType {
  FieldDefinition field;
};

struct AlterType {
  QualifiedName type;
  bool if_exists = false;
  std::variant<AddField, RenameFields, AlterFieldType> change;
};

struct DropType {
  QualifiedName type;
  bool if_exists = false;
};

enum class IndexTargetKind : uint8_t { kColumn, kKeys, kValues, kEntries, kFull };

struct IndexTarget {
  IndexTargetKind kind = IndexTargetKind::kColumn;
  Name column;
};

struct CreateIndex {
  std::optional<Name> index;  // the server chooses one otherwise
  QualifiedName table;
  bool is_custom = false;
  bool if_not_exists = false;
  std::vector<IndexTarget> targets;  // a custom index may have none
  std::optional<std::string> class_name;
  Properties properties;
};

struct DropIndex {
  QualifiedName index;
  bool if_exists = false;
};

struct CreateView {
  QualifiedName view;
  bool if_not_exists = false;
  std::vector<Selector> selectors;  // none for *
  QualifiedName base_table;
  WhereClause where;
  PrimaryKey primary_key;
  std::vector<ClusteringOrder> clustering_order;
  Properties properties;
};

struct AlterView {
  QualifiedName view;
  bool if_exists = false;
  Properties properties;
};

struct DropView {
  QualifiedName view;
  bool if_exists = false;
};

struct CreateTrigger {
  Name trigger;
  QualifiedName table;
  bool if_not_exists = false;
  std::string class_name;
};

struct DropTrigger {
  Name trigger;
  QualifiedName table;
  bool if_exists = false;
};

}  // namespace orrery::cassandra::ast
