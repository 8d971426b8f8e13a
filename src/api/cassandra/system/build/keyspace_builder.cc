#include "api/cassandra/system/build/keyspace_builder.h"

#include <memory>
#include <utility>

#include "base/check.h"

namespace orrery::cassandra {
namespace {

OptionMap Replication(KeyspaceNature nature) {
  switch (nature) {
    case KeyspaceNature::kLocal:
      return {{"class", "org.apache.cassandra.locator.LocalStrategy"}};
    case KeyspaceNature::kReplicated:
      return {{"class", "org.apache.cassandra.locator.SimpleStrategy"},
              {"replication_factor", "1"}};
    case KeyspaceNature::kVirtual:
      break;
  }
  return {};
}

}  // namespace

KeyspacePtr MakeSystemKeyspace(std::string_view name, KeyspaceNature nature,
                               std::vector<TablePtr> tables) {
  auto keyspace = std::make_shared<Keyspace>();
  keyspace->name = name;
  keyspace->replication = Replication(nature);
  keyspace->is_virtual = nature == KeyspaceNature::kVirtual;
  for (TablePtr& table : tables) {
    ORRERY_CHECK(table->keyspace == name);
    const bool added = keyspace->tables.emplace(table->name, table).second;
    ORRERY_CHECK(added);
  }
  return keyspace;
}

}  // namespace orrery::cassandra
