#include "api/cassandra/schema/table.h"

#include <algorithm>

namespace orrery::cassandra {

std::string_view ColumnKindName(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kPartitionKey:
      return "partition_key";
    case ColumnKind::kClustering:
      return "clustering";
    case ColumnKind::kStatic:
      return "static";
    case ColumnKind::kRegular:
      return "regular";
  }
  return "";
}

const Column* Table::Find(std::string_view column) const {
  const auto found = std::ranges::find(columns, column, &Column::name);
  return found == columns.end() ? nullptr : &*found;
}

const Column* Table::FindById(model::ColumnId column) const {
  const auto cells = std::span(columns).subspan(partition_key_count + clustering_count);
  const auto found = std::ranges::find(cells, column, &Column::id);
  return found == cells.end() ? nullptr : &*found;
}

const Index* Table::FindIndex(std::string_view index) const {
  const auto found = std::ranges::find(indexes, index, &Index::name);
  return found == indexes.end() ? nullptr : &*found;
}

}  // namespace orrery::cassandra
