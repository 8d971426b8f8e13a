#include "api/cassandra/service/cql_key_naming.h"

#include <fmt/format.h>

#include "api/cassandra/executor/row/key_values.h"
#include "api/cassandra/types/json/json.h"
#include "gateway/row/row_requests.h"
#include "gateway/row/row_token.h"
#include "model/document/json.h"

namespace orrery::cassandra {

TablePtr CqlKeyNaming::TableOf(const gateway::ContainerEntry& container) const {
  if (container.schema == nullptr || !container.schema->rows.has_value()) return nullptr;
  return schema_.Current()->FindTable(container.database_name, container.settings.name);
}

std::optional<std::vector<std::string>> CqlKeyNaming::ColumnsOf(
    const gateway::ContainerEntry& container) const {
  const TablePtr table = TableOf(container);
  if (table == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const Column& column : table->partition_key()) names.push_back(column.name);
  return names;
}

std::optional<std::string> CqlKeyNaming::ValuesOf(const gateway::ContainerEntry& container,
                                                  std::string_view encoded) const {
  const TablePtr table = TableOf(container);
  if (table == nullptr) return std::nullopt;
  const auto serialized = gateway::SerializedKey(encoded);
  if (!serialized.has_value()) return std::nullopt;
  const auto values = PartitionKeyValues(*table, *serialized);
  if (!values.has_value()) return std::nullopt;
  std::string json = "[";
  for (size_t i = 0; i < values->size(); ++i) {
    const auto text = ToJson(*table->partition_key()[i].type, (*values)[i]);
    if (!text.has_value()) return std::nullopt;
    if (i > 0) json += ',';
    json += *text;
  }
  return json + ']';
}

Result<std::string> CqlKeyNaming::Serialize(const gateway::ContainerEntry& container,
                                            const model::Values& values) const {
  const TablePtr table = TableOf(container);
  if (table == nullptr) return Fail(Code::kNotFound, "the table was dropped");
  const auto columns = table->partition_key();
  if (values.size() != columns.size()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("{} partition key values are given, the table's key has {}",
                            values.size(), columns.size()));
  }
  std::vector<std::string> parts;
  for (size_t i = 0; i < values.size(); ++i) {
    ORRERY_ASSIGN(const JsonValue json, ParseJson(model::ToJson(values[i])));
    ORRERY_ASSIGN(auto bytes, FromJson(*columns[i].type, json, /*now_ms=*/0));
    if (!bytes.has_value()) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("column {} of the partition key cannot be null", columns[i].name));
    }
    parts.push_back(*std::move(bytes));
  }
  if (parts.size() == 1) return std::move(parts.front());
  const std::vector<std::string_view> views(parts.begin(), parts.end());
  return gateway::JoinKeyComponents(views);
}

}  // namespace orrery::cassandra
