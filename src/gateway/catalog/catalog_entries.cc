#include "gateway/catalog/catalog_entries.h"

#include <algorithm>

namespace orrery::gateway {

bool ContainerEntry::HasBuiltRowIndex(uint32_t index) const {
  if (!settings.rows.has_value()) return false;
  const auto& indexes = settings.rows->indexes;
  const auto& building = row_indexes.building;
  return std::ranges::find(indexes, index, &item::RowIndex::id) != indexes.end() &&
         std::ranges::find(building, index) == building.end();
}

DatabaseRef CatalogSnapshot::Database(std::string_view name) const {
  const DatabaseRef* found = databases.Find(std::string(name));
  return found == nullptr ? nullptr : *found;
}

ContainerRef CatalogSnapshot::Container(DatabaseId database, std::string_view name) const {
  const ContainerRef* found = containers.Find({database, std::string(name)});
  return found == nullptr ? nullptr : *found;
}

ContainerRef CatalogSnapshot::Newest(const ContainerEntry& entry) const {
  if (const ContainerRef* same = by_id.Find(entry.id); same != nullptr)
    return (*same)->dropped_at.has_value() ? nullptr : *same;
  const ContainerRef named = Container(entry.database, entry.settings.name);
  return named != nullptr && named->lineage == entry.lineage ? named : nullptr;
}

std::vector<ContainerRef> CatalogSnapshot::ListDropped() const {
  std::vector<ContainerRef> list;
  by_id.ForEach([&](ContainerId, const ContainerRef& entry) {
    if (entry->dropped_at.has_value()) list.push_back(entry);
  });
  return list;
}

std::vector<DatabaseRef> CatalogSnapshot::ListDatabases() const {
  std::vector<DatabaseRef> list;
  databases.ForEach([&](const std::string&, const DatabaseRef& entry) { list.push_back(entry); });
  return list;
}

std::vector<ContainerRef> CatalogSnapshot::ListContainers(DatabaseId database) const {
  std::vector<ContainerRef> list;
  containers.ForEach([&](const auto& key, const ContainerRef& entry) {
    if (key.first == database) list.push_back(entry);
  });
  return list;
}

CatalogSnapshot CatalogSnapshot::With(const ContainerRef& entry) const {
  CatalogSnapshot next = *this;
  auto named = decltype(containers)::Editor(containers);
  if (!entry->dropped_at.has_value()) named.Put({entry->database, entry->settings.name}, entry);
  next.containers = std::move(named).Finish();
  auto numbered = decltype(by_id)::Editor(by_id);
  numbered.Put(entry->id, entry);
  next.by_id = std::move(numbered).Finish();
  return next;
}

CatalogSnapshot CatalogSnapshot::With(const DatabaseRef& entry) const {
  CatalogSnapshot next = *this;
  auto named = decltype(databases)::Editor(databases);
  named.Put(entry->name, entry);
  next.databases = std::move(named).Finish();
  return next;
}

CatalogSnapshot CatalogSnapshot::Without(const std::vector<ContainerRef>& entries) const {
  CatalogSnapshot next = *this;
  auto named = decltype(containers)::Editor(containers);
  auto numbered = decltype(by_id)::Editor(by_id);
  for (const ContainerRef& entry : entries) {
    if (!entry->dropped_at.has_value()) named.Erase({entry->database, entry->settings.name});
    numbered.Erase(entry->id);
  }
  next.containers = std::move(named).Finish();
  next.by_id = std::move(numbered).Finish();
  return next;
}

}  // namespace orrery::gateway
