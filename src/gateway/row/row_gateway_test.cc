#include "gateway/row/row_gateway.h"

#include <gtest/gtest.h>

#include "gateway/row/row_testing.h"

namespace orrery::gateway {
namespace {

using item::RowChanges;
using storage::ReadMode;
using Rows = RowTable;

TEST_F(Rows, MergeByTimeWithoutReading) {
  table = MakeTable();
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 20, "late")).has_value());
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 10, "early")).has_value());
  EXPECT_EQ(NameOf("k", Clustering(1)), "late");
  EXPECT_EQ(NameOf("k", Clustering(2)), "-");
  server.Restart();
  EXPECT_EQ(NameOf("k", Clustering(1)), "late");
}

TEST_F(Rows, ComeInClusteringOrderBothWays) {
  table = MakeTable();
  for (const int32_t c : {5, -3, 0, 900, 7}) {
    ASSERT_TRUE(Write("k", Insert(Clustering(c), 1, std::to_string(c))).has_value());
    ASSERT_TRUE(Write("other", Insert(Clustering(c), 1, "other")).has_value());
  }
  RowScanSpec spec = Of("k");
  EXPECT_EQ(ScanAll(spec), (Names{"-3", "0", "5", "7", "900"}));
  spec.lower = Clustering(0);
  spec.upper = Clustering(900);
  EXPECT_EQ(ScanAll(spec, 1), (Names{"0", "5", "7"}));
  spec.descending = true;
  EXPECT_EQ(ScanAll(spec, 1), (Names{"7", "5", "0"}));
  spec.lower.reset();
  EXPECT_EQ(ScanAll(spec), (Names{"7", "5", "0", "-3"}));
}

TEST_F(Rows, DeletionsHideWhatWasWrittenBeforeThemWheneverItArrives) {
  table = MakeTable();
  for (int32_t c = 0; c < 6; ++c) {
    ASSERT_TRUE(Write("k", Insert(Clustering(c), 10, std::to_string(c))).has_value());
  }
  ASSERT_TRUE(Write("k", DeleteRow(Clustering(0), 15)).has_value());
  ASSERT_TRUE(Clear("k", Clustering(2), Clustering(4), 15).has_value());
  EXPECT_EQ(ScanAll(Of("k")), (Names{"1", "4", "5"}));
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 14, "too old")).has_value());
  ASSERT_TRUE(Write("k", Insert(Clustering(3), 16, "newer")).has_value());
  EXPECT_EQ(ScanAll(Of("k")), (Names{"1", "newer", "4", "5"}));
  EXPECT_EQ(NameOf("k", Clustering(2)), "-");
  EXPECT_EQ(NameOf("k", Clustering(3)), "newer");
  // The whole partition.
  ASSERT_TRUE(Write("k", DeleteRow("", 15)).has_value());
  EXPECT_EQ(ScanAll(Of("k")), (Names{"newer"}));
  server.Restart();
  EXPECT_EQ(ScanAll(Of("k")), (Names{"newer"}));
}

TEST_F(Rows, WhatADeletionHidStaysHiddenAfterTheGrace) {
  table = MakeTable();
  ASSERT_TRUE(Write("range", Insert(Clustering(1), 10, "hidden")).has_value());
  ASSERT_TRUE(Clear("range", Clustering(0), Clustering(5), 20).has_value());
  ASSERT_TRUE(Write("whole", Insert(Clustering(1), 10, "hidden")).has_value());
  ASSERT_TRUE(Write("whole", DeleteRow("", 20)).has_value());
  ASSERT_TRUE(Write("row", DeleteRow(Clustering(1), 20)).has_value());
  server.clock.Advance(std::chrono::seconds(table->settings.rows->gc_grace_s + 100));
  for (const auto& [id, partition] : server.node->topology()->hosted) {
    ASSERT_TRUE(partition->engine().Flush().has_value());
    // The first makes rows of what was merged, the second asks what to keep of them.
    ASSERT_TRUE(partition->engine().Compact({}, {}).has_value());
    ASSERT_TRUE(partition->engine().Compact({}, {}).has_value());
  }
  EXPECT_EQ(ScanAll({}), (Names{}));
  EXPECT_EQ(NameOf("range", Clustering(1)), "-");
  EXPECT_EQ(NameOf("whole", Clustering(1)), "-");
}

