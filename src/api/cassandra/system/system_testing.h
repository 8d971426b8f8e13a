// The fixture that tests of system tables share: the system keyspaces over given facts, beside user
// keyspaces made by hand, and rows as CQL text. Included by tests only.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/schema/schema.h"
#include "api/cassandra/schema/virtual_table.h"
#include "api/cassandra/system/build/column_type.h"
#include "api/cassandra/system/system_keyspaces.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/validate.h"

namespace orrery::cassandra::testing {

// Values as CQL literals by column; null is "null".
using TextRow = std::map<std::string, std::string>;

inline InetEndpoint Loopback(int32_t port) { return {InetAddress{{127, 0, 0, 1}, 4}, port}; }

inline SystemFacts SomeFacts() {
  SystemFacts facts;
  facts.self.cluster_name = "orrery";
  facts.self.host_id = std::string(16, '\x11');
  facts.self.internal = Loopback(7000);
  facts.self.native = Loopback(9042);
  facts.self.started = std::chrono::seconds(1'700'000'000);
  return facts;
}

class SystemTables {
 public:
  explicit SystemTables(const SystemFacts& facts = SomeFacts()) {
    for (const KeyspacePtr& keyspace : MakeSystemKeyspaces(facts)) Add(*keyspace);
    schema.version = std::string(16, '\x22');
    client.superuser = true;
  }

  void Add(Keyspace keyspace) {
    const std::string name = keyspace.name;
    schema.keyspaces[name] = std::make_shared<const Keyspace>(std::move(keyspace));
  }

  TablePtr Find(std::string_view keyspace, std::string_view table) const {
    const auto& tables = schema.keyspaces.find(keyspace)->second->tables;
    const auto found = tables.find(table);
    return found == tables.end() ? nullptr : found->second;
  }

  // All rows of a table, or those of some partitions. Expects every value to be valid.
  std::vector<TextRow> Read(std::string_view keyspace, std::string_view table,
                            std::optional<std::vector<std::string>> keys = std::nullopt) const {
    const TablePtr found = Find(keyspace, table);
    if (found == nullptr) {
      ADD_FAILURE() << keyspace << "." << table << " is not there";
      return {};
    }
    VirtualQuery query{schema, client, std::nullopt};
    if (keys.has_value()) query.partition_keys = *keys;
    const auto rows = found->source->Rows(query);
    if (!rows.has_value()) {
      ADD_FAILURE() << rows.error().message;
      return {};
    }
    std::vector<TextRow> texts;
    for (const VirtualRow& row : *rows) texts.push_back(AsText(*found, row));
    return texts;
  }

  Schema schema;
  Client client;

 private:
  static TextRow AsText(const Table& table, const VirtualRow& row) {
    EXPECT_EQ(row.size(), table.columns.size()) << table.name;
    TextRow text;
    for (size_t i = 0; i < std::min(row.size(), table.columns.size()); ++i) {
      const Column& column = table.columns[i];
      if (!row[i].has_value()) {
        EXPECT_FALSE(column.is_key()) << table.name << "." << column.name << " is null";
        text[column.name] = "null";
        continue;
      }
      const Status valid = Validate(*column.type, *row[i]);
      EXPECT_TRUE(valid.has_value()) << table.name << "." << column.name;
      text[column.name] = ToCqlLiteral(*column.type, *row[i]).value_or("invalid");
    }
    return text;
  }
};

// The values of one column, sorted.
inline std::vector<std::string> Values(const std::vector<TextRow>& rows,
                                       const std::string& column) {
  std::vector<std::string> values;
  for (const TextRow& row : rows) values.push_back(row.at(column));
  std::ranges::sort(values);
  return values;
}

// The first row whose column has this value.
inline TextRow RowWith(const std::vector<TextRow>& rows, const std::string& column,
                       std::string_view value) {
  for (const TextRow& row : rows) {
    if (row.at(column) == value) return row;
  }
  ADD_FAILURE() << "no row has " << column << " = " << value;
  return {};
}

// A table of the user's, of which columns are given in their order.
struct ColumnOf {
  std::string name;
  std::string type;
  ColumnKind kind = ColumnKind::kRegular;
  bool descending = false;
};
inline Table UserTable(std::string keyspace, std::string name,
                       const std::vector<ColumnOf>& columns) {
  Table table;
  table.id = std::string(16, '\x33');
  table.keyspace = std::move(keyspace);
  table.name = std::move(name);
  for (const ColumnOf& given : columns) {
    Column column;
    column.name = given.name;
    column.type = ColumnType(given.type);
    column.kind = given.kind;
    column.descending = given.descending;
    uint32_t* count = column.is_partition_key() ? &table.partition_key_count
                      : column.is_clustering()  ? &table.clustering_count
                      : column.is_static()      ? &table.static_count
                                                : nullptr;
    if (count != nullptr) column.position = (*count)++;
    table.columns.push_back(std::move(column));
  }
  return table;
}

inline Keyspace UserKeyspace(std::string name, std::vector<Table> tables) {
  Keyspace keyspace;
  keyspace.name = std::move(name);
  keyspace.replication = {{"class", "org.apache.cassandra.locator.SimpleStrategy"},
                          {"replication_factor", "1"}};
  for (Table& table : tables) {
    const std::string table_name = table.name;
    keyspace.tables.emplace(table_name, std::make_shared<const Table>(std::move(table)));
  }
  return keyspace;
}

}  // namespace orrery::cassandra::testing
