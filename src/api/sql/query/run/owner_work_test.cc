// Queries over a cluster of three nodes: what the owners of partitions do of them, and how many
// bytes cross between nodes.
#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <vector>

#include "api/sql/query/query_engine.h"
#include "gateway/remote/cluster_testing.h"

namespace orrery::sql {
namespace {

using gateway::TestServer;

constexpr int kClusterDocuments = 1'200;

class OwnerWorkTest : public testing::Test {
 protected:
  // Six partitions of unindexed documents of about 350 bytes, two at each node.
  OwnerWorkTest() : cluster_(FastLimits()) {
    gateway::Catalog& catalog = cluster_.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("db", {}).has_value());
    gateway::ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(6 * kRate);
    settings.indexing.automatic = false;
    settings.indexing.included_paths = settings.indexing.excluded_paths = {};
    EXPECT_TRUE(catalog.CreateContainer("db", settings).has_value());
    cluster_.Spread(3);
    std::latch written(kClusterDocuments);
    for (int i = 0; i < kClusterDocuments; ++i) {
      const std::string n = std::to_string(i);
      cluster_.core(1).gateway().Write(
          TestServer::Upsert(At(1), R"({"id":")" + n + R"(","pk":"p)" + n + R"(","n":)" + n +
                                        R"(,"team":)" + std::to_string(i % 7) + R"(,"pad":")" +
                                        std::string(280, 'x') + R"("})"),
          [&](const gateway::WriteResponse& response) {
            EXPECT_TRUE(response.status.has_value());
            written.count_down();
          });
    }
    written.wait();
  }

  static constexpr int64_t kRate = 100'000;
  static partition::Limits FastLimits() {
    partition::Limits limits;
    limits.physical_partition_rate_max = kRate;
    return limits;
  }
  gateway::ContainerRef At(uint64_t node) { return cluster_.Find(node, "db", "c"); }

  struct Answer {
    std::vector<std::string> rows;
    size_t bytes = 0;  // between nodes
    RequestUnits charge;
  };
  Answer Run(std::string text, size_t examined_max = 50'000) {
    QueryRequest request{.text = std::move(text)};
    request.container = At(1);
    Answer answer;
    const size_t before = cluster_.peers.Bytes();
    QueryLimits limits;
    limits.examined_max = examined_max;
    const QueryEngine engine(cluster_.core(1).gateway(), functions_, cluster_.clock, limits);
    for (int pages = 0; pages < 10'000; ++pages) {
      cluster_.clock.Advance(std::chrono::seconds(10));
      const auto page = engine.Run(request);
      EXPECT_TRUE(page.has_value()) << request.text;
      if (!page.has_value()) return answer;
      answer.rows.insert(answer.rows.end(), page->rows.begin(), page->rows.end());
      answer.charge += page->charge;
      pages_ = pages + 1;
      if (page->continuation.empty()) break;
      request.continuation = page->continuation;
    }
    answer.bytes = cluster_.peers.Bytes() - before;
    return answer;
  }

  gateway::TestCluster cluster_;
  FunctionRegistry functions_;
  int pages_ = 0;  // of what was run last
};

TEST_F(OwnerWorkTest, OnlyWhatMatchesIsSent) {
  const Answer all = Run("SELECT * FROM c");
  ASSERT_EQ(all.rows.size(), size_t{kClusterDocuments});
  const Answer few = Run("SELECT * FROM c WHERE c.n < 12");
  EXPECT_EQ(few.rows.size(), 12u);
  RecordProperty("all", std::to_string(all.bytes));
  RecordProperty("filtered", std::to_string(few.bytes));
  EXPECT_LE(few.bytes * 50, all.bytes) << few.bytes << " of " << all.bytes;
}

TEST_F(OwnerWorkTest, OnlyWhatIsSelectedIsSent) {
  const Answer all = Run("SELECT * FROM c");
  const Answer part = Run("SELECT VALUE c.n FROM c WHERE STARTSWITH(c.pad, 'x')");
  ASSERT_EQ(part.rows.size(), size_t{kClusterDocuments});
  EXPECT_LE(part.bytes * 3, all.bytes) << part.bytes << " of " << all.bytes;
}

TEST_F(OwnerWorkTest, NoMoreIsReadThanRowsAreWanted) {
  const Answer all = Run("SELECT * FROM c");
  const Answer first = Run("SELECT TOP 1 * FROM c WHERE c.team = 3");
  EXPECT_EQ(first.rows.size(), 1u);
  EXPECT_LE(first.bytes * 50, all.bytes) << first.bytes << " of " << all.bytes;
}

