#include "gateway/catalog/catalog_entries.h"

namespace orrery::gateway {

DatabaseRef CatalogSnapshot::Database(std::string_view name) const {
  const DatabaseRef* found = databases.Find(std::string(name));
  return found == nullptr ? nullptr : *found;
}

ContainerRef CatalogSnapshot::Container(DatabaseId database, std::string_view name) const {
  const ContainerRef* found = containers.Find({database, std::string(name)});
  return found == nullptr ? nullptr : *found;
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
  named.Put({entry->database, entry->settings.name}, entry);
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
    named.Erase({entry->database, entry->settings.name});
    numbered.Erase(entry->id);
  }
  next.containers = std::move(named).Finish();
  next.by_id = std::move(numbered).Finish();
  return next;
}

}  // namespace orrery::gateway
