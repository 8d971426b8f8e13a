// Queries over a real store that an index of vectors serves: the same rows as without, in the same
// order, with little examined, over pages, partitions, changes of documents and of the policy.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <random>

#include "api/sql/query/source/source_testing.h"

namespace orrery::sql {
namespace {

using gateway::ContainerRef;
using item::VectorIndexType;
using model::VectorMeasure;
using Rows = std::vector<std::string>;

constexpr uint32_t kDimensions = 6;

class NearestSourceTest : public SourceTest {
 protected:
  static std::vector<item::NamedIndex> Vectors(VectorIndexType type,
                                               VectorMeasure measure = VectorMeasure::kCosine) {
    auto index = IndexOf(item::IndexKind::kVectors, "/v");
    index.vectors = {.type = type, .dimensions = kDimensions, .measure = measure};
    return {index};
  }
};

std::string VectorText(std::mt19937& random, uint32_t dimensions = kDimensions) {
  std::vector<double> vector;
  for (uint32_t i = 0; i < dimensions; ++i)
    vector.push_back(static_cast<double>(static_cast<int>(random() % 41)) / 8 - 2.5);
  return fmt::format("[{}]", fmt::join(vector, ", "));
}

std::string Document(int i, std::mt19937& random) {
  std::string vector = VectorText(random, i % 14 == 6 ? kDimensions - 1 : kDimensions);
  if (i % 15 == 4) vector = "[0, 0, 0, 0, 0, 0]";
  if (i % 15 == 7) vector = "[1, 1, 1, 1, 1, 1]";
  if (i % 15 == 9) vector = R"("none")";
  return fmt::format(
      R"({{"id":"i{}","pk":"k{}","v":{},"n":{},"few":{},"tags":["a","b"],"text":"word{} all"}})", i,
      i % 9, vector, i % 50, i % 7, i % 5);
}

std::vector<std::string> RandomDocuments(int count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::string> documents;
  for (int i = 0; i < count; ++i) documents.push_back(Document(i, random));
  return documents;
}

struct NearestQuery {
  std::string select = "VALUE c.id FROM c";
  std::string condition = "true";
  std::string call;
  size_t skip = 0;
  size_t take = 9;