TEST_F(Rows, ExpireAtOnce) {
  table = MakeTable();
  const uint32_t now = NowSeconds();
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "short", 10, now + 10)).has_value());
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 1, "long")).has_value());
  EXPECT_EQ(ScanAll(Of("k")), (Names{"short", "long"}));
  server.clock.Advance(std::chrono::seconds(10));
  EXPECT_EQ(ScanAll(Of("k")), (Names{"long"}));
  EXPECT_EQ(NameOf("k", Clustering(1)), "-");
}

TEST_F(Rows, AHeadHasStaticCellsOfItsPartition) {
  table = MakeTable();
  ASSERT_TRUE(Write("k", Insert("", 1, "static")).has_value());
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "a")).has_value());
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 1, "b")).has_value());
  const auto read = server.rows->Read(table, "k", Clustering(2), true, ReadMode::kMayBlock);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(NameIn(read->row.static_row(), {}), "static");
  RowScanSpec spec = Of("k");
  spec.limits.items_max = 1;
  const auto first = server.rows->Scan(table, spec, {}, ReadMode::kMayBlock);
  ASSERT_TRUE(first.has_value());
  ASSERT_EQ(first->partitions.size(), 1u);
  EXPECT_TRUE(first->partitions[0].begins);
  const auto second = server.rows->Scan(table, spec, first->continuation, ReadMode::kMayBlock);
  ASSERT_TRUE(second.has_value());
  ASSERT_EQ(second->partitions.size(), 1u);
  EXPECT_FALSE(second->partitions[0].begins);
  EXPECT_EQ(NameIn(second->partitions[0].static_row, {}), "static");
}

TEST_F(Rows, ScansGoThroughAllPartitionsAndSplits) {
  table = MakeTable();
  std::multiset<std::string> written;
  for (int i = 0; i < 60; ++i) {
    const std::string key = "key" + std::to_string(i);
    for (int32_t c = 0; c < 3; ++c) {
      const std::string name = key + "/" + std::to_string(c);
      ASSERT_TRUE(Write(key, Insert(Clustering(c), 1, name)).has_value());
      written.insert(name);
    }
  }
  RowScanSpec spec;
  spec.limits.items_max = 50;
  const auto first = server.rows->Scan(table, spec, {}, ReadMode::kMayBlock);
  ASSERT_TRUE(first.has_value());
  std::multiset<std::string> found;
  const auto take = [&](const RowScanResponse& page) {
    for (const auto& partition : page.partitions) {
      for (const auto& row : partition.rows) found.insert(NameIn(row.row, row.covering_deletion));
    }
  };
  take(*first);
  const auto topology = server.node->topology();
  for (const auto& [id, partition] : topology->hosted) {
    const auto split = server.node->Split(id, std::nullopt);
    EXPECT_TRUE(split.has_value()) << split.error().ToString();
  }
  std::string continuation = first->continuation;
  while (!continuation.empty()) {
    const auto page = server.rows->Scan(table, spec, continuation, ReadMode::kMayBlock);
    ASSERT_TRUE(page.has_value()) << page.error().ToString();
    take(*page);
    continuation = page->continuation;
  }
  EXPECT_EQ(found, written);

  spec.rows_per_partition_max = 1;
  EXPECT_EQ(ScanAll(spec, 7).size(), 60u);
}

