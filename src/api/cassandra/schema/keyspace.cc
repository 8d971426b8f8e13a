#include "api/cassandra/schema/keyspace.h"

#include <algorithm>

namespace orrery::cassandra {

TablePtr Keyspace::FindTable(std::string_view table) const {
  const auto found = tables.find(table);
  return found == tables.end() ? nullptr : found->second;
}

TablePtr Keyspace::FindTableOfIndex(std::string_view index) const {
  const auto found = std::ranges::find_if(
      tables, [&](const auto& entry) { return entry.second->FindIndex(index) != nullptr; });
  return found == tables.end() ? nullptr : found->second;
}

TypePtr Keyspace::FindType(std::string_view type) const {
  const auto found = types.find(type);
  return found == types.end() ? nullptr : found->second;
}

std::vector<TablePtr> Keyspace::ViewsOf(std::string_view base_table) const {
  std::vector<TablePtr> views;
  for (const auto& [table_name, table] : tables) {
    if (table->view.has_value() && table->view->base_table == base_table) views.push_back(table);
  }
  return views;
}

}  // namespace orrery::cassandra
