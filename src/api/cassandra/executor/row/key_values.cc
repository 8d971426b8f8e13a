#include "api/cassandra/executor/row/key_values.h"

#include "api/cassandra/types/key_value.h"
#include "gateway/row/row_token.h"
#include "model/key/key_codec.h"

namespace orrery::cassandra {

Result<std::vector<std::string>> PartitionKeyValues(const Table& table,
                                                    std::string_view serialized) {
  std::vector<std::string> values;
  if (table.partition_key_count == 1) {
    values.emplace_back(serialized);
    return values;
  }
  ORRERY_ASSIGN(const auto components,
                gateway::SplitKeyComponents(serialized, table.partition_key_count));
  for (const std::string_view component : components) values.emplace_back(component);
  return values;
}

Result<std::vector<std::string>> ClusteringValues(const Table& table, std::string_view clustering) {
  std::vector<std::string> values;
  values.reserve(table.clustering_count);
  ByteReader reader(clustering);
  for (const Column& column : table.clustering()) {
    if (reader.rest().empty() && table.may_have_short_keys()) break;
    ORRERY_ASSIGN(const model::Value value,
                  model::ReadKey(reader, column.descending ? model::Direction::kDescending
                                                           : model::Direction::kAscending));
    ORRERY_ASSIGN(std::string bytes, FromKeyValue(*column.type, value));
    values.push_back(std::move(bytes));
  }
  return values;
}

}  // namespace orrery::cassandra