TEST_F(Rows, AScanBeginsBehindAnyRow) {
  table = MakeTable({ByName(1)});
  for (const std::string key : {"a", "b", "c", "d"}) {
    for (int32_t c = 0; c < 3; ++c)
      ASSERT_TRUE(Write(key, Insert(Clustering(c), 1, key + std::to_string(c))).has_value());
  }
  const Names all = ScanAll({}, 5);
  ASSERT_EQ(all.size(), 12u);
  for (size_t i = 0; i < all.size(); ++i) {
    const std::string key = all[i].substr(0, 1);
    const int32_t row = all[i][1] - '0';
    RowScanSpec behind_row;
    behind_row.start = RowScanStart{key, Clustering(row), 1};
    EXPECT_EQ(ScanAll(behind_row), Names(all.begin() + static_cast<int>(i) + 1, all.end()));
    RowScanSpec behind_partition;
    behind_partition.start = RowScanStart{key, std::nullopt, 0};
    const auto next = static_cast<int>(i - static_cast<size_t>(row) + 3);
    EXPECT_EQ(ScanAll(behind_partition), Names(all.begin() + next, all.end()));
    // By an index: the rows of one name.
    RowScanSpec by_index = behind_row;
    by_index.index = {item::NamedIndexId(1), item::RowTermValue(all[i])};
    EXPECT_EQ(ScanAll(by_index), Names{}) << "it is not behind itself";
    by_index.start = std::nullopt;
    EXPECT_EQ(ScanAll(by_index), Names{all[i]});
  }
  // Within one partition, both ways; and behind a row that was never there.
  RowScanSpec spec = Of("b");
  spec.start = RowScanStart{"b", Clustering(0), 1};
  EXPECT_EQ(ScanAll(spec), (Names{"b1", "b2"}));
  spec.descending = true;
  spec.start->clustering = Clustering(2);
  EXPECT_EQ(ScanAll(spec), (Names{"b1", "b0"}));
  spec.start->clustering = Clustering(7);
  EXPECT_EQ(ScanAll(spec), (Names{"b2", "b1", "b0"}));
  spec.start = RowScanStart{"", std::nullopt, 0};
  EXPECT_EQ(server.rows->Scan(table, spec, {}, ReadMode::kMayBlock).error().code(),
            Code::kInvalidArgument);
}

TEST_F(Rows, AnIndexFollowsItsRows) {
  table = MakeTable({{.id = 1, .target = item::RowIndexTarget::kValue, .column = kName}});
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "x")).has_value());
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 1, "y")).has_value());
  ASSERT_TRUE(Write("l", Insert(Clustering(3), 1, "x")).has_value());
  RowScanSpec spec;
  spec.index = {.id = item::NamedIndexId(1), .value = item::RowTermValue("x")};
  EXPECT_EQ(ScanAll(spec, 1), (Names{"x", "x"}));
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 2, "z")).has_value());
  ASSERT_TRUE(Write("l", Insert(Clustering(3), 0, "late and old")).has_value());
  EXPECT_EQ(ScanAll(spec), (Names{"x"}));
  spec.partition_key = "k";
  EXPECT_EQ(ScanAll(spec), (Names{}));
  ASSERT_TRUE(Write("l", DeleteRow(Clustering(3), 5)).has_value());
  spec.partition_key = "l";
  EXPECT_EQ(ScanAll(spec), (Names{}));
}

class LooksAtMany : public item::RowProgram {
 public:
  explicit LooksAtMany(size_t rows) : reads_(rows) {}
  std::span<const std::string> reads() const override { return reads_; }
  Result<RowChanges> Decide(std::span<const std::optional<model::Row>>, Micros) override {
    ADD_FAILURE() << "it must not come to this";
    return RowChanges{};
  }

 private:
  const std::vector<std::string> reads_;
};

TEST_F(Rows, AProgramThatLooksAtTooManyRowsIsRefused) {
  table = MakeTable();
  const auto response = server.rows->WriteAndWait(
      {.container = table,
       .partition_key = "k",
       .changes = {},
       .program = std::make_unique<LooksAtMany>(item::kRowProgramReadsMax + 1)});
  ASSERT_FALSE(response.status.has_value());
  EXPECT_EQ(response.status.error().code(), Code::kTooLarge);
}

TEST_F(Rows, AProgramDecidesByWhatItFinds) {
  table = MakeTable();
  const auto run = [&](std::string name) {
    RowWriteResponse response =
        server.rows->WriteAndWait({.container = table,
                                   .partition_key = "k",
                                   .changes = {},
                                   .program = std::make_unique<IfAbsent>(std::move(name))});
    EXPECT_TRUE(response.status.has_value());
    return static_cast<IfAbsent&>(*response.program).applied();
  };
  EXPECT_TRUE(run("first"));
  EXPECT_FALSE(run("second"));
  EXPECT_EQ(NameOf("k", Clustering(1)), "first");
  ASSERT_TRUE(
      Write("k", DeleteRow(Clustering(1), server.clock.Now().count() + 1'000'000)).has_value());
  EXPECT_TRUE(run("third")) << "its time is before the deletion's: it stays invisible";
  EXPECT_EQ(NameOf("k", Clustering(1)), "-");
}

