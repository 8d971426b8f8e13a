#include "cluster/node.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "item/item_test_harness.h"
#include "partition/key/partition_key.h"

namespace orrery::cluster {
namespace {

using item::Do;
using item::OperationKind;
using partition::ThroughputSettings;

constexpr ContainerId kContainer(1);

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

  void Open() {
    system_ = *SystemStore::Open(resources_, directory_ / "system");
    auto node = Node::Open(
        {.data_directory = directory_.path(), .limits = limits_},
        {.resources = resources_, .commit_pool = pool_, .clock = clock_, .sequencer = {}}, *system_,
        [this](ContainerId) { return schema_; }, throughput_);
    ASSERT_TRUE(node.has_value()) << node.error().ToString();
    node_ = *std::move(node);
  }
  void Close() {
    node_.reset();
    system_.reset();
  }

  // The container with its own throughput, on `count` partitions.
  void CreateOwn(uint32_t count) {
    const Tenancy tenancy = Tenancy::Of(kContainer);
    throughput_[tenancy] = ThroughputSettings::Manual(1'000 * count);
    TopologyChange change;
    for (const auto& range :
         partition::DivideEvenly(partition::UsedSpan(schema_->hashing), count)) {
      change.create.push_back({tenancy, {{kContainer, range}}});
    }
    ASSERT_TRUE(node_->Apply(change, {}).has_value());
    node_->SetThroughput(tenancy, throughput_[tenancy]);
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
  storage::EngineResources resources_{{.block_cache_bytes = 8 << 20}};
  ThreadPool pool_{"commit", 2, 1'024};
  ManualClock clock_;
  partition::Limits limits_;
  std::map<Tenancy, ThroughputSettings> throughput_;
  std::shared_ptr<item::ContainerSchema> schema_;
  std::unique_ptr<SystemStore> system_;
  std::unique_ptr<Node> node_;
};

TEST_F(NodeTest, PartitionsComeBackAfterARestart) {
  CreateOwn(3);
  Fill(60);
  const auto before = Ids();
  EXPECT_EQ(before.size(), 3U);
  Close();
  Open();
  EXPECT_EQ(Ids(), before);
  ExpectAll(60);
}

TEST_F(NodeTest, TheRateIsSpreadEvenly) {
  CreateOwn(3);
  node_->SetThroughput(Tenancy::Of(kContainer), ThroughputSettings::Manual(1'500));
  for (const PartitionId id : Ids()) {
    EXPECT_EQ(node_->topology()->Find(id)->governor().rate(), RequestUnits::Whole(500));
  }
}

TEST_F(NodeTest, ASplitKeepsEverythingAndHalvesIt) {
  CreateOwn(1);
  Fill(200);
  const PartitionId parent = Ids().front();
  const auto split = node_->Split(parent, std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  EXPECT_EQ(Ids(), split->children);
  node_->WaitForBackground();
  ExpectAll(200);
  for (const PartitionId id : Ids()) {
    const auto child = node_->topology()->Find(id);
    EXPECT_EQ(child->record()->parents, std::vector{parent});
    EXPECT_NEAR(static_cast<double>(child->ledger().Sum().items), 100, 20);
  }
  Fill(100, 150);
  Close();
  Open();
  ExpectAll(250);
  EXPECT_EQ(Directories(), 2U);
}

// Table files are known by their inodes: a child that shares them has copied nothing.
TEST_F(NodeTest, ASplitLinksTablesAndCopiesNone) {
  CreateOwn(1);
  Fill(100);
  const auto before = node_->topology();  // keeps the parent's files
  const PartitionId parent = Ids().front();
  const auto split = node_->Split(parent, std::nullopt);
  ASSERT_TRUE(split.has_value());
  const std::set<ino_t> parents = Tables(parent);
  ASSERT_FALSE(parents.empty());
  // The trimmer may have rewritten some already; what came with the split is the parent's.
  for (const PartitionId child : split->children) {
    const std::set<ino_t> tables = Tables(child);
    EXPECT_TRUE(std::ranges::any_of(tables, [&](ino_t table) { return parents.contains(table); }));
  }
  node_->WaitForBackground();
  ExpectAll(100);
}

TEST_F(NodeTest, OneLogicalPartitionIsNotSplit) {
  CreateOwn(1);
  ASSERT_TRUE(Write(OperationKind::kUpsert, "only", R"({"id":"id","pk":"only"})").has_value());
  const auto split = node_->Split(Ids().front(), std::nullopt);
  ASSERT_FALSE(split.has_value());
  EXPECT_EQ(split.error().code(), Code::kPreconditionFailed);
  EXPECT_TRUE(Write(OperationKind::kDelete, "only").has_value());
}

TEST_F(NodeTest, AFixedContainerIsNotSplit) {
  schema_->fixed = true;
  CreateOwn(1);
  Fill(10);
  EXPECT_EQ(node_->Split(Ids().front(), std::nullopt).error().code(), Code::kPreconditionFailed);
}

TEST_F(NodeTest, AMergeKeepsEverythingAndPositionsRise) {
  CreateOwn(2);
  Fill(150);
  const auto pair = Ids();
  Lsn highest;
  for (const PartitionId id : pair)
    highest = std::max(highest, node_->topology()->Find(id)->sequencer().last_committed());
  const auto merged = node_->Merge(pair[0], pair[1]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  EXPECT_EQ(Ids(), std::vector{*merged});
  EXPECT_GE(node_->topology()->Find(*merged)->sequencer().last_committed(), highest);
  EXPECT_EQ(node_->topology()->Find(*merged)->record()->parents, pair);
  node_->Upkeep();
  node_->WaitForBackground();
  Fill(50, 150);
  Close();
  Open();
  ExpectAll(200);
}

TEST_F(NodeTest, StrangersAreNotMerged) {
  CreateOwn(3);
  const auto ids = Ids();
  EXPECT_EQ(node_->Merge(ids[0], ids[2]).error().code(), Code::kPreconditionFailed);
  EXPECT_EQ(node_->Merge(ids[0], ids[0]).error().code(), Code::kPreconditionFailed);
  EXPECT_EQ(node_->Merge(ids[0], PartitionId(99)).error().code(), Code::kNotFound);
}

// Splits and merges go on under two writers; nothing is lost, doubled or left half-done.
TEST_F(NodeTest, WritersGoOnWhilePartitionsSplitAndMerge) {
  CreateOwn(1);
  std::atomic<bool> stop{false};
  std::atomic<int> written[2] = {0, 0};
  std::vector<std::jthread> writers;
  for (int w = 0; w < 2; ++w) {
    writers.emplace_back([this, w, &stop, &written] {
      while (!stop || written[w] < 50) {
        const std::string pk = "key" + std::to_string(2 * written[w] + w);
        ASSERT_TRUE(
            Write(OperationKind::kCreate, pk, R"({"id":"id","pk":")" + pk + R"("})").has_value());
        ++written[w];
      }
    });
  }
  while (written[0] + written[1] < 40) std::this_thread::yield();
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(node_->Split(Ids().front(), std::nullopt).has_value());
    node_->WaitForBackground();
    const auto pair = Ids();
    const auto merged = node_->Merge(pair[0], pair[1]);
    ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  }
  stop = true;
  writers.clear();
  node_->Upkeep();
  node_->WaitForBackground();
  const int common = 2 * std::min(written[0], written[1]);
  for (int i = 0; i < common; ++i) ASSERT_TRUE(Has("key" + std::to_string(i))) << i;
  int64_t items = 0;
  for (const PartitionId id : Ids()) items += node_->topology()->Find(id)->ledger().Sum().items;
  EXPECT_EQ(items, written[0] + written[1]);
}

TEST_F(NodeTest, UpkeepSplitsWhatGrewTooLarge) {
  limits_.physical_partition_bytes_max = 8 << 10;
  Close();
  Open();
  CreateOwn(1);
  Fill(100);
  for (int round = 0; round < 6; ++round) {
    node_->Upkeep();
    node_->WaitForBackground();
  }
  EXPECT_GT(Ids().size(), 2U);
  ExpectAll(100);
}

TEST_F(NodeTest, UpkeepSplitsForThroughput) {
  CreateOwn(1);
  Fill(50);
  node_->SetThroughput(Tenancy::Of(kContainer), ThroughputSettings::Manual(4'000));
  for (int round = 0; round < 4; ++round) {
    node_->Upkeep();
    node_->WaitForBackground();
  }
  EXPECT_EQ(Ids().size(), 4U);
  ExpectAll(50);
}

TEST_F(NodeTest, UpkeepSweepsExpiredItems) {
  schema_->default_ttl_s = 10;
  CreateOwn(1);
  Fill(20);
  clock_.Advance(std::chrono::seconds(11));
  EXPECT_FALSE(Has("key1"));
  node_->Upkeep();
  node_->WaitForBackground();
  EXPECT_EQ(node_->topology()->Find(Ids().front())->ledger().Sum().items, 0);
}

TEST_F(NodeTest, DroppedContainersLeaveNothing) {
  const auto commons = node_->CommonsPartition();
  ASSERT_TRUE(commons.has_value());
  TopologyChange create;
  create.add_slices = {{*commons, {kContainer, partition::HashRange()}}};
  ASSERT_TRUE(node_->Apply(create, {}).has_value());
  Fill(20);
  TopologyChange drop;
  drop.drop_containers = {kContainer};
  ASSERT_TRUE(node_->Apply(drop, {}).has_value());
  EXPECT_EQ(Write(OperationKind::kUpsert, "key1", R"({"id":"id","pk":"key1"})").error().code(),
            Code::kNotFound);
  node_->Upkeep();
  node_->WaitForBackground();
  const auto partition = node_->topology()->Find(*commons);
  EXPECT_EQ(partition->ledger().Sum().items, 0);
  const auto cursor = partition->engine().NewIterator({.lower = std::string(1, '\1')});
  cursor->SeekToFirst();
  EXPECT_FALSE(cursor->Valid());
}

TEST_F(NodeTest, LeftoversOfAnInterruptedChangeAreRemoved) {
  CreateOwn(1);
  Close();
  std::filesystem::create_directories(directory_ / "partitions/77");
  std::filesystem::create_directories(directory_ / "partitions/78.tmp");
  Open();
  EXPECT_EQ(Directories(), 1U);
}

}  // namespace
}  // namespace orrery::cluster
