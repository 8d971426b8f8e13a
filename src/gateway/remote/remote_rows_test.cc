// Rows through nodes that do not have their partition: plain writes, programs, derived writes,
// pages.
#include <algorithm>
#include <atomic>
#include <future>
#include <set>
#include <thread>

#include "gateway/remote/cluster_testing.h"
#include "gateway/row/row_keys.h"
#include "gateway/row/row_testing.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;
using item::RowChanges;
using item::RowRange;
using item::TouchedRow;

std::string NameOf(const model::Row* row) {
  if (row == nullptr) return "-";
  return row->cells.empty() ? "" : std::string(row->cells.front().value);
}

// Appends to the name of a row, again and again: what two of them do at once must not get lost.
class Append : public item::RowProgram {
 public:
  explicit Append(std::string suffix) : suffix_(std::move(suffix)) {}
  std::span<const std::string> reads() const override { return reads_; }
  Result<RowChanges> Decide(std::span<const std::optional<model::Row>> rows, Micros now) override {
    const std::string before = rows[0].has_value() ? NameOf(&*rows[0]) : "";
    RowChanges changes;
    changes.rows.push_back(Insert(reads_[0], now.count(), before + suffix_));
    return changes;
  }

 private:
  const std::vector<std::string> reads_{Clustering(1)};
  const std::string suffix_;
};

// Looks at the partition's first row when its own is not there.
class FirstRow : public item::RowProgram {
 public:
  std::span<const std::string> reads() const override { return reads_; }
  Result<RowChanges> Decide(std::span<const std::optional<model::Row>> rows, Micros) override {
    looks_ = !rows[0].has_value();
    return RowChanges{};
  }
  bool looks_on() const override { return looks_; }
  Result<bool> LookAt(std::string_view, const model::Row& row) override {
    first = NameOf(&row);
    return false;
  }
  std::string first;

 private:
  const std::vector<std::string> reads_{Clustering(99)};
  bool looks_ = false;
};

// Tells how the rows of a range were and became, to one row for each in another partition.
class Viewing : public item::RowProgram {
 public:
  Viewing(RowChanges changes, item::DerivedWrite to)
      : changes_(std::move(changes)), to_(std::move(to)) {}
  std::span<const std::string> reads() const override { return {}; }
  std::span<const RowRange> read_ranges() const override { return ranges_; }
  bool follows() const override { return true; }
  Result<RowChanges> Decide(std::span<const std::optional<model::Row>>, Micros) override {
    return changes_;
  }
  Result<std::vector<item::DerivedWrite>> Follow(std::span<const TouchedRow> rows,
                                                 Micros now) override {
    notes.clear();
    std::vector<item::DerivedWrite> derived_writes;
    for (const TouchedRow& row : rows) {
      notes.push_back(NameOf(row.before) + ">" + NameOf(row.after));
      to_.changes.rows = {Insert(std::string(row.clustering), now.count(), NameOf(row.after))};
      derived_writes.push_back(to_);
    }
    return derived_writes;
  }
  Names notes;

 private:
  const std::vector<RowRange> ranges_{{"", std::nullopt}};
  const RowChanges changes_;
  item::DerivedWrite to_;
};