  std::string Text() const {
    return fmt::format("SELECT {} WHERE {} ORDER BY {} OFFSET {} LIMIT {}", select, condition, call,
                       skip, take);
  }
};

std::vector<NearestQuery> RandomQueries(uint32_t seed) {
  constexpr size_t kAll = 1'000;
  std::mt19937 random(seed);
  std::vector<NearestQuery> queries;
  for (const std::string options :
       {"", ", false", ", true", ", false, {'distanceFunction': 'dotproduct'}",
        ", true, {'distanceFunction': 'euclidean'}"}) {
    const std::string call = fmt::format("VectorDistance(c.v, {}{})", VectorText(random), options);
    queries.push_back({.call = call, .take = 12});
    queries.push_back({.call = call, .skip = 5});
    queries.push_back({.call = call, .skip = 220, .take = 15});
    queries.push_back({.select = "c.id, t FROM c JOIN t IN c.tags", .call = call});
    queries.push_back({.select = "c.id, t FROM c JOIN t IN c.tags", .call = call, .take = kAll});
    for (const std::string condition :
         {"true", "c.few = 3", "c.few IN (1, 3)", "c.n > 45", "c.n % 50 = 13", "c.pk = 'k4'",
          "c.pk = 'k4' AND c.few = 1", "ARRAY_CONTAINS(c.tags, 'a')"}) {
      queries.push_back({.condition = condition, .call = call});
      queries.push_back({.condition = condition, .call = call, .take = kAll});
    }
  }
  return queries;
}

// All that have a vector, in order, and then the others, of which an index may have its own order.
TEST_F(NearestSourceTest, TheNearestAndThenThoseWithoutAVector) {
  const ContainerRef plain = Make("plain", 1);
  const auto documents = RandomDocuments(260, 1);
  Put(plain, documents);
  for (const auto type :
       {VectorIndexType::kFlat, VectorIndexType::kQuantized, VectorIndexType::kSketched}) {
    const ContainerRef vectors =
        Make(fmt::format("vectors{}", static_cast<int>(type)), 3, Vectors(type));
    Put(vectors, documents);
    for (const NearestQuery& query : RandomQueries(2)) {
      const Rows ranked =
          RunInOrder({.container = plain,
                      .text = fmt::format("SELECT {} WHERE {} AND IS_NUMBER({}) ORDER BY {}",
                                          query.select, query.condition, query.call, query.call)});
      Rows expected = ranked;
      std::ranges::move(
          RunInOrder({.container = plain,
                      .text = fmt::format("SELECT {} WHERE {} AND NOT IS_DEFINED({})", query.select,
                                          query.condition, query.call)}),
          std::back_inserter(expected));
      const bool takes_all = query.take > expected.size();
      expected.erase(expected.begin(), expected.begin() + static_cast<ptrdiff_t>(query.skip));
      if (!takes_all) expected.resize(query.take);
      for (const int64_t page : {-1, 5}) {
        Rows rows = RunInOrder({.container = vectors, .text = query.Text(), .max_items = page});
        if (takes_all && rows.size() == expected.size()) {
          const auto others = static_cast<ptrdiff_t>(ranked.size() - query.skip);
          std::sort(rows.begin() + others, rows.end());
          std::sort(expected.begin() + others, expected.end());
        }
        EXPECT_EQ(rows, expected) << query.Text();
      }
    }
  }
}

// Undefined stands where it does in every ORDER BY: first upwards.
TEST_F(NearestSourceTest, WithoutAnIndexInTheOrderOfTheScore) {
  const ContainerRef plain = Make("plain", 1);
  Put(plain, {R"({"id":"near","pk":"a","v":[1,0]})", R"({"id":"far","pk":"b","v":[0,1]})",
              R"({"id":"none","pk":"c"})"});
  const auto run = [&](std::string_view measure) {
    return RunInOrder({.container = plain,
                       .text = fmt::format("SELECT TOP 3 VALUE c.id FROM c ORDER BY VectorDistance("
                                           "c.v, [1, 0], false, {{'distanceFunction': '{}'}})",
                                           measure)});
  };
  EXPECT_EQ(run("cosine"), (Rows{R"("near")", R"("far")", R"("none")"}));
  EXPECT_EQ(run("euclidean"), (Rows{R"("none")", R"("near")", R"("far")"}));
}

// Documents without a vector are not read while others fill the page.
TEST_F(NearestSourceTest, LooksOnlyAtWhatItNeeds) {
  const ContainerRef plain = Make("plain", 1);
  const ContainerRef vectors = Make("vectors", 1, Vectors(VectorIndexType::kFlat));
  const auto documents = RandomDocuments(400, 3);
  Put(plain, documents);
  Put(vectors, documents);
  for (const std::string where : {"", "WHERE c.few = 3"}) {
    const std::string text = fmt::format(
        "SELECT TOP 5 * FROM c {} ORDER BY VectorDistance(c.v, [1, 2, 3, -1, -2, -3])", where);
    const QueryPage served = RunPage({.container = vectors, .text = text});
    EXPECT_LE(served.metrics.examined, 40u) << text;
    EXPECT_TRUE(served.metrics.used_index) << text;
    EXPECT_EQ(served.rows.size(), 5u) << text;
    EXPECT_TRUE(served.continuation.empty()) << text;
    const QueryPage scanned = RunPage({.container = plain, .text = text});
    EXPECT_LT(served.charge, scanned.charge) << text;
  }
}

// Documents that the nearest-neighbour search does not find are found by the conditions' index, not
// by another full scan.
TEST_F(NearestSourceTest, LooksForThoseWithoutAVectorByTheirIndex) {
  const ContainerRef vectors = Make("vectors", 1, Vectors(VectorIndexType::kFlat));
  constexpr int kDocuments = 400;
  Put(vectors, RandomDocuments(kDocuments, 7));
  const Rows rows = RunInOrder({.container = vectors,
                                .text = "SELECT TOP 30 VALUE c.id FROM c WHERE c.n > 47 ORDER BY "
                                        "VectorDistance(c.v, [1, 2, 3, -1, -2, -3])"});
  EXPECT_EQ(rows.size(), 16u);
  EXPECT_LE(examined_, kDocuments + 16u);
}

TEST_F(NearestSourceTest, FollowsChangesOfDocuments) {
  const ContainerRef plain = Make("plain", 1);
  const ContainerRef vectors = Make("vectors", 2, Vectors(VectorIndexType::kSketched));
  std::mt19937 random(4);
  for (const ContainerRef& container : {plain, vectors}) Put(container, RandomDocuments(90, 4));
  const std::string text =
      "SELECT TOP 20 VALUE c.id FROM c ORDER BY VectorDistance(c.v, [1, 0, 0, 2, 0, 1])";
  for (int round = 0; round < 6; ++round) {
    std::vector<std::string> changed;
    for (int i = round; i < 90; i += 7) changed.push_back(Document(i, random));
    for (const ContainerRef& container : {plain, vectors}) {
      Put(container, changed);
      const int gone = 11 * (round + 1);
      Delete(container, fmt::format("k{}", gone % 9), fmt::format("i{}", gone));
    }
    EXPECT_EQ(RunInOrder({.container = vectors, .text = text}),
              RunInOrder({.container = plain, .text = text}));
  }
}

TEST_F(NearestSourceTest, APolicyThatGainsAndLosesIt) {
  const ContainerRef before = Make("c", 1);
  Put(before, RandomDocuments(100, 5));
  const std::string text =
      "SELECT TOP 9 VALUE c.id FROM c ORDER BY VectorDistance(c.v, [1, 0, 0, 2, 0, 1])";
  const auto run = [&] { return RunInOrder({.container = server_.Find("c"), .text = text}); };
  const auto expected = run();
  gateway::ContainerSettings settings = before->settings;
  settings.indexing.named = Vectors(VectorIndexType::kQuantized);
  ASSERT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
  EXPECT_EQ(run(), expected);
  server_.catalog->WaitForIndexes();
  EXPECT_EQ(run(), expected);
  EXPECT_TRUE(RunPage({.container = server_.Find("c"), .text = text}).metrics.used_index);

  settings.indexing.named.clear();
  ASSERT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
  server_.catalog->WaitForIndexes();
  EXPECT_EQ(run(), expected);
  EXPECT_FALSE(RunPage({.container = server_.Find("c"), .text = text}).metrics.used_index);
}

TEST_F(NearestSourceTest, PagesGoOnOverASplit) {
  const ContainerRef container = Make("c", 1, Vectors(VectorIndexType::kFlat));
  Put(container, RandomDocuments(120, 6));
  for (const std::string where : {"", "WHERE c.n % 3 = 1", "WHERE c.few = 2"}) {
    QueryRequest request{.container = container,
                         .text = fmt::format("SELECT TOP 60 VALUE c.id FROM c {} ORDER BY "
                                             "VectorDistance(c.v, [1, 0, 0, 2, 0, 1])",
                                             where),
                         .max_items = 4};
    const auto expected = RunInOrder(request);
    Rows rows;
    for (int page = 0; page == 0 || !request.continuation.empty(); ++page) {
      QueryPage answer = RunPage(request);
      std::ranges::move(answer.rows, std::back_inserter(rows));
      request.continuation = answer.continuation;
      if (page == 1) Split(container);
    }
    EXPECT_EQ(rows, expected);
  }
}

}  // namespace
}  // namespace orrery::sql
