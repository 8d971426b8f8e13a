// The fixture that tests of rows share: a table on a test server, and short ways to write and read
// its rows.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateway/row/row_gateway.h"
#include "gateway/test_server.h"
#include "model/key/key_codec.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::gateway {

inline constexpr model::ColumnId kName = 1;

inline std::string Clustering(int32_t value) {
  std::string key;
  model::AppendKey(key, model::Value::Int32(value), model::Order::kCql);
  return key;
}

inline std::string Encoded(const model::Row& row) {
  std::string bytes;
  model::EncodeRow(bytes, row);
  return bytes;
}

inline item::RowChange Insert(std::string clustering, int64_t timestamp, std::string_view name,
                              uint32_t ttl_s = 0, uint32_t expiry_s = 0) {
  model::Row row;
  row.liveness = model::Liveness{timestamp, ttl_s, expiry_s};
  model::Cell cell;
  cell.column = kName;
  cell.timestamp = timestamp;
  cell.value = name;
  cell.ttl_s = ttl_s;
  cell.expiry_s = expiry_s;
  row.cells.push_back(cell);
  return {std::move(clustering), Encoded(row)};
}

inline item::RowChange DeleteRow(std::string clustering, int64_t timestamp) {
  constexpr uint32_t kStartOfManualClock = 1'700'000'000;
  model::Row row;
  row.deletion = {timestamp, kStartOfManualClock};
  return {std::move(clustering), Encoded(row)};
}

// An IfAbsent is the program of INSERT ... IF NOT EXISTS: it writes row 1 if it is not there, and
// notes what it found.
class IfAbsent : public item::RowProgram {
 public:
  explicit IfAbsent(std::string name) : name_(std::move(name)) {}
  std::span<const std::string> reads() const override { return reads_; }
  Result<item::RowChanges> Decide(std::span<const std::optional<model::Row>> rows,
                                  Micros now) override {
    ++decisions;
    found.reset();
    if (rows[0].has_value())
      found = rows[0]->cells.empty() ? "" : std::string(rows[0]->cells.front().value);
    item::RowChanges changes;
    if (applied()) changes.rows.push_back(Insert(reads_[0], now.count(), name_));
    return changes;
  }
  bool applied() const { return !found.has_value(); }

  std::optional<std::string> found;  // the name in the row
  int decisions = 0;

 private:
  const std::vector<std::string> reads_{Clustering(1)};
  const std::string name_;
};

// One table of a test server, as `table`.
class RowTable : public testing::Test {
 protected:
  explicit RowTable(partition::Limits limits = {}) : server(limits) {}

  ContainerRef MakeTable(std::vector<item::RowIndex> indexes = {}, bool clustered = true) {
    if (!server.catalog->FindDatabase("ks").has_value())
      EXPECT_TRUE(server.catalog->CreateDatabase("ks", {}).has_value());
    ContainerSettings settings;
    settings.name = "t";
    settings.partition_key_paths = {"/k"};
    settings.hashing = partition::KeyHashing::kCassandra;
    settings.order = model::Order::kCql;
    settings.indexing.automatic = false;
    settings.rows.emplace();
    if (clustered) settings.rows->clustering = {model::Direction::kAscending};
    settings.rows->indexes = std::move(indexes);
    auto created = server.catalog->CreateContainer("ks", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    return *created;
  }

  // The table as it is now, after changes of its settings.
  ContainerRef Newest() {
    auto found = server.catalog->FindContainer("ks", "t");
    EXPECT_TRUE(found.has_value());
    return *found;
  }
  ContainerRef SetIndexes(std::vector<item::RowIndex> indexes) {
    ContainerSettings settings = Newest()->settings;
    settings.rows->indexes = std::move(indexes);
    auto updated = server.catalog->UpdateContainer("ks", settings);
    EXPECT_TRUE(updated.has_value()) << updated.error().ToString();
    return *updated;
  }
  static item::RowIndex ByName(uint32_t id) {
    return {.id = id, .target = item::RowIndexTarget::kValue, .column = kName};
  }

  Status Write(std::string key, item::RowChanges changes) {
    return server.rows
        ->WriteAndWait({.container = table,
                        .partition_key = std::move(key),
                        .changes = std::move(changes),
                        .program = nullptr})
        .status;
  }
  Status Write(std::string key, item::RowChange change) {
    item::RowChanges changes;
    changes.rows.push_back(std::move(change));
    return Write(std::move(key), std::move(changes));
  }
  Status Clear(std::string key, std::string lower, std::optional<std::string> upper,
               int64_t timestamp) {
    item::RowChanges changes;
    changes.range_tombstones.push_back({std::move(lower), std::move(upper), {timestamp, 1}});
    return Write(std::move(key), std::move(changes));
  }

  std::string NameIn(std::string_view bytes, const model::Deletion& covering_deletion) {
    model::Row row;
    EXPECT_TRUE(model::DecodeRow(bytes, row).has_value());
    model::Purge(row, covering_deletion, NowSeconds());
    for (const model::Cell& cell : row.cells) {
      if (cell.column == kName) return std::string(cell.value);
    }
    return "";
  }
  // The name of a row; "-" when there is no row.
  std::string NameOf(std::string_view key, std::string_view clustering) {
    const auto read =
        server.rows->Read(table, key, clustering, false, storage::ReadMode::kMayBlock);
    EXPECT_TRUE(read.has_value()) << read.error().ToString();
    return read->row.row_visible ? NameIn(read->row.row(), read->row.covering_deletion) : "-";
  }

  // All names that a scan finds, page by page of `page` rows.
  std::vector<std::string> ScanAll(RowScanSpec spec, size_t page = 2) {
    spec.limits.items_max = page;
    std::vector<std::string> names;
    std::string continuation;
    for (int pages = 0; pages < 1'000; ++pages) {
      const auto response =
          server.rows->Scan(table, spec, continuation, storage::ReadMode::kMayBlock);
      EXPECT_TRUE(response.has_value()) << response.error().ToString();
      if (!response.has_value()) return names;
      EXPECT_LE(response->rows, page);
      for (const auto& partition : response->partitions) {
        for (const auto& row : partition.rows)
          names.push_back(NameIn(row.row, row.covering_deletion));
      }
      continuation = response->continuation;
      if (continuation.empty()) return names;
    }
    ADD_FAILURE() << "the scan never ends";
    return names;
  }
  RowScanSpec Of(std::string key) {
    RowScanSpec spec;
    spec.partition_key = std::move(key);
    return spec;
  }

  uint32_t NowSeconds() const {
    return static_cast<uint32_t>(
        std::chrono::duration_cast<std::chrono::seconds>(server.clock.Now()).count());
  }

  TestServer server;
  ContainerRef table;
};

using Names = std::vector<std::string>;

}  // namespace orrery::gateway