// Of aggregates and groups only what each partition makes of its documents is sent: that does not
// grow with them.
TEST_F(OwnerWorkTest, OnlyPartialGroupsAreSent) {
  const Answer all = Run("SELECT * FROM c");
  struct Case {
    std::string text;
    size_t rows;
    size_t share;  // of all bytes, at most one in so many
  };
  const Case cases[] = {
      {"SELECT VALUE COUNT(1) FROM c", 1, 100},
      {"SELECT VALUE SUM(c.n) FROM c WHERE c.team != 3", 1, 100},
      {"SELECT MIN(c.n) AS a, MAX(c.n) AS b, AVG(c.n) AS c FROM c", 1, 100},
      {"SELECT c.team, COUNT(1) AS n, SUM(c.n) AS s FROM c GROUP BY c.team", 7, 50},
      {"SELECT DISTINCT VALUE c.team FROM c", 7, 50},
      {"SELECT DISTINCT c.team, c.pad FROM c WHERE c.n < 1000", 7, 20},
  };
  for (const Case& each : cases) {
    const Answer answer = Run(each.text);
    EXPECT_EQ(answer.rows.size(), each.rows) << each.text;
    RecordProperty(each.text, std::to_string(answer.bytes));
    EXPECT_LE(answer.bytes * each.share, all.bytes)
        << each.text << ": " << answer.bytes << " of " << all.bytes;
    // What was examined costs the same, wherever groups are made.
    EXPECT_LE(answer.charge.hundredths(), all.charge.hundredths()) << each.text;
    EXPECT_GE(answer.charge.hundredths() * 10, all.charge.hundredths() * 9) << each.text;
  }
  EXPECT_EQ(Run("SELECT VALUE COUNT(1) FROM c").rows.front(), std::to_string(kClusterDocuments));
  EXPECT_EQ(Run("SELECT VALUE SUM(c.n) FROM c").rows.front(),
            std::to_string(kClusterDocuments * (kClusterDocuments - 1) / 2));
}

// The same rows in the same order, whatever is done where, and with pages that examine little.
TEST_F(OwnerWorkTest, PagesGoOnFromWhatWasExamined) {
  for (const std::string text :
       {"SELECT VALUE c.n FROM c WHERE c.n < 5", "SELECT VALUE SUM(c.n) FROM c",
        "SELECT VALUE COUNT(1) FROM c WHERE c.n < 0", "SELECT * FROM c WHERE c.n < 0"}) {
    const Answer whole = Run(text);
    EXPECT_EQ(pages_, 1) << text;
    const Answer paged = Run(text, 100);
    EXPECT_EQ(paged.rows, whole.rows) << text;
    EXPECT_GE(pages_, 4) << text;
  }
}

// Partitions that are not asked yet when the client goes are not asked at all.
TEST_F(OwnerWorkTest, NoWorkIsBegunForAClientThatHasGone) {
  const auto origin = std::make_shared<RequestOrigin>(cluster_.clock);
  QueryRequest request{.text = "SELECT VALUE c.n FROM c ORDER BY c.n + 1"};
  request.container = At(1);
  request.context = RequestContext(origin, RequestContext::kNoDeadline);
  const QueryEngine engine(cluster_.core(1).gateway(), functions_, cluster_.clock);
  cluster_.clock.Advance(std::chrono::seconds(10));
  const int before = cluster_.peers.Calls(cluster::PeerMethod::kScanItems);
  ASSERT_TRUE(engine.Run(request).has_value());
  const int all = cluster_.peers.Calls(cluster::PeerMethod::kScanItems) - before;
  ASSERT_GE(all, 4);  // partitions of other nodes

  cluster_.clock.Advance(std::chrono::seconds(10));
  cluster_.peers.before_call = [&](cluster::PeerMethod method) {
    if (method == cluster::PeerMethod::kScanItems) origin->Cancel(StopReason::kClientGone);
  };
  const auto page = engine.Run(request);
  cluster_.peers.before_call = nullptr;
  ASSERT_FALSE(page.has_value());
  EXPECT_EQ(std::get<Error>(page.error()).code(), Code::kCancelled);
  EXPECT_LT(cluster_.peers.Calls(cluster::PeerMethod::kScanItems) - before - all, all);
}

}  // namespace
}  // namespace orrery::sql
