// A table, or a materialized view, which is a table that the server writes.
//
// Immutable and shared: a change of the schema makes new ones of what it touches, and a statement
// keeps the one it was planned for.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/parser/ast/schema_object.h"
#include "api/cassandra/schema/column.h"
#include "api/cassandra/schema/table_options.h"
#include "gateway/catalog/catalog_entries.h"

namespace orrery::cassandra {

struct Index {
  std::string name;
  uint32_t id = 0;  // of item::RowIndex
  ast::IndexTargetKind target = ast::IndexTargetKind::kColumn;
  std::string column;
  bool is_custom = false;
  OptionMap options;   // without "target"; with "class_name" when custom
  bool built = false;  // of all rows: until then no query may rely on it
};

// "values"; empty for a plain column.
std::string_view IndexTargetName(ast::IndexTargetKind target);

struct Trigger {
  std::string name;
  std::string class_name;
};

// The properties that make a table a view.
struct ViewOf {
  std::string base_table;
  std::string base_id;  // 16 bytes
  std::string where_clause;
  bool include_all_columns = false;
  bool built = false;  // has all rows of the base table; until then it has some
};

// The source of rows of a table that is not stored in the core (system/).
class VirtualTable;

struct Table {
  std::string id;  // a uuid, 16 bytes; of this creation of the table
  std::string keyspace;
  std::string name;
  // Partition key, clustering, static, regular; key columns in key order, the others by name.
  std::vector<Column> columns;
  uint32_t partition_key_count = 0;
  uint32_t clustering_count = 0;
  uint32_t static_count = 0;
  bool is_counter = false;
  // COMPACT STORAGE: without clustering columns all others are static in 2.x's eyes and the table
  // takes no more of them; with some it has at most one regular column.
  bool is_compact = false;
  bool was_compact = false;  // before DROP COMPACT STORAGE; the rows of then stay as they are
  TableOptions options;
  std::vector<Index> indexes;             // by name
  std::vector<Trigger> triggers;          // by name
  std::vector<DroppedColumn> dropped;     // by name
  model::ColumnId highest_column_id = 0;  // ever used
  uint32_t highest_index_id = 0;          // ever used
  std::optional<ViewOf> view;
  std::shared_ptr<const VirtualTable> source;  // set: virtual, and there is no container
  gateway::ContainerRef container;             // where the rows are, unless virtual
  uint64_t digest = 0;                         // of everything that makes the schema's version

  std::span<const Column> partition_key() const {
    return std::span(columns).first(partition_key_count);
  }
  std::span<const Column> clustering() const {
    return std::span(columns).subspan(partition_key_count, clustering_count);
  }
  std::span<const Column> statics() const {
    return std::span(columns).subspan(partition_key_count + clustering_count, static_count);
  }
  std::span<const Column> regulars() const {
    return std::span(columns).subspan(partition_key_count + clustering_count + static_count);
  }
  bool has_statics() const { return static_count != 0; }
  // The two forms of COMPACT STORAGE (compact_storage.h).
  bool is_dense() const { return is_compact && clustering_count != 0; }
  bool is_static_compact() const { return is_compact && clustering_count == 0; }
  // Returns whether keys of rows may leave out the last clustering values.
  bool may_have_short_keys() const { return is_compact || was_compact; }
  // Null when there is none.
  const Column* Find(std::string_view column) const;
  const Column* FindById(model::ColumnId column) const;
  const Index* FindIndex(std::string_view index) const;
};
using TablePtr = std::shared_ptr<const Table>;

// Puts columns that came in any order into theirs (by kind; key columns by position, the others by
// name), and counts them.
void ArrangeColumns(Table& table);

}  // namespace orrery::cassandra
