// Groups that the owners of partitions make of their documents, through a node that has some of the
// partitions only.
#include <map>
#include <string>
#include <vector>

#include "gateway/remote/cluster_testing.h"
#include "item/index/index_policy.h"
#include "model/aggregate/partial_groups.h"
#include "model/document/json.h"
#include "model/number/number.h"

namespace orrery::gateway {
namespace {

using model::AggregateOperator;
using model::Expression;
using model::Value;

constexpr int kDocuments = 120;

class RemoteGroups : public testing::Test {
 protected:
  // Four partitions, two at each of two nodes.
  RemoteGroups() {
    Catalog& catalog = cluster.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("db", {}).has_value());
    ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(4'000);
    EXPECT_TRUE(catalog.CreateContainer("db", settings).has_value());
    cluster.Spread(2);
    for (int i = 0; i < kDocuments; ++i) {
      const std::string n = std::to_string(i);
      EXPECT_TRUE(cluster.core(1)
                      .gateway()
                      .WriteAndWait(TestServer::Upsert(
                          At(1), R"({"id":")" + n + R"(","pk":"p)" + std::to_string(i % 40) +
                                     R"(","n":)" + n + R"(,"team":)" + std::to_string(i % 7) + "}"))
                      .status.has_value());
      cluster.clock.Advance(std::chrono::seconds(1));
    }
  }
  ContainerRef At(uint64_t node) { return cluster.Find(node, "db", "c"); }

  static Expression Field(std::string name) {
    return Expression::Field(model::Path({std::move(name)}));
  }
  static std::shared_ptr<const model::Grouping> Sums(std::vector<Expression> keys) {
    model::Grouping grouping;
    grouping.keys = std::move(keys);
    grouping.aggregates = {
        {.op = AggregateOperator::kSqlCount, .argument = Expression::Literal(Value::Int32(1))},
        {.op = AggregateOperator::kSqlSum, .argument = Field("n")}};
    return std::make_shared<const model::Grouping>(std::move(grouping));
  }

  // The sums by key; the key of one group is "".
  struct Sum {
    double count = 0;
    double sum = 0;
    friend bool operator==(const Sum&, const Sum&) = default;
  };
  std::map<std::string, Sum> Run(ScanSpec spec) {
    std::map<std::string, Sum> sums;
    pages_ = groups_ = 0;
    grouped_ = 0;
    std::string continuation;
    do {
      cluster.clock.Advance(std::chrono::seconds(10));
      const auto page = cluster.core(1).gateway().Scan(At(1), spec, continuation);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) return sums;
      ++pages_;
      groups_ += page->items.size();
      grouped_ += page->items_grouped;
      EXPECT_LE(page->items.size(), spec.limits.items_max);
      for (const item::ScannedItem& item : page->items) {
        const auto group =
            model::ReadPartialGroup(item.document.view().ToObject(), spec.grouping->keys.size());
        EXPECT_TRUE(group.has_value());
        Sum& sum = sums[group->keys.empty() ? "" : model::ToJson(group->keys.front())];
        sum.count += model::ToDouble(group->partials.AsValues()[0]);
        sum.sum += model::ToDouble(group->partials.AsValues()[1]);
      }
      continuation = page->continuation;
    } while (!continuation.empty() && pages_ < 1'000);
    return sums;
  }
  // Of the documents that are wanted.
  template <typename Wanted>
  static std::map<std::string, Sum> Expected(bool by_team, Wanted&& is_wanted) {
    std::map<std::string, Sum> sums;
    for (int i = 0; i < kDocuments; ++i) {
      if (!is_wanted(i)) continue;
      Sum& sum = sums[by_team ? std::to_string(i % 7) : ""];
      ++sum.count;
      sum.sum += i;
    }
    return sums;
  }
  static std::shared_ptr<const Expression> Below(int n) {
    return std::make_shared<const Expression>(*Expression::Apply(
        model::Operator::kLess, {Field("n"), Expression::Literal(Value::Int32(n))}));
  }

  TestCluster cluster;
  int pages_ = 0;
  size_t groups_ = 0;
  size_t grouped_ = 0;  // documents
};

TEST_F(RemoteGroups, AreAllThatIsSent) {
  ScanSpec spec;
  spec.grouping = Sums({});
  EXPECT_EQ(Run(spec), Expected(false, [](int) { return true; }));
  EXPECT_LE(groups_, 4u);  // one of each partition
  EXPECT_EQ(grouped_, size_t{kDocuments});
  spec.filter = Below(30);
  EXPECT_EQ(Run(spec), Expected(false, [](int n) { return n < 30; }));
  spec.grouping = Sums({Field("team")});
  EXPECT_EQ(Run(spec), Expected(true, [](int n) { return n < 30; }));
}

// A page that is full goes on, with groups that come again.
TEST_F(RemoteGroups, PagesAreBoundedInGroupsAndInDocuments) {
  ScanSpec spec;
  spec.grouping = Sums({Field("team")});
  spec.limits.items_max = 3;
  EXPECT_EQ(Run(spec), Expected(true, [](int) { return true; }));
  EXPECT_GE(pages_, 10);
  spec.limits = {.items_max = 100, .examined_max = 7};
  EXPECT_EQ(Run(spec), Expected(true, [](int) { return true; }));
  EXPECT_GE(pages_, kDocuments / 7);
  spec.limits = {.items_max = 100, .bytes_max = 1};
  EXPECT_EQ(Run(spec), Expected(true, [](int) { return true; }));
  EXPECT_GE(pages_, kDocuments);
  spec.grouping = Sums({});
  spec.limits = {.items_max = 1, .examined_max = 7};
  EXPECT_EQ(Run(spec), Expected(false, [](int) { return true; }));
}

// Every path is indexed: the entries say which documents there are, and what they have there.
TEST_F(RemoteGroups, AreMadeOfEntriesOfAnIndex) {
  const model::PathStep place[] = {model::PathStep::Field("n")};
  ScanSpec spec;
  spec.index = item::IndexRange{.index = item::PathIndexId(place)};
  spec.index_only = true;
  spec.entry_path = model::Path({"n"});
  spec.grouping = Sums({});
  spec.filter = Below(50);
  EXPECT_EQ(Run(spec), Expected(false, [](int n) { return n < 50; }));
  EXPECT_EQ(grouped_, 0u);  // no document was read
}

}  // namespace
}  // namespace orrery::gateway