class RemoteRows : public testing::Test {
 protected:
  // Four partitions, two at each of two nodes.
  RemoteRows() {
    Catalog& catalog = cluster.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("ks", {}).has_value());
    ContainerSettings settings;
    settings.name = "t";
    settings.partition_key_paths = {"/k"};
    settings.hashing = partition::KeyHashing::kCassandra;
    settings.order = model::Order::kCql;
    settings.indexing.automatic = false;
    settings.rows.emplace();
    settings.rows->clustering = {model::Direction::kAscending};
    settings.throughput = partition::ThroughputSettings::Manual(4'000);
    auto created = catalog.CreateContainer("ks", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    cluster.Spread(2);
  }

  ContainerRef At(uint64_t node) { return cluster.Find(node, "ks", "t"); }
  RowGateway& Rows(uint64_t node) { return cluster.core(node).rows(); }
  PartitionId PartitionOf(const std::string& key) {
    return cluster.PartitionOf(At(1)->id, RouteSerializedKey(key, cluster.limits)->hash);
  }
  std::string KeyAt(NodeId node, int skip = 0) {
    for (int i = 0;; ++i) {
      const std::string key = "k" + std::to_string(i);
      if (cluster.OwnerOf(PartitionOf(key)) == node && skip-- == 0) return key;
    }
  }

  RowWriteResponse Run(uint64_t node, std::string key, RowChanges changes,
                       std::unique_ptr<item::RowProgram> program = nullptr) {
    return Rows(node).WriteAndWait({.container = At(node),
                                    .partition_key = std::move(key),
                                    .changes = std::move(changes),
                                    .program = std::move(program)});
  }
  Status Write(uint64_t node, std::string key, int row, int64_t time, std::string_view name) {
    RowChanges changes;
    changes.rows.push_back(Insert(Clustering(row), time, name));
    return Run(node, std::move(key), std::move(changes)).status;
  }
  std::string NameAt(uint64_t node, std::string_view key, int row) {
    const auto read =
        Rows(node).Read(At(node), key, Clustering(row), true, storage::ReadMode::kMayBlock);
    EXPECT_TRUE(read.has_value()) << read.error().ToString();
    if (!read.has_value() || !read->row.row_visible) return "-";
    model::Row decoded;
    EXPECT_TRUE(model::DecodeRow(read->row.row(), decoded).has_value());
    return NameOf(&decoded);
  }
  template <typename Program>
  static Program& In(RowWriteResponse& response) {
    return static_cast<Program&>(*response.program);
  }

  TestCluster cluster;
};

TEST_F(RemoteRows, AnyNodeTakesAnyWriteAndRead) {
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(Write(i % 2 + 1, "k" + std::to_string(i), 1, 5, std::to_string(i)).has_value());
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(NameAt(1, "k" + std::to_string(i), 1), std::to_string(i));
    EXPECT_EQ(NameAt(2, "k" + std::to_string(i), 1), std::to_string(i));
    EXPECT_EQ(NameAt(2, "k" + std::to_string(i), 2), "-");
  }
  EXPECT_GT(cluster.peers.Calls(PeerMethod::kWriteRows), 0);
  EXPECT_GT(cluster.peers.Calls(PeerMethod::kReadRow), 0);
  const auto cached =
      Rows(1).Read(At(1), KeyAt(NodeId(2)), Clustering(1), false, storage::ReadMode::kCachedOnly);
  ASSERT_FALSE(cached.has_value());
  EXPECT_EQ(cached.error().code(), Code::kWouldBlock);
}

TEST_F(RemoteRows, PagesFeedsAndEstimatesComeFromAllNodes) {
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(Write(1, "k" + std::to_string(i), 1, 5, std::to_string(i)).has_value());
  const auto scan = [&](uint64_t node) {
    RowScanSpec spec;
    spec.limits.items_max = 3;
    Names names;
    std::string continuation;
    RequestUnits charge;
    do {
      auto page = Rows(node).Scan(At(node), spec, continuation, storage::ReadMode::kMayBlock);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) break;
      for (const auto& partition : page->partitions) {
        for (const auto& row : partition.rows) {
          model::Row decoded;
          EXPECT_TRUE(model::DecodeRow(row.row, decoded).has_value());
          names.push_back(NameOf(&decoded));
        }
      }
      charge += page->charge;
      continuation = page->continuation;
      node = 3 - node;
    } while (!continuation.empty());
    return std::pair(names, charge);
  };
  EXPECT_EQ(scan(1).first.size(), 20u);
  EXPECT_EQ(scan(1), scan(2));

  for (const uint64_t node : {1, 2}) {
    const auto feed = Rows(node).ReadFeed(At(node), {}, {});
    ASSERT_TRUE(feed.has_value()) << feed.error().ToString();
    EXPECT_EQ(feed->entries.size(), 20u);
    const auto sizes = Rows(node).EstimateSizes(At(node));
    ASSERT_TRUE(sizes.has_value()) << sizes.error().ToString();
    EXPECT_EQ(sizes->size(), 4u);
    uint64_t partitions = 0;
    for (const RowRangeEstimate& size : *sizes) partitions += size.partitions;
    EXPECT_EQ(partitions, 20u);
  }
}

TEST_F(RemoteRows, AProgramIsDecidedWhereItArrived) {
  const std::string key = KeyAt(NodeId(2));
  RowWriteResponse first = Run(1, key, {}, std::make_unique<IfAbsent>("first"));
  ASSERT_TRUE(first.status.has_value()) << first.status.error().ToString();
  EXPECT_TRUE(In<IfAbsent>(first).applied());
  RowWriteResponse second = Run(1, key, {}, std::make_unique<IfAbsent>("second"));
  ASSERT_TRUE(second.status.has_value());
  EXPECT_EQ(In<IfAbsent>(second).found, "first");
  EXPECT_EQ(NameAt(2, key, 1), "first");
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kReadForProgram), 2);
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kWriteRows), 1) << "the second changes nothing";
}

