#include "api/gremlin/server/graph_directory.h"

#include <utility>

#include "api/gremlin/store/document_store.h"

namespace orrery::gremlin {

Result<GraphRef> GraphDirectory::Find(std::string_view name) const {
  constexpr std::string_view kDatabases = "/dbs/";
  constexpr std::string_view kContainers = "/colls/";
  if (name == kDefaultGraph) return Default();
  if (name.starts_with(kDatabases)) {
    const std::string_view rest = name.substr(kDatabases.size());
    const size_t end = rest.find(kContainers);
    if (end == std::string_view::npos)
      return Fail(Code::kNotFound, "a graph is named as /dbs/<database>/colls/<graph>");
    return At(rest.substr(0, end), rest.substr(end + kContainers.size()));
  }
  auto own = At(kGraphDatabase, name);
  if (own.has_value() || own.error().code() != Code::kNotFound) return own;
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return own;
  return At(name.substr(0, dot), name.substr(dot + 1));
}

Result<GraphRef> GraphDirectory::FindExisting(std::string_view name) const {
  return name == kDefaultGraph ? At(kGraphDatabase, kDefaultGraph) : Find(name);
}

Result<GraphRef> GraphDirectory::At(std::string_view database, std::string_view container) const {
  ORRERY_ASSIGN(gateway::ContainerRef found, catalog_.FindContainer(database, container));
  ORRERY_ASSIGN(GraphRules rules, RulesOf(*found));
  return GraphRef{.container = std::move(found), .rules = std::move(rules)};
}

Result<GraphRef> GraphDirectory::Default() const {
  auto found = At(kGraphDatabase, kDefaultGraph);
  if (found.has_value() || found.error().code() != Code::kNotFound) return found;
  const auto database = catalog_.CreateDatabase(std::string(kGraphDatabase), {});
  if (!database.has_value() && database.error().code() != Code::kAlreadyExists)
    return Fail(database.error());
  gateway::ContainerSettings settings;
  settings.name = kDefaultGraph;
  settings.partition_key_paths = {"/" + std::string(kOwnPartitionKey)};
  settings.default_ttl_s = -1;
  const auto created = catalog_.CreateContainer(kGraphDatabase, std::move(settings));
  if (!created.has_value() && created.error().code() != Code::kAlreadyExists)
    return Fail(created.error());
  return At(kGraphDatabase, kDefaultGraph);
}

}  // namespace orrery::gremlin
