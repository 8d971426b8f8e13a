// A SchemaEdit is the plan of a schema statement: steps to take on the catalog, in this order, and
// what to tell clients afterwards. A value; schema_editor.h takes the steps.
//
// If there are several steps, each leaves a consistent schema, so that a crash between two of them
// leaves one too.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/cassandra/protocol/response/response_writer.h"
#include "gateway/catalog/container_settings.h"
#include "model/document/document.h"

namespace orrery::cassandra {

struct AddDatabase {
  std::string name;
  partition::ThroughputSettings throughput;
  model::Document extra;
};
struct ReplaceDatabase {
  std::string name;
  model::Document extra;
};
struct RemoveDatabase {  // and its containers
  std::string name;
};
struct AddContainer {
  std::string database;
  gateway::ContainerSettings settings;
};
struct ReplaceContainer {
  std::string database;
  gateway::ContainerSettings settings;
};
struct RemoveContainer {
  std::string database;
  std::string container;
};
struct ChangeThroughput {
  std::string database;
  std::optional<std::string> container;
  partition::ThroughputSettings throughput;
};

using CatalogStep = std::variant<AddDatabase, ReplaceDatabase, RemoveDatabase, AddContainer,
                                 ReplaceContainer, RemoveContainer, ChangeThroughput>;

struct SchemaEdit {
  std::vector<CatalogStep> steps;
  std::optional<SchemaChange> change;  // none: IF [NOT] EXISTS made it nothing
  std::vector<std::string> warnings;
};

}  // namespace orrery::cassandra
