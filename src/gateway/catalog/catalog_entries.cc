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

}  // namespace orrery::gateway
