// Searches by distance over a real engine: what an index of vectors answers is what a look at all
// items answers, or nearly, at the cost of few of them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "item/index/index_terms.h"
#include "item/item_test_harness.h"
#include "item/read/reader.h"

namespace orrery::item {
namespace {

using enum OperationKind;
using model::VectorMeasure;
using storage::ReadMode;
using Vector = std::vector<double>;
using Ids = std::vector<std::string>;

class NearestScanTest : public testing::Test {
 protected:
  struct Known {
    std::string pk;
    Vector vector;
  };

  void UseIndex(VectorIndexType type, uint32_t dimensions,
                VectorMeasure measure = VectorMeasure::kCosine) {
    schema_ = PlainSchema();
    NamedIndex index{.id = 7, .name = "v", .paths = {PathOf("/v")}};
    index.kind = IndexKind::kVectors;
    index.vectors = {.type = type, .dimensions = dimensions, .measure = measure};
    schema_->indexing =
        IndexPolicy::FromPatterns({"/tag/?"}, {"/*"}).value().WithNamed({std::move(index)});
  }

  static size_t TagOf(const std::string& id) { return std::hash<std::string>()(id) % 4; }
  static Operation Upsert(const std::string& pk, const std::string& id, const Vector& vector) {
    return Do(kUpsert, id,
              fmt::format(R"({{"id":"{}","pk":"{}","v":[{}],"tag":{}}})", id, pk,
                          fmt::join(vector, ","), TagOf(id)));
  }
  void Put(const std::string& pk, const std::string& id, const Vector& vector) {
    const auto outcome = harness_.Run(schema_, pk, Upsert(pk, id, vector));
    ASSERT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
    known_[id] = {pk, vector};
  }
  // So many items, in few transactions.
  template <typename Make>
  void PutMany(int count, Make make) {
    constexpr int kKeys = 10;
    for (int k = 0; k < kKeys; ++k) {
      const std::string pk = fmt::format("p{}", k);
      std::vector<Operation> operations;
      for (int i = k; i < count; i += kKeys) {
        const std::string id = fmt::format("i{}", i);
        known_[id] = {pk, make()};
        operations.push_back(Upsert(pk, id, known_[id].vector));
      }
      const auto outcome = harness_.Run(schema_, pk, std::move(operations));
      ASSERT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
    }
  }
  void Delete(const std::string& id) {
    ASSERT_TRUE(harness_.Run(schema_, known_[id].pk, Do(kDelete, id)).status.has_value());
    known_.erase(id);
  }

  static Vector RandomVector(size_t dimensions, std::mt19937& random) {
    std::normal_distribution<double> normal;
    Vector vector(dimensions);
    for (double& number : vector) number = normal(random);
    return vector;
  }

  std::shared_ptr<NearestSearch> Search(Vector target,
                                        VectorMeasure measure = VectorMeasure::kCosine) const {
    auto search = std::make_shared<NearestSearch>();
    search->index = NamedIndexId(7);
    search->target = std::move(target);
    search->measure = measure;
    search->descending = !model::IsDistance(measure);
    return search;
  }

  Ids Walk(const ScanRequest& request, size_t items_max, size_t pages_max = SIZE_MAX,
           partition::HashRange range = {}, size_t bytes_max = SIZE_MAX) {
    Ids ids;
    std::optional<std::string> next;
    examined_ = passed_ = 0;
    for (size_t i = 0; i < pages_max; ++i) {
      const auto page = harness_.Reader(*schema_, range)
                            .Scan(request, next, {.items_max = items_max, .bytes_max = bytes_max},
                                  ReadMode::kMayBlock);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) break;
      for (const ScannedItem& item : page->items)
        ids.push_back(item.document.view().Get("id").AsString());
      examined_ += page->examined;
      passed_ += page->entries_passed;
      next = page->next;
      if (!next.has_value()) break;
    }
    return ids;
  }
  Ids Nearest(std::shared_ptr<NearestSearch> search, size_t count) {
    ScanRequest request;
    request.nearest = std::move(search);
    return Walk(request, count, 1);
  }

  // By a look at all.
  Ids Expected(const NearestSearch& search, partition::HashRange range = {},
               const std::string& pk = {}) const {
    struct Ranked {
      double rank;
      Hash128 hash;
      std::string pk;
      std::string id;
      auto operator<=>(const Ranked&) const = default;
    };
    std::vector<Ranked> ranked;
    for (const auto& [id, known] : known_) {
      if (known.vector.size() != search.target.size()) continue;
      if (!pk.empty() && known.pk != pk) continue;
      const Hash128 hash = HashOfKey(known.pk);
      if (!range.Contains(hash)) continue;
      const auto number = model::Measure(search.measure, known.vector, search.target);
      if (number.has_value())
        ranked.push_back({search.descending ? -*number : *number, hash, known.pk, id});
    }
    std::ranges::sort(ranked);
    Ids ids;
    for (const Ranked& each : ranked) ids.push_back(each.id);
    return ids;
  }

