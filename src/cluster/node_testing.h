// A node for tests of everything it does, on a file system that fails on demand.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "cluster/node.h"
#include "item/item_test_harness.h"
#include "partition/key/partition_key.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::cluster {

using item::Do;
using item::OperationKind;
using partition::ThroughputSettings;

inline constexpr ContainerId kContainer(1);

// A node with one container (id 1), written to as the gateway does it.
class NodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    SetLogLevel(LogLevel::kError);
    limits_.physical_partition_rate_max = 1'000;
    schema_ = item::IndexedSchema(kContainer.value());
    Open();
  }
  void TearDown() override { Close(); }

  Result<std::unique_ptr<Node>> TryOpen() {
    system_ = *SystemStore::Open(resources_, directory_ / "system");
    return Node::Open(
        {.self = self_,
         .data_directory = directory_.path(),
         .limits = limits_,
         .partitions_max = partitions_max_,
         .ballast = ballast_,
         .metrics = &metrics_},
        {.resources = resources_, .commit_pool = pool_, .clock = clock_, .sequencer = {}}, *system_,
        [this](ContainerId id) { return id == kContainer ? schema_ : nullptr; }, throughput_);
  }
  void Open() {
    auto node = TryOpen();
    ASSERT_TRUE(node.has_value()) << node.error().ToString();
    node_ = *std::move(node);
  }
  void Close() {
    node_.reset();
    system_.reset();
  }

  // The container with its own throughput, on `count` partitions.
  void CreateOwn(uint32_t count) {
    const ThroughputOwner throughput_owner = ThroughputOwner::Of(kContainer);
    throughput_[throughput_owner] = ThroughputSettings::Manual(1'000 * count);
    TopologyChange change;
    for (const auto& range :
         partition::DivideEvenly(partition::UsedSpan(schema_->hashing), count)) {
      change.create.push_back({throughput_owner, {{kContainer, range}}});
    }
    ASSERT_TRUE(node_->Apply(change, {}).has_value());
    node_->SetThroughput(throughput_owner, throughput_[throughput_owner]);
  }

  Status Write(OperationKind kind, const std::string& pk, const std::string& json = {}) {
    while (true) {
      const auto topology = node_->topology();
      HostedPartition* partition = topology->Route(kContainer, item::HashOfKey(pk));
      if (partition == nullptr) return Fail(Code::kNotFound, "no partition");
      std::vector<item::Operation> operations;
      operations.push_back(Do(kind, "id", json));
      std::promise<Status> promise;
      auto transaction = std::make_unique<item::Transaction>(
          item::TransactionRequest{schema_, item::HashOfKey(pk), item::Tuple(pk),
                                   std::move(operations)},
          [&](std::unique_ptr<item::Transaction>, Status status) {
            promise.set_value(std::move(status));
          });
      transaction->SetLedger(partition->ledger());
      partition->sequencer().Submit(std::move(transaction));
      Status status = promise.get_future().get();
      if (status.has_value() || status.error().code() != Code::kMoved) return status;
    }
  }
  void Fill(int count, int first = 0) {
    for (int i = first; i < first + count; ++i) {
      const std::string pk = "key" + std::to_string(i);
      ASSERT_TRUE(
          Write(OperationKind::kUpsert, pk,
                R"({"id":"id","pk":")" + pk + R"(","text":")" + std::string(100, 'x') + R"("})")
              .has_value());
    }
  }
  bool Has(const std::string& pk) {
    const auto topology = node_->topology();
    HostedPartition* partition = topology->Route(kContainer, item::HashOfKey(pk));
    const auto ranges = topology->map->Ranges(kContainer);
    const auto own = std::ranges::find(ranges, partition->id(), &partition::RangeEntry::partition);
    return item::SliceReader(partition->engine(), *schema_, own->range, clock_.Now())
        .Read(item::KeyOf(pk, "id"), storage::ReadMode::kMayBlock)
        .has_value();
  }
  void ExpectAll(int count) {
    for (int i = 0; i < count; ++i) ASSERT_TRUE(Has("key" + std::to_string(i))) << i;
    int64_t items = 0;
    for (const auto& [id, partition] : node_->topology()->hosted) {
      const auto record = partition->record();
      std::vector<item::CheckedSlice> slices;
      for (const Slice& slice : record->slices) slices.push_back({schema_, slice.range});
      const auto report =
          item::CheckConsistency(partition->engine(), slices, {.now = clock_.Now()});
      ASSERT_TRUE(report.has_value()) << report.error().ToString();
      EXPECT_TRUE(report->ok()) << "partition " << id.value() << ": " << report->ToString();
      items += partition->ledger().Sum().items;
    }
    EXPECT_EQ(items, count);
  }
  std::vector<PartitionId> Ids() {
    std::vector<PartitionId> ids;
    for (const auto& entry : node_->topology()->map->Ranges(kContainer))
      ids.push_back(entry.partition);
    return ids;
  }
  std::set<ino_t> Tables(PartitionId id) {
    std::set<ino_t> inodes;
    for (const auto& file : std::filesystem::directory_iterator(
             directory_ / ("partitions/" + std::to_string(id.value())))) {
      struct stat info;
      if (file.path().extension() == ".sst" && stat(file.path().c_str(), &info) == 0)
        inodes.insert(info.st_ino);
    }
    return inodes;
  }
  size_t Directories() {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(directory_ / "partitions"), {}));
  }

  storage::TemporaryDirectory directory_;
  storage::TemporaryDirectory scratch_;
  storage::FaultFileSystem faults_{scratch_.path()};
  storage::EngineResources resources_{
      {.block_cache_bytes = 8 << 20, .file_system = faults_.AsFileSystem()}};
  ThreadPool pool_{"commit", 2, 1'024};
  ManualClock clock_;
  MetricsRegistry metrics_;
  NodeId self_;
  size_t partitions_max_ = 0;
  storage::Ballast* ballast_ = nullptr;
  partition::Limits limits_;
  std::map<ThroughputOwner, ThroughputSettings> throughput_;
  std::shared_ptr<item::ContainerSchema> schema_;
  std::unique_ptr<SystemStore> system_;
  std::unique_ptr<Node> node_;
};

}  // namespace orrery::cluster