TEST_F(RemoteRows, RowsThatOthersChangedAreDecidedOnAgain) {
  const std::string key = KeyAt(NodeId(2));
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method == PeerMethod::kWriteRows)
      ASSERT_TRUE(Write(2, key, 1, cluster.clock.Now().count() + 10, "faster").has_value());
  };
  RowWriteResponse response = Run(1, key, {}, std::make_unique<IfAbsent>("slower"));
  ASSERT_TRUE(response.status.has_value());
  EXPECT_EQ(In<IfAbsent>(response).found, "faster");
  EXPECT_EQ(In<IfAbsent>(response).decisions, 2);
  EXPECT_EQ(NameAt(1, key, 1), "faster");
}

TEST_F(RemoteRows, AProgramThatNeverGetsThroughGivesUp) {
  const std::string key = KeyAt(NodeId(2));
  int writes = 0;
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method != PeerMethod::kWriteRows) return;
    ++writes;
    ASSERT_TRUE(Write(2, key, 1, writes, std::to_string(writes)).has_value());
  };
  const RowWriteResponse response = Run(1, key, {}, std::make_unique<Append>("x"));
  ASSERT_FALSE(response.status.has_value());
  EXPECT_EQ(response.status.error().code(), Code::kOverloaded);
  EXPECT_NE(response.program, nullptr);
  EXPECT_EQ(NameAt(1, key, 1), std::to_string(writes));
}

TEST_F(RemoteRows, NothingIsLostBetweenProgramsOfTwoNodes) {
  const std::string key = KeyAt(NodeId(2));
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(
        Run(i % 2 + 1, key, {}, std::make_unique<Append>(std::to_string(i))).status.has_value());
  EXPECT_EQ(NameAt(1, key, 1), "0123456789");
}