  static Ids First(Ids ids, size_t count) {
    ids.resize(std::min(ids.size(), count));
    return ids;
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_;
  std::map<std::string, Known> known_;
  size_t examined_ = 0;
  size_t passed_ = 0;
};

TEST_F(NearestScanTest, EveryTypeAndMeasureInOrder) {
  for (const auto type :
       {VectorIndexType::kFlat, VectorIndexType::kQuantized, VectorIndexType::kSketched}) {
    for (const auto measure :
         {VectorMeasure::kCosine, VectorMeasure::kDotProduct, VectorMeasure::kEuclidean}) {
      std::mt19937 random(5);
      known_.clear();
      UseIndex(type, 5, measure);
      schema_->id =
          ContainerId(10 + 10 * static_cast<uint32_t>(type) + static_cast<uint32_t>(measure));
      for (int i = 0; i < 120; ++i) {
        Vector vector = RandomVector(i % 13 == 1 ? 4 : 5, random);
        if (i % 17 == 3) std::ranges::fill(vector, 0);
        if (i % 11 == 5) vector = {1, 2, 3, 4, 5};  // equal ones
        Put(fmt::format("p{}", i % 7), fmt::format("i{}", i), vector);
      }
      for (int i = 0; i < 120; i += 9)
        Put(fmt::format("p{}", i % 7), fmt::format("i{}", i), RandomVector(5, random));
      for (int i = 4; i < 120; i += 10) Delete(fmt::format("i{}", i));
      for (const bool reversed : {false, true}) {
        auto search = Search(RandomVector(5, random), measure);
        search->descending = search->descending != reversed;
        search->compares_all = true;
        const Ids expected = Expected(*search);
        ScanRequest request;
        request.nearest = search;
        for (const size_t items : {1u, 7u, 50u, 1'000u})
          EXPECT_EQ(Walk(request, items), expected) << NameOf(measure) << " by " << items;
        EXPECT_EQ(Walk(request, 50, SIZE_MAX, {}, 300), expected);
        // An index of so few is compared as a whole.
        search->compares_all = false;
        if (type != VectorIndexType::kQuantized) EXPECT_EQ(Walk(request, 10), expected);
      }
    }
  }
}

TEST_F(NearestScanTest, PartsOfTheRingAndOneKey) {
  UseIndex(VectorIndexType::kFlat, 3);
  std::mt19937 random(6);
  for (int i = 0; i < 60; ++i)
    Put(fmt::format("p{}", i % 9), fmt::format("i{}", i), RandomVector(3, random));
  const auto search = Search(RandomVector(3, random));
  ScanRequest request;
  request.nearest = search;
  const auto lower = partition::HashRange::Inclusive(Hash128::Min(), HashOfKey("p4"));
  EXPECT_EQ(Walk(request, 4, SIZE_MAX, lower), Expected(*search, lower));
  request.partition_key = Tuple("p3");
  request.hash = HashOfKey("p3");
  EXPECT_EQ(Walk(request, 4), Expected(*search, {}, "p3"));
  EXPECT_LT(passed_, 20u);
}

TEST_F(NearestScanTest, AmongWhatAnotherIndexHas) {
  UseIndex(VectorIndexType::kQuantized, 3);
  std::mt19937 random(7);
  for (int i = 0; i < 80; ++i)
    Put(fmt::format("p{}", i % 5), fmt::format("i{}", i), RandomVector(3, random));
  auto search = Search(RandomVector(3, random));
  search->compares_all = true;
  const model::Value tag = model::Value::Int32(2);
  const ValueBound at{model::EncodeKey({&tag, 1}, model::Order::kSql), true};
  search->among = {
      {.index = PathIndexId(std::vector{model::PathStep::Field("tag")}), .lower = at, .upper = at}};
  Ids expected = Expected(*search);
  std::erase_if(expected, [](const std::string& id) { return TagOf(id) != 2; });
  ASSERT_FALSE(expected.empty());
  ScanRequest request;
  request.nearest = search;
  EXPECT_EQ(Walk(request, 5), expected);
  Walk(request, 100, 1);
  EXPECT_EQ(passed_, 2 * expected.size());
}

TEST_F(NearestScanTest, GoesOnBehindAnItem) {
  UseIndex(VectorIndexType::kFlat, 2);
  std::mt19937 random(8);
  for (int i = 0; i < 30; ++i) Put("p", fmt::format("i{}", i), RandomVector(2, random));
  const auto search = Search(RandomVector(2, random), VectorMeasure::kEuclidean);
  const Ids expected = Expected(*search);
  const std::string& at = expected[11];
  const double rank = *model::Measure(search->measure, known_[at].vector, search->target);
  search->after = {.rank = rank, .key = KeyOf("p", at)};
  ScanRequest request;
  request.nearest = search;
  EXPECT_EQ(Walk(request, 4), Ids(expected.begin() + 12, expected.end()));
  search->after->with_item = true;
  EXPECT_EQ(Walk(request, 4), Ids(expected.begin() + 11, expected.end()));
}

TEST_F(NearestScanTest, ExpiredItemsAreNotThere) {
  UseIndex(VectorIndexType::kSketched, 2);
  schema_->default_ttl_s = -1;
  ASSERT_TRUE(
      harness_.Run(schema_, "p", Do(kUpsert, "x", R"({"id":"x","pk":"p","v":[1,1],"ttl":5})"))
          .status.has_value());
  Put("p", "y", {1, 0});
  EXPECT_EQ(Nearest(Search({1, 1}), 10), (Ids{"x", "y"}));
  harness_.Advance(std::chrono::seconds(6));
  EXPECT_EQ(Nearest(Search({1, 1}), 10), Ids{"y"});
}

TEST_F(NearestScanTest, EntriesFollowTheirItems) {
  UseIndex(VectorIndexType::kSketched, 4);
  std::mt19937 random(9);
  for (int i = 0; i < 200; ++i) {
    const std::string id = fmt::format("i{}", random() % 40);
    if (known_.contains(id) && random() % 3 == 0) {
      Delete(id);
    } else {
      Put(known_.contains(id) ? known_[id].pk : fmt::format("p{}", random() % 3), id,
          RandomVector(3 + random() % 2, random));
    }
  }
  harness_.ExpectConsistent({schema_});
}

TEST_F(NearestScanTest, LooksAtFewItems) {
  for (const auto type : {VectorIndexType::kFlat, VectorIndexType::kQuantized}) {
    known_.clear();
    UseIndex(type, 64);
    schema_->id = ContainerId(20 + static_cast<uint32_t>(type));
    std::mt19937 random(10);
    PutMany(500, [&] { return RandomVector(64, random); });
    const auto search = Search(RandomVector(64, random));
    EXPECT_EQ(Nearest(search, 10), First(Expected(*search), 10));
    EXPECT_LE(examined_, 30u);
    EXPECT_EQ(passed_, 500u);
  }
}

// Vectors about few centres, as those of texts about few subjects are: the recall is what sketches
// promise, and most vectors are not compared.
TEST_F(NearestScanTest, SketchesFindNearlyAllOfTheNearest) {
  for (const auto measure : {VectorMeasure::kCosine, VectorMeasure::kEuclidean}) {
    known_.clear();
    UseIndex(VectorIndexType::kSketched, 48, measure);
    schema_->id = ContainerId(30 + static_cast<uint32_t>(measure));
    std::mt19937 random(11);
    std::vector<Vector> centres;
    for (int i = 0; i < 40; ++i) centres.push_back(RandomVector(48, random));
    const auto near = [&](double spread) {
      Vector vector = RandomVector(48, random);
      const Vector& centre = centres[random() % centres.size()];
      for (size_t i = 0; i < vector.size(); ++i) vector[i] = centre[i] + spread * vector[i];
      return vector;
    };
    PutMany(3'000, [&] { return near(0.4); });
    size_t found = 0;
    size_t passed = 0;
    constexpr int kSearches = 30;
    for (int i = 0; i < kSearches; ++i) {
      const auto search = Search(near(0.4), measure);
      const Ids expected = First(Expected(*search), 10);
      const Ids ids = Nearest(search, 10);
      EXPECT_EQ(ids.size(), 10u);
      found += static_cast<size_t>(std::ranges::count_if(ids, [&](const std::string& id) {
        return std::ranges::find(expected, id) != expected.end();
      }));
      passed += passed_;
    }
    RecordProperty(fmt::format("{}_found", NameOf(measure)), static_cast<int>(found));
    RecordProperty(fmt::format("{}_passed", NameOf(measure)), static_cast<int>(passed / kSearches));
    EXPECT_GE(found, 0.95 * 10 * kSearches);
    EXPECT_LE(passed, 0.6 * 2 * 3'000 * kSearches);
  }
}

}  // namespace
}  // namespace orrery::item