TEST_F(Rows, OneGroupSeesItsOwnMerges) {
  table = MakeTable();
  std::vector<std::promise<bool>> promises(20);
  // Many in flight, so that several meet in one group.
  for (auto& promise : promises) {
    server.rows->Write({.container = table,
                        .partition_key = "k",
                        .changes = {},
                        .program = std::make_unique<IfAbsent>("one of many")},
                       [&promise](RowWriteResponse response) {
                         promise.set_value(static_cast<IfAbsent&>(*response.program).applied());
                       });
  }
  int applied = 0;
  for (auto& promise : promises) applied += promise.get_future().get() ? 1 : 0;
  EXPECT_EQ(applied, 1);
}

TEST_F(Rows, AProgramMayLookAtThePartitionsRows) {
  class Looks : public item::RowProgram {
   public:
    std::span<const std::string> reads() const override { return {}; }
    Result<RowChanges> Decide(std::span<const std::optional<model::Row>>, Micros) override {
      return RowChanges();
    }
    bool looks_on() const override { return true; }
    Result<bool> LookAt(std::string_view clustering, const model::Row& row) override {
      seen.push_back(std::string(clustering) + ":" + std::string(row.cells.at(0).value));
      return seen.size() < 2;
    }
    std::vector<std::string> seen;
  };
  table = MakeTable();
  // The partition's own row, then more dead ones than are looked for at once.
  ASSERT_TRUE(Write("k", Insert("", 1, "static")).has_value());
  for (int32_t c = 0; c < 30; ++c) {
    ASSERT_TRUE(Write("k", Insert(Clustering(c), 1, std::to_string(c))).has_value());
    if (c < 20) ASSERT_TRUE(Write("k", DeleteRow(Clustering(c), 2)).has_value());
  }
  const RowWriteResponse response =
      server.rows->WriteAndWait({.container = table,
                                 .partition_key = "k",
                                 .changes = {},
                                 .program = std::make_unique<Looks>()});
  ASSERT_TRUE(response.status.has_value());
  EXPECT_EQ(static_cast<Looks&>(*response.program).seen,
            (std::vector{Clustering(20) + ":20", Clustering(21) + ":21"}));
}

TEST_F(Rows, WhatAProgramDecidesHasTheSameLimit) {
  table = MakeTable();
  const RowWriteResponse response =
      server.rows->WriteAndWait({.container = table,
                                 .partition_key = "k",
                                 .changes = {},
                                 .program = std::make_unique<IfAbsent>(std::string(3 << 20, 'x'))});
  ASSERT_FALSE(response.status.has_value());
  EXPECT_EQ(response.status.error().code(), Code::kTooLarge);
  EXPECT_EQ(NameOf("k", Clustering(1)), "-");
}

TEST_F(Rows, LimitsHold) {
  table = MakeTable();
  EXPECT_EQ(Write("", Insert(Clustering(1), 1, "x")).error().code(), Code::kInvalidArgument);
  EXPECT_EQ(Write(std::string(3'000, 'k'), Insert(Clustering(1), 1, "x")).error().code(),
            Code::kInvalidArgument);
  EXPECT_EQ(Write("k", Insert(Clustering(1), 1, std::string(3 << 20, 'x'))).error().code(),
            Code::kTooLarge);
  RowScanSpec spec;
  EXPECT_EQ(server.rows->Scan(table, spec, "nonsense", ReadMode::kMayBlock).error().code(),
            Code::kInvalidArgument);
}

TEST_F(Rows, OfATableWithoutClusteringColumns) {
  table = MakeTable({}, /*clustered=*/false);
  ASSERT_TRUE(Write("a", Insert("", 1, "a")).has_value());
  ASSERT_TRUE(Write("b", Insert("", 1, "b")).has_value());
  EXPECT_EQ(NameOf("a", ""), "a");
  const Names all = ScanAll({}, 1);
  EXPECT_EQ(std::multiset<std::string>(all.begin(), all.end()),
            (std::multiset<std::string>{"a", "b"}));
  ASSERT_TRUE(Write("a", DeleteRow("", 2)).has_value());
  EXPECT_EQ(NameOf("a", ""), "-");
  EXPECT_EQ(ScanAll({}), (Names{"b"}));
}

}  // namespace
}  // namespace orrery::gateway
