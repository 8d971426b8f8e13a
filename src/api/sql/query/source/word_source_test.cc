// Queries over a real store that an index of words serves: the same rows as without, with little
// looked at, over pages, partitions, changes of documents and of the policy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <random>

#include "api/sql/query/query_engine.h"
#include "gateway/test_server.h"
#include "model/text/index_words.h"

namespace orrery::sql {
namespace {

using gateway::ContainerRef;
using gateway::TestServer;

constexpr int64_t kRate = 100'000;

partition::Limits FastPartitions() {
  partition::Limits limits;
  limits.physical_partition_rate_max = kRate;
  return limits;
}

std::vector<std::string> Sorted(std::vector<std::string> rows) {
  std::ranges::sort(rows);
  return rows;
}

std::string Document(std::string_view id, std::string_view pk, std::string_view text) {
  return fmt::format(R"({{"id":"{}","pk":"{}","text":"{}"}})", id, pk, text);
}

class WordSourceTest : public testing::Test {
 protected:
  WordSourceTest() : server_(FastPartitions()) {
    EXPECT_TRUE(server_.catalog->CreateDatabase("db", {}).has_value());
  }

  static std::vector<item::NamedIndex> Words() {
    item::NamedIndex index{.id = 1, .name = "words", .paths = {*model::Path::Parse("/text")}};
    index.kind = item::IndexKind::kWords;
    return {index};
  }