TEST_F(RemoteRows, NorBetweenThoseThatRunAtOnce) {
  const std::string key = KeyAt(NodeId(2));
  constexpr int kWritesEach = 6;
  std::atomic<size_t> made = 0;
  std::vector<std::thread> writers;
  for (const uint64_t node : {1, 1, 1, 2, 2}) {
    writers.emplace_back([&, node] {
      for (int i = 0; i < kWritesEach; ++i) {
        const Status status = Run(node, key, {}, std::make_unique<Append>("x")).status;
        if (status.has_value()) {
          ++made;
        } else {
          EXPECT_EQ(status.error().code(), Code::kOverloaded) << status.error().ToString();
        }
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(NameAt(1, key, 1), std::string(made, 'x'));
  EXPECT_GE(made, size_t{2 * kWritesEach}) << "the owner's own are never refused";
}

TEST_F(RemoteRows, ChangesBesideAProgramAreMadeWithIt) {
  const std::string key = KeyAt(NodeId(2));
  RowChanges changes;
  changes.rows.push_back(Insert(Clustering(1), cluster.clock.Now().count(), "beside"));
  RowWriteResponse response = Run(1, key, changes, std::make_unique<IfAbsent>("late"));
  ASSERT_TRUE(response.status.has_value());
  EXPECT_EQ(In<IfAbsent>(response).found, "beside") << "a program sees them";
  EXPECT_EQ(NameAt(1, key, 1), "beside");
}

TEST_F(RemoteRows, AProgramLooksOn) {
  const std::string key = KeyAt(NodeId(2));
  ASSERT_TRUE(Write(1, key, 3, 5, "three").has_value());
  ASSERT_TRUE(Write(1, key, 4, 5, "four").has_value());
  RowWriteResponse response = Run(1, key, {}, std::make_unique<FirstRow>());
  ASSERT_TRUE(response.status.has_value()) << response.status.error().ToString();
  EXPECT_EQ(In<FirstRow>(response).first, "three");
}

TEST_F(RemoteRows, DerivedWritesSeeHowRowsBecomeAndArriveAnywhere) {
  const std::string key = KeyAt(NodeId(2));
  ASSERT_TRUE(Write(1, key, 1, 5, "old").has_value());
  for (const uint64_t owner : {1, 2}) {
    const std::string view = KeyAt(NodeId(owner), 1);
    RowChanges changes;
    // Older than what is stored of the first: it does not show.
    changes.rows.push_back(Insert(Clustering(1), 1, "older"));
    changes.rows.push_back(Insert(Clustering(2), 7, "new" + std::to_string(owner)));
    RowWriteResponse response =
        Run(1, key, {},
            std::make_unique<Viewing>(changes, item::DerivedWrite{At(1)->id, view, RowChanges{}}));
    ASSERT_TRUE(response.status.has_value()) << response.status.error().ToString();
    EXPECT_EQ(In<Viewing>(response).notes.size(), owner) << "one row at first";
    EXPECT_EQ(In<Viewing>(response).notes[0], "old>old");
    EXPECT_EQ(NameAt(1, view, 1), "old");
  }
}

TEST_F(RemoteRows, DerivedWritesMayBeSentTwice) {
  const std::string here = KeyAt(NodeId(1));
  const std::string there = KeyAt(NodeId(2));
  RowChanges changes;
  changes.rows.push_back(Insert(Clustering(1), 5, "base"));
  RowChanges following;
  following.rows.push_back(Insert(Clustering(1), 5, "follower"));
  changes.derived_writes.push_back({At(1)->id, there, following});
  cluster.peers.answers_to_lose = 2;
  EXPECT_TRUE(Run(1, here, changes).status.has_value());
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kWriteRows), 3);
  EXPECT_EQ(NameAt(1, there, 1), "follower");
}

// The owner of the partition maintains the views of its derived writes, and delivers what follows
// from these.
class Hook final : public ViewMaintenanceHook {
 public:
  explicit Hook(item::DerivedWrite to) : to_(std::move(to)) {}
  Plan PlanFor(const item::DerivedWrite& derived_write) const override {
    return {std::make_unique<Viewing>(derived_write.changes, to_), nullptr};
  }

 private:
  const item::DerivedWrite to_;
};

TEST_F(RemoteRows, DerivedWritesThatMaintainViewsBringWhatFollowsFromThem) {
  const std::string here = KeyAt(NodeId(1));
  const std::string there = KeyAt(NodeId(2));
  const std::string view = KeyAt(NodeId(1), 1);
  ASSERT_TRUE(Write(1, there, 1, 1, "old").has_value());
  RowChanges changes;
  changes.rows.push_back(Insert(Clustering(1), 5, "base"));
  RowChanges following;
  following.rows.push_back(Insert(Clustering(1), 5, "follower"));
  changes.derived_writes.push_back({At(1)->id, there, following, /*maintains_views=*/true});
  EXPECT_FALSE(Run(1, here, changes).status.has_value()) << "nobody there attends";
  EXPECT_EQ(NameAt(1, there, 1), "old");

  const Hook hook({At(1)->id, view, RowChanges{}});
  Rows(2).outbox().SetViewMaintenanceHook(&hook);
  const RowWriteResponse response = Run(1, here, changes);
  ASSERT_TRUE(response.status.has_value()) << response.status.error().ToString();
  EXPECT_EQ(NameAt(1, there, 1), "follower");
  EXPECT_EQ(NameAt(1, view, 1), "follower");
  Rows(2).outbox().SetViewMaintenanceHook(nullptr);
}

TEST_F(RemoteRows, ALostAnswerOfAProgramsChangesIsNotAskedForAgain) {
  const std::string key = KeyAt(NodeId(2));
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method == PeerMethod::kWriteRows) cluster.peers.answers_to_lose = 1;
  };
  const RowWriteResponse response = Run(1, key, {}, std::make_unique<Append>("x"));
  ASSERT_FALSE(response.status.has_value());
  EXPECT_EQ(response.status.error().code(), Code::kUnavailable);
  EXPECT_EQ(NameAt(2, key, 1), "x") << "once";
}

