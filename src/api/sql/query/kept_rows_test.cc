// Queries that sort, group or leave out repeated rows, with their rows kept between pages.
#include <optional>

#include "api/sql/query/source/source_testing.h"
#include "query/cursor/cursor_registry.h"

namespace orrery::sql {
namespace {

constexpr int kDocuments = 400;
constexpr std::string_view kGroups = "SELECT c.g, COUNT(1) AS n FROM c GROUP BY c.g";
constexpr std::string_view kOrdered = "SELECT VALUE c.n FROM c ORDER BY c.n";
constexpr std::string_view kDistinct = "SELECT DISTINCT VALUE c.g FROM c";

class KeptRowsTest : public SourceTest {
 protected:
  struct Pages {
    std::vector<std::string> rows = {};
    std::vector<size_t> examined = {};
    RequestUnits charge;
  };

  void SetUp() override {
    container_ = MakePlain("c", 2);
    std::vector<std::string> documents;
    for (int i = 0; i < kDocuments; ++i)
      documents.push_back(R"({"id":"i)" + std::to_string(i) + R"(","pk":"p)" +
                          std::to_string(i % 7) + R"(","g":)" + std::to_string(i * 37 % 100) +
                          R"(,"n":)" + std::to_string(i * 7919 % 1000) + "}");
    Put(container_, documents);
  }

  query::CursorRegistry& registry(query::CursorLimits limits = {}) {
    if (!registry_.has_value())
      registry_.emplace(query::CursorRegistry::Parts{.clock = server_.clock,
                                                     .metrics = server_.metrics,
                                                     .random = [this] { return ++last_id_; },
                                                     .api = "sql",
                                                     .limits = limits});
    return *registry_;
  }
  QueryRequest RequestOf(std::string_view text) const {
    return {.container = container_, .text = std::string(text), .max_items = 10};
  }
  QueryPage KeptPage(const QueryRequest& request) {
    const QueryEngine engine(*server_.gateway, functions_, server_.clock, {}, &registry());
    auto page = engine.Run(request);
    EXPECT_TRUE(page.has_value());
    return page.has_value() ? *std::move(page) : QueryPage();
  }
  template <typename AfterPage>
  Pages KeptPages(QueryRequest request, AfterPage after_page) {
    Pages pages;
    do {
      QueryPage page = KeptPage(request);
      std::ranges::move(page.rows, std::back_inserter(pages.rows));
      pages.examined.push_back(page.metrics.examined);
      pages.charge += page.charge;
      request.continuation = page.continuation;
      request.session = page.session;
      after_page(request);
    } while (!request.continuation.empty());
    return pages;
  }
  Pages KeptPages(const QueryRequest& request) {
    return KeptPages(request, [](QueryRequest&) {});
  }
  static size_t ComputedPages(const Pages& pages) {
    return static_cast<size_t>(
        std::ranges::count_if(pages.examined, [](size_t examined) { return examined > 0; }));
  }

  gateway::ContainerRef container_;

 private:
  uint64_t last_id_ = 0;
  std::optional<query::CursorRegistry> registry_;
};

TEST_F(KeptRowsTest, GroupsAndSortsAreComputedOnce) {
  for (const std::string_view text : {kGroups, kOrdered}) {
    const auto expected = RunInOrder(RequestOf(text));
    const RequestUnits charge_without = charge_;
    const Pages pages = KeptPages(RequestOf(text));
    EXPECT_EQ(pages.rows, expected) << text;
    EXPECT_GE(pages.examined.size(), 10) << text;
    EXPECT_EQ(ComputedPages(pages), 1) << text;
    EXPECT_LT(pages.charge.ToDouble() * 5, charge_without.ToDouble()) << text;
    // After the last page nothing is left.
    EXPECT_TRUE(registry().List().empty()) << text;
  }
}

// Each time as many rows are looked for as were skipped.
TEST_F(KeptRowsTest, DistinctRowsAreLookedForAFewTimes) {
  const auto expected = RunInOrder(RequestOf(kDistinct));
  const Pages pages = KeptPages(RequestOf(kDistinct));
  EXPECT_EQ(pages.rows, expected);
  EXPECT_EQ(pages.examined.size(), 10);
  EXPECT_LE(ComputedPages(pages), 4);
}

TEST_F(KeptRowsTest, WithoutRoomRowsAreComputedAgain) {
  registry({.cursors_max = 0});
  const Pages pages = KeptPages(RequestOf(kGroups));
  EXPECT_EQ(pages.rows, RunInOrder(RequestOf(kGroups)));
  EXPECT_EQ(ComputedPages(pages), pages.examined.size());
}

TEST_F(KeptRowsTest, LostRowsAreComputedAgain) {
  for (const std::string_view text : {kGroups, kOrdered, kDistinct}) {
    const auto expected = RunInOrder(RequestOf(text));
    const Pages killed =
        KeptPages(RequestOf(text), [&](QueryRequest&) { (void)registry().KillAll(); });
    EXPECT_EQ(killed.rows, expected) << text;
    EXPECT_EQ(ComputedPages(killed), killed.examined.size()) << text;
    // By a server that keeps nothing, or another node.
    QueryRequest request = RequestOf(text);
    const QueryPage first = KeptPage(request);
    request.continuation = first.continuation;
    const auto rest = RunInOrder(request);
    EXPECT_EQ(rest, std::vector(expected.begin() + 10, expected.end())) << text;
  }
}

// The same page twice, as clients ask when an answer was lost.
TEST_F(KeptRowsTest, APageCanBeAskedForAgain) {
  for (const std::string_view text : {kGroups, kOrdered}) {
    QueryRequest request = RequestOf(text);
    request.continuation = KeptPage(request).continuation;
    const QueryPage second = KeptPage(request);
    const QueryPage again = KeptPage(request);
    EXPECT_EQ(again.rows, second.rows) << text;
    EXPECT_EQ(again.continuation, second.continuation) << text;
    EXPECT_EQ(again.metrics.examined, 0) << text;
  }
}

TEST_F(KeptRowsTest, RowsThatAreOlderThanTheSessionAreComputedAgain) {
  QueryRequest request = RequestOf(kGroups);
  const QueryPage first = KeptPage(request);
  request.continuation = first.continuation;
  auto write = server_.gateway->WriteAndWait(
      gateway::TestServer::Upsert(container_, R"({"id":"new","pk":"p1","g":1,"n":-1})"));
  ASSERT_TRUE(write.status.has_value());
  request.session = write.session;
  const QueryPage second = KeptPage(request);
  EXPECT_GT(second.metrics.examined, 0);
  EXPECT_EQ(second.rows.size(), 10);
}

// Tokens of ORDER BY are good for every WHERE; the rows are not.
TEST_F(KeptRowsTest, ANarrowerQueryGetsItsOwnRows) {
  QueryRequest request = RequestOf(kOrdered);
  const QueryPage first = KeptPage(request);
  request.continuation = first.continuation;
  request.text = "SELECT VALUE c.n FROM c WHERE c.n % 2 = 0 ORDER BY c.n";
  const QueryPage narrow = KeptPage(request);
  ASSERT_FALSE(narrow.rows.empty());
  for (const std::string& row : narrow.rows) EXPECT_EQ(std::stoi(row) % 2, 0) << row;
}

TEST_F(KeptRowsTest, RowsAreNotKeptForEver) {
  const Pages pages = KeptPages(RequestOf(kGroups), [&](QueryRequest&) {
    server_.clock.Advance(query::CursorLimits().idle_max);
  });
  EXPECT_EQ(ComputedPages(pages), pages.examined.size());
}

}  // namespace
}  // namespace orrery::sql