  ContainerRef Make(std::string name, bool has_words, int partitions) {
    gateway::ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(kRate * partitions);
    if (has_words) settings.indexing.named = Words();
    auto created = server_.catalog->CreateContainer("db", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    return *created;
  }

  void Put(const ContainerRef& container, const std::vector<std::string>& documents) {
    std::latch written(static_cast<ptrdiff_t>(documents.size()));
    for (const std::string& json : documents) {
      server_.gateway->Write(TestServer::Upsert(container, json),
                             [&](gateway::WriteResponse response) {
                               EXPECT_TRUE(response.status.has_value());
                               written.count_down();
                             });
    }
    written.wait();
    server_.clock.Advance(std::chrono::seconds(10));
  }

  QueryPage RunPage(const QueryRequest& request) {
    server_.clock.Advance(std::chrono::seconds(1));
    auto page = QueryEngine(*server_.gateway, functions_, server_.clock).Run(request);
    if (page.has_value()) return *std::move(page);
    ADD_FAILURE() << request.text;
    return {};
  }
  std::vector<std::string> RunAll(QueryRequest request) {
    std::vector<std::string> rows;
    constexpr int kPagesMax = 10'000;
    for (int i = 0; i < kPagesMax; ++i) {
      QueryPage page = RunPage(request);
      std::ranges::move(page.rows, std::back_inserter(rows));
      if (page.continuation.empty()) return Sorted(std::move(rows));
      request.continuation = page.continuation;
    }
    ADD_FAILURE() << "the pages do not end";
    return rows;
  }
  std::vector<std::string> Find(const ContainerRef& container, std::string_view word) {
    return RunAll({.container = container,
                   .text = fmt::format(
                       "SELECT VALUE c.id FROM c WHERE FullTextContains(c.text, '{}')", word)});
  }

  TestServer server_;
  FunctionRegistry functions_;
};

// Texts of words w0 to w29, some of which are rare; some documents have none, or no text.
std::vector<std::string> RandomDocuments(int count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::string> documents;
  for (int i = 0; i < count; ++i) {
    std::string text;
    for (uint32_t left = random() % 12; left > 0; --left)
      text += fmt::format("{}{}{}", random() % 2 == 0 ? "W" : "w",
                          std::min(random() % 30, random() % 30), left % 3 == 0 ? ", " : " ");
    if (i % 50 == 7) {
      for (size_t k = 0; k <= model::kIndexedWordsMax; ++k) text += fmt::format("many{} ", k);
    }
    if (i % 50 == 9) text += std::string(3 * model::kIndexedWordBytesMax, 'x') + " w1";
    const std::string id = fmt::format("i{}", i);
    const std::string pk = fmt::format("k{}", i % 8);
    documents.push_back(i % 20 == 3 ? fmt::format(R"({{"id":"{}","pk":"{}","text":5}})", id, pk)
                                    : Document(id, pk, text));
  }
  return documents;
}

TEST_F(WordSourceTest, TheSameRowsAsWithout) {
  const ContainerRef plain = Make("plain", false, 1);
  const ContainerRef words = Make("words", true, 3);
  const auto documents = RandomDocuments(240, 1);
  Put(plain, documents);
  Put(words, documents);
  std::vector<std::string> conditions = {
      fmt::format("FullTextContains(c.text, '{}')",
                  std::string(3 * model::kIndexedWordBytesMax, 'x')),
      fmt::format("FullTextContains(c.text, '{}')",
                  std::string(2 * model::kIndexedWordBytesMax, 'x')),
      "FullTextContains(c.text, 'many7') AND c.pk IN ('k1', 'k7')",
      "FullTextContainsAny(c.text, 'many7', 'w1', 'w2')",
      "c.pk = 'k4' AND FullTextContainsAny(c.text, 'w1', 'w3')",
      "FullTextContainsAny(c.text, 'w1', 'w3') AND c.id > 'i3'"};
  std::mt19937 random(2);
  for (int i = 0; i < 12; ++i) {
    conditions.push_back(
        fmt::format("FullTextContains(c.text, 'w{} w{}')", random() % 6, random() % 6));
    conditions.push_back(fmt::format("FullTextContainsAll(c.text, 'w{}', 'w{}', 'W{}')",
                                     random() % 10, random() % 10, random() % 10));
    conditions.push_back(fmt::format("FullTextContainsAny(c.text, 'w{}', 'w{}', 'none', 'w{} w1')",
                                     random() % 30, random() % 30, random() % 10));
  }
  for (const std::string& condition : conditions) {
    const std::string text = "SELECT VALUE c.id FROM c WHERE " + condition;
    const auto expected = RunAll({.container = plain, .text = text});
    for (const int64_t page : {-1, 7, 1})
      EXPECT_EQ(RunAll({.container = words, .text = text, .max_items = page}), expected) << text;
  }
}

TEST_F(WordSourceTest, LooksOnlyAtWhatItNeeds) {
  const ContainerRef plain = Make("plain", false, 1);
  const ContainerRef words = Make("words", true, 1);
  std::vector<std::string> documents;
  for (int i = 0; i < 1'000; ++i)
    documents.push_back(Document(fmt::format("i{}", i), fmt::format("k{}", i % 8),
                                 fmt::format("common words and number{}", i)));
  Put(plain, documents);
  Put(words, documents);
  for (const std::string condition :
       {"FullTextContains(c.text, 'number77')", "FullTextContains(c.text, 'and number77')",
        "FullTextContainsAll(c.text, 'common', 'number77')",
        "FullTextContainsAny(c.text, 'number77', 'number78')",
        "FullTextContains(c.text, 'number77') AND c.pk = 'k5'"}) {
    const std::string text = "SELECT * FROM c WHERE " + condition + " ORDER BY c.id";
    const QueryPage served = RunPage({.container = words, .text = text});
    EXPECT_LE(served.metrics.looked_at, 2u) << text;
    EXPECT_TRUE(served.metrics.used_index) << text;
    EXPECT_GE(served.rows.size(), 1u) << text;
    const QueryPage scanned = RunPage({.container = plain, .text = text});
    EXPECT_EQ(served.rows.size(), scanned.rows.size()) << text;
    EXPECT_LT(served.charge, scanned.charge) << text;
  }
}

TEST_F(WordSourceTest, FollowsChangesOfDocuments) {
  const ContainerRef container = Make("c", true, 1);
  Put(container, {Document("1", "a", "red car"), Document("2", "a", "red bicycle")});
  EXPECT_EQ(Find(container, "red"), (std::vector<std::string>{R"("1")", R"("2")"}));
  Put(container, {Document("1", "a", "blue car")});
  EXPECT_EQ(Find(container, "red"), std::vector<std::string>{R"("2")"});
  EXPECT_EQ(Find(container, "blue"), std::vector<std::string>{R"("1")"});
  gateway::WriteRequest request;
  request.container = container;
  request.partition_key = {Value::String("a")};
  request.operations.emplace_back();
  request.operations.back().kind = item::OperationKind::kDelete;
  request.operations.back().row_key = Value::String("2");
  ASSERT_TRUE(server_.gateway->WriteAndWait(std::move(request)).status.has_value());
  EXPECT_TRUE(Find(container, "red").empty());
  const QueryPage page =
      RunPage({.container = container,
               .text = "SELECT * FROM c WHERE FullTextContains(c.text, 'bicycle')"});
  EXPECT_EQ(page.metrics.looked_at, 0u);
}

TEST_F(WordSourceTest, APolicyThatGainsAndLosesIt) {
  const ContainerRef before = Make("c", false, 1);
  Put(before, RandomDocuments(100, 3));
  const auto expected = Find(before, "w2");
  ASSERT_FALSE(expected.empty());
  gateway::ContainerSettings settings = before->settings;
  settings.indexing.named = Words();
  ASSERT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
  EXPECT_EQ(Find(server_.Find("c"), "w2"), expected);
  server_.catalog->WaitForIndexes();
  const ContainerRef with = server_.Find("c");
  EXPECT_EQ(Find(with, "w2"), expected);
  const QueryRequest query{.container = with,
                           .text = "SELECT * FROM c WHERE FullTextContains(c.text, 'none')"};
  EXPECT_LE(RunPage(query).metrics.looked_at, 2u);  // those of too many words

  settings.indexing.named.clear();
  ASSERT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
  server_.catalog->WaitForIndexes();
  EXPECT_EQ(Find(server_.Find("c"), "w2"), expected);
}

TEST_F(WordSourceTest, PagesGoOnOverASplit) {
  const ContainerRef container = Make("c", true, 1);
  Put(container, RandomDocuments(120, 4));
  QueryRequest request{
      .container = container,
      .text = "SELECT VALUE c.id FROM c WHERE FullTextContainsAny(c.text, 'w1', 'w2', 'w3')",
      .max_items = 20};
  const auto expected = RunAll(request);
  std::vector<std::string> rows;
  for (int page = 0; page == 0 || !request.continuation.empty(); ++page) {
    QueryPage answer = RunPage(request);
    std::ranges::move(answer.rows, std::back_inserter(rows));
    request.continuation = answer.continuation;
    if (page > 0) continue;
    server_.node->WaitForBackground();
    const PartitionId first = server_.node->topology()->map->Ranges(container->id)[0].partition;
    ASSERT_TRUE(server_.node->Split(first, std::nullopt).has_value());
  }
  EXPECT_EQ(Sorted(rows), expected);
}

}  // namespace
}  // namespace orrery::sql