TEST_F(RemoteRows, RowsOfAGroupThatCouldNotBeStoredAreNotDecidedOn) {
  const std::string key = KeyAt(NodeId(2));
  const auto owner = cluster.core(2).node().topology()->Find(PartitionOf(key));
  RowChanges changes;
  changes.rows.push_back(Insert(Clustering(1), cluster.clock.Now().count(), "lost"));
  std::promise<Status> lost;
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method != PeerMethod::kWriteRows) return;
    owner->sequencer().Pause();
    Rows(2).Write({.container = At(2),
                   .partition_key = key,
                   .changes = std::move(changes),
                   .program = nullptr},
                  [&](RowWriteResponse response) { lost.set_value(response.status); });
  };
  // Both are one group, and the store is full.
  cluster.peers.after_call = [&](PeerMethod method) {
    if (method != PeerMethod::kWriteRows) return;
    owner->engine().StopWriting(Error(Code::kResourceExhausted, "full"));
    owner->sequencer().Resume();
  };
  RowWriteResponse response = Run(1, key, {}, std::make_unique<IfAbsent>("mine"));
  EXPECT_FALSE(lost.get_future().get().has_value());
  ASSERT_FALSE(response.status.has_value())
      << "found '" << In<IfAbsent>(response).found.value_or("-") << "'";
  EXPECT_EQ(response.status.error().code(), Code::kResourceExhausted);
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kWriteRows), 1);
}

TEST_F(RemoteRows, AThrottledWriteComesBackWhole) {
  const std::string key = KeyAt(NodeId(2));
  for (bool with_program : {false, true}) {
    std::optional<RowWriteResponse> last;
    for (int i = 0; i < 1'000 && (!last || last->status.has_value()); ++i) {
      RowChanges changes;
      changes.rows.push_back(Insert(Clustering(i), 5, "x"));
      last.emplace(Run(1, key, changes, with_program ? std::make_unique<Append>("x") : nullptr));
    }
    ASSERT_FALSE(last->status.has_value());
    ASSERT_EQ(last->status.error().code(), Code::kThrottled);
    EXPECT_GT(last->status.error().retry_after_ms(), 0u);
    ASSERT_TRUE(last->refused.has_value());
    EXPECT_EQ(last->refused->partition_key, key);
    EXPECT_EQ(last->refused->changes.rows.size(), 1u);
    EXPECT_EQ(last->refused->program != nullptr, with_program);
  }
}

TEST_F(RemoteRows, AWriteWaitsForAPartitionThatIsToOpenHere) {
  const std::string key = KeyAt(NodeId(1));
  const PartitionId id = PartitionOf(key);
  ASSERT_TRUE(cluster.core(1).node().Release(id).has_value());
  cluster.Reconcile();
  ASSERT_EQ(cluster.OwnerOf(id), NodeId()) << "recorded as the first node's, and not open yet";
  cluster.timers.on_wait = [&] { cluster.Reconcile(); };
  cluster.peers.cut = true;
  const Status written = Write(1, key, 1, 5, "x");
  ASSERT_TRUE(written.has_value()) << written.error().ToString();
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kWriteRows), 0);
  EXPECT_EQ(NameAt(1, key, 1), "x");
}

TEST_F(RemoteRows, AContainerMayBeKnownBeforeWhereItIs) {
  ContainerSettings settings = At(1)->settings;
  settings.name = "new";
  ASSERT_TRUE(cluster.core(1).catalog().CreateContainer("ks", settings).has_value());
  ASSERT_TRUE(cluster.core(2).catalog().Follow().has_value());
  const ContainerRef there = cluster.Find(2, "ks", "new");
  const auto cached = Rows(2).Scan(there, {}, "", storage::ReadMode::kCachedOnly);
  ASSERT_FALSE(cached.has_value());
  EXPECT_EQ(cached.error().code(), Code::kWouldBlock);

  cluster.timers.on_wait = [&] { cluster.Reconcile(); };
  RowChanges changes;
  changes.rows.push_back(Insert(Clustering(1), 5, "x"));
  const Status written = Rows(2)
                             .WriteAndWait({.container = there,
                                            .partition_key = "k",
                                            .changes = std::move(changes),
                                            .program = nullptr})
                             .status;
  EXPECT_TRUE(written.has_value()) << written.error().ToString();
}

TEST_F(RemoteRows, AProgramFollowsAPartitionThatMoves) {
  const std::string key = KeyAt(NodeId(2));
  const PartitionId id = PartitionOf(key);
  bool moved = false;
  cluster.peers.before_call = [&](PeerMethod method) {
    if (method != PeerMethod::kWriteRows || std::exchange(moved, true)) return;
    cluster.Move(id, NodeId(1));
  };
  RowWriteResponse response = Run(1, key, {}, std::make_unique<IfAbsent>("x"));
  ASSERT_TRUE(response.status.has_value()) << response.status.error().ToString();
  EXPECT_TRUE(moved);
  EXPECT_EQ(cluster.OwnerOf(id), NodeId(1));
  EXPECT_EQ(NameAt(2, key, 1), "x");
}

}  // namespace
}  // namespace orrery::gateway
