// Queries over a real store that a text index serves: the same rows as without, with little
// examined, over pages, partitions, changes of documents and of the policy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "api/sql/query/source/source_testing.h"
#include "model/text/indexed_terms.h"

namespace orrery::sql {
namespace {

using gateway::ContainerRef;

std::string Document(std::string_view id, std::string_view pk, std::string_view text) {
  return fmt::format(R"({{"id":"{}","pk":"{}","text":"{}"}})", id, pk, text);
}

class TermSourceTest : public SourceTest {
 protected:
  static std::vector<item::NamedIndex> Words() {
    return {IndexOf(item::IndexKind::kTerms, "/text")};
  }

  std::vector<std::string> Find(const ContainerRef& container, std::string_view word) {
    return RunAll({.container = container,
                   .text = fmt::format(
                       "SELECT VALUE c.id FROM c WHERE FullTextContains(c.text, '{}')", word)});
  }
};

// Texts of words w0 to w29, some of which are rare; some documents have none, or no text.
std::vector<std::string> RandomTexts(int count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::string> documents;
  for (int i = 0; i < count; ++i) {
    std::string text;
    for (uint32_t left = random() % 12; left > 0; --left)
      text += fmt::format("{}{}{}", random() % 2 == 0 ? "W" : "w",
                          std::min(random() % 30, random() % 30), left % 3 == 0 ? ", " : " ");
    if (i % 50 == 7) {
      for (size_t k = 0; k <= model::kIndexedTermsMax; ++k) text += fmt::format("many{} ", k);
    }
    if (i % 50 == 9) text += std::string(3 * model::kIndexedTermBytesMax, 'x') + " w1";
    const std::string id = fmt::format("i{}", i);
    const std::string pk = fmt::format("k{}", i % 8);
    documents.push_back(i % 20 == 3 ? fmt::format(R"({{"id":"{}","pk":"{}","text":5}})", id, pk)
                                    : Document(id, pk, text));
  }
  return documents;
}

TEST_F(TermSourceTest, TheSameRowsAsWithout) {
  const ContainerRef plain = Make("plain", 1);
  const ContainerRef words = Make("words", 3, Words());
  const auto documents = RandomTexts(240, 1);
  Put(plain, documents);
  Put(words, documents);
  std::vector<std::string> conditions = {
      fmt::format("FullTextContains(c.text, '{}')",
                  std::string(3 * model::kIndexedTermBytesMax, 'x')),
      fmt::format("FullTextContains(c.text, '{}')",
                  std::string(2 * model::kIndexedTermBytesMax, 'x')),
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

TEST_F(TermSourceTest, LooksOnlyAtWhatItNeeds) {
  const ContainerRef plain = Make("plain", 1);
  const ContainerRef words = Make("words", 1, Words());
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
    EXPECT_LE(served.metrics.examined, 2u) << text;
    EXPECT_TRUE(served.metrics.used_index) << text;
    EXPECT_GE(served.rows.size(), 1u) << text;
    const QueryPage scanned = RunPage({.container = plain, .text = text});
    EXPECT_EQ(served.rows.size(), scanned.rows.size()) << text;
    EXPECT_LT(served.charge, scanned.charge) << text;
  }
}

TEST_F(TermSourceTest, FollowsChangesOfDocuments) {
  const ContainerRef container = Make("c", 1, Words());
  Put(container, {Document("1", "a", "red car"), Document("2", "a", "red bicycle")});
  EXPECT_EQ(Find(container, "red"), (std::vector<std::string>{R"("1")", R"("2")"}));
  Put(container, {Document("1", "a", "blue car")});
  EXPECT_EQ(Find(container, "red"), std::vector<std::string>{R"("2")"});
  EXPECT_EQ(Find(container, "blue"), std::vector<std::string>{R"("1")"});
  Delete(container, "a", "2");
  EXPECT_TRUE(Find(container, "red").empty());
  const QueryPage page =
      RunPage({.container = container,
               .text = "SELECT * FROM c WHERE FullTextContains(c.text, 'bicycle')"});
  EXPECT_EQ(page.metrics.examined, 0u);
}

TEST_F(TermSourceTest, APolicyThatGainsAndLosesIt) {
  const ContainerRef before = Make("c", 1);
  Put(before, RandomTexts(100, 3));
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
  EXPECT_LE(RunPage(query).metrics.examined, 2u);  // those of too many words

  settings.indexing.named.clear();
  ASSERT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
  server_.catalog->WaitForIndexes();
  EXPECT_EQ(Find(server_.Find("c"), "w2"), expected);
}

TEST_F(TermSourceTest, PagesGoOnWhenTheIndexComes) {
  const ContainerRef before = Make("c", 3);
  Put(before, RandomTexts(120, 5));
  QueryRequest request{
      .container = before,
      .text = "SELECT VALUE c.id FROM c WHERE FullTextContainsAny(c.text, 'w1', 'w2', 'w3')",
      .max_items = 7};
  const auto expected = RunAll(request);
  QueryPage page = RunPage(request);
  std::vector<std::string> rows = page.rows;
  ASSERT_FALSE(page.continuation.empty());

  gateway::ContainerSettings settings = before->settings;
  settings.indexing.named = Words();
  ASSERT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
  server_.catalog->WaitForIndexes();
  request.container = server_.Find("c");
  EXPECT_EQ(RunAll(request), expected);
  request.continuation = page.continuation;
  std::ranges::move(RunInOrder(request), std::back_inserter(rows));
  EXPECT_EQ(Sorted(rows), expected);
}

TEST_F(TermSourceTest, PagesOfAnIndexThatIsGoneAreRefused) {
  const ContainerRef before = Make("c", 1, Words());
  Put(before, RandomTexts(120, 5));
  QueryRequest request{
      .container = before,
      .text = "SELECT VALUE c.id FROM c WHERE FullTextContainsAny(c.text, 'w1', 'w2', 'w3')",
      .max_items = 7};
  request.continuation = RunPage(request).continuation;
  ASSERT_FALSE(request.continuation.empty());
  gateway::ContainerSettings settings = before->settings;
  settings.indexing.named.clear();
  ASSERT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
  server_.catalog->WaitForIndexes();
  request.container = server_.Find("c");
  const auto page = QueryEngine(*server_.gateway, functions_, server_.clock).Run(request);
  ASSERT_FALSE(page.has_value());
  ASSERT_TRUE(std::holds_alternative<Error>(page.error()));
  EXPECT_EQ(std::get<Error>(page.error()).code(), Code::kInvalidArgument);
}

TEST_F(TermSourceTest, PagesGoOnOverASplit) {
  const ContainerRef container = Make("c", 1, Words());
  Put(container, RandomTexts(120, 4));
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
    if (page == 0) Split(container);
  }
  EXPECT_EQ(Sorted(rows), expected);
}

}  // namespace
}  // namespace orrery::sql
