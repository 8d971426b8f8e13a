// The fixture that tests of the outbox share: tables on a test server, writes with derived writes,
// also ones that a crash cuts short, and a view of what is left in the outbox.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <utility>
#include <vector>

#include "gateway/row/row_keys.h"
#include "gateway/test_server.h"
#include "item/outbox/derived_write_testing.h"
#include "item/outbox/outbox.h"
#include "item/row/row_transaction.h"
#include "model/row/row_merge.h"

namespace orrery::gateway {

class OutboxFixture : public testing::Test {
 protected:
  explicit OutboxFixture(partition::Limits limits = {}) : server(limits) {}

  // One row for each partition key, a name in it. Without throughput it shares partitions.
  ContainerRef MakeTable(std::string name, partition::ThroughputSettings throughput = {}) {
    if (!server.catalog->FindDatabase("db").has_value()) {
      EXPECT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
    }
    ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = {"/k"};
    settings.hashing = partition::KeyHashing::kCassandra;
    settings.order = model::Order::kCql;
    settings.indexing.automatic = false;
    settings.rows.emplace();
    settings.throughput = throughput;
    auto created = server.catalog->CreateContainer("db", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    return *created;
  }
  ContainerRef MakeOwnTable(std::string name, int64_t partitions = 1) {
    return MakeTable(std::move(name), partition::ThroughputSettings::Manual(
                                          partitions * server.limits.physical_partition_rate_max));
  }

  static item::RowChanges Set(std::string_view name, int64_t timestamp = 1) {
    item::RowChanges changes;
    changes.rows.push_back({"", item::RowOf(timestamp, name)});
    return changes;
  }
  static item::DerivedWrite Follow(const ContainerRef& table, std::string key,
                                   std::string_view name, int64_t timestamp = 1) {
    return {table->id, std::move(key), Set(name, timestamp)};
  }
  static item::RowChanges SetWith(std::string_view name,
                                  std::vector<item::DerivedWrite> derived_writes) {
    item::RowChanges changes = Set(name);
    changes.derived_writes = std::move(derived_writes);
    return changes;
  }

  RowWriteResponse Write(const ContainerRef& table, std::string key, item::RowChanges changes) {
    return server.rows->WriteAndWait({.container = table,
                                      .partition_key = std::move(key),
                                      .changes = std::move(changes),
                                      .program = nullptr});
  }
  // Stores the write but delivers nothing: what a crash right after the commit leaves.
  void WriteAndCrash(const ContainerRef& table, const std::string& key, item::RowChanges changes) {
    const auto routed = RouteSerializedKey(key, server.limits);
    const auto topology = server.node->topology();
    cluster::HostedPartition* const partition = topology->Route(table->id, routed->hash);
    ASSERT_NE(partition, nullptr);
    std::promise<Status> stored;
    auto transaction = std::make_unique<item::RowTransaction>(
        item::RowTransactionRequest{.schema = table->schema,
                                    .hash = routed->hash,
                                    .partition_key = routed->encoded,
                                    .changes = std::move(changes),
                                    .program = nullptr},
        [&stored](std::unique_ptr<item::RowTransaction>, Status status) {
          stored.set_value(std::move(status));
        });
    transaction->SetLedger(partition->ledger());
    partition->sequencer().Submit(std::move(transaction));
    ASSERT_TRUE(stored.get_future().get().has_value());
  }

  // "-" when there is no row.
  std::string NameOf(const ContainerRef& table, std::string_view key) {
    const auto read = server.rows->Read(table, key, "", false, storage::ReadMode::kMayBlock);
    if (!read.has_value()) return read.error().ToString();
    if (!read->row.row_visible) return "-";
    model::Row row;
    EXPECT_TRUE(model::DecodeRow(read->row.row(), row).has_value());
    return row.cells.empty() ? "" : std::string(row.cells.front().value);
  }

  // Entries in the outboxes of all partitions.
  size_t Left() {
    size_t left = 0;
    for (const auto& [id, partition] : server.node->topology()->hosted) {
      item::SliceRanges slices;
      for (const auto& slice : partition->record()->slices) {
        slices[slice.container].push_back(slice.range);
      }
      for (std::string from;;) {
        const auto page = item::ReadOutbox(partition->engine(), slices, from);
        EXPECT_TRUE(page.has_value());
        left += page->entries.size() + page->damaged.size();
        if (!page->next.has_value()) break;
        from = *page->next;
      }
    }
    return left;
  }
  void Round() {
    server.rows->outbox().Round();
    server.rows->outbox().WaitUntilIdle();
  }
  // Time for whatever waits after a failure, then a round of all maintenance.
  void Heal() {
    server.clock.Advance(cluster::RetrySchedule::kPauseMax);
    server.node->Maintain();
    server.node->WaitForBackground();
    Round();
  }
  std::vector<PartitionId> PartitionsOf(const ContainerRef& table) {
    std::vector<PartitionId> ids;
    for (const auto& range : server.node->topology()->map->Ranges(table->id)) {
      ids.push_back(range.partition);
    }
    return ids;
  }
  void StopWriting(const ContainerRef& table) {
    for (const PartitionId id : PartitionsOf(table)) {
      server.node->topology()->Find(id)->engine().StopWriting(
          Error(Code::kUnavailable, "the test stopped it"));
    }
  }

  TestServer server;
};

}  // namespace orrery::gateway
