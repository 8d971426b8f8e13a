// Queries over a real store that an index of cells serves: the same rows as without, with little
// examined, over pages, partitions, changes of documents and of the policy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "api/sql/query/source/source_testing.h"

namespace orrery::sql {
namespace {

using gateway::ContainerRef;

std::string Point(double longitude, double latitude) {
  return fmt::format(R"({{"type":"Point","coordinates":[{},{}]}})", longitude, latitude);
}
// REQUIRES: not at a pole.
std::string Square(double west, double south, double size) {
  const double east = west + size > 180 ? west + size - 360 : west + size;
  const double north = std::min(south + size, 89.5);
  return fmt::format(
      R"({{"type":"Polygon","coordinates":[[[{0},{1}],[{2},{1}],[{2},{3}],[{0},{3}],[{0},{1}]]]}})",
      west, south, east, north);
}
std::string Document(int id, std::string_view shape) {
  return fmt::format(R"({{"id":"i{}","pk":"k{}","at":{}}})", id, id % 8, shape);
}

// Around some places: a city, the 180th meridian, a pole; sizes from metres to a continent.
class RandomShapes {
 public:
  explicit RandomShapes(uint32_t seed) : random_(seed) {}

  double Unit() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

  std::string Any() {
    static constexpr struct {
      double longitude, latitude;
    } kPlaces[] = {{13.4, 52.5}, {179.9, -17}, {-60, 88.5}, {0, 0}, {-70, -35}};
    const auto& place = kPlaces[random_() % std::size(kPlaces)];
    const double spread = std::pow(10, Unit());
    const double longitude = std::remainder(place.longitude + spread * Unit(), 360);
    const double latitude = std::clamp(place.latitude + spread * Unit(), -88.0, 89.0);
    switch (random_() % 3) {
      case 0:
        return Square(longitude, latitude, std::pow(10, Unit()));
      case 1:
        return fmt::format(R"({{"type":"LineString","coordinates":[[{},{}],[{},{}]]}})", longitude,
                           latitude, std::remainder(longitude + 3 * Unit(), 360),
                           std::clamp(latitude + 3 * Unit(), -90.0, 90.0));
      default:
        return Point(longitude, latitude);
    }
  }

 private:
  std::mt19937 random_;
};

class CellSourceTest : public SourceTest {
 protected:
  static std::vector<item::NamedIndex> Cells() {
    return {IndexOf(item::IndexKind::kQuadtreeCells, "/at")};
  }

  static std::vector<std::string> Documents(int count, uint32_t seed) {
    RandomShapes shapes(seed);
    std::vector<std::string> documents;
    for (int i = 0; i < count; ++i)
      documents.push_back(Document(i, i % 20 == 3 ? R"("nowhere")" : shapes.Any()));
    return documents;
  }
};

TEST_F(CellSourceTest, TheSameRowsAsWithout) {
  const ContainerRef plain = Make("plain", 1);
  const ContainerRef cells = Make("cells", 3, Cells());
  const auto documents = Documents(300, 1);
  Put(plain, documents);
  Put(cells, documents);
  RandomShapes shapes(2);
  size_t found = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string shape = shapes.Any();
    const std::string condition =
        i % 3 == 0 ? fmt::format("ST_INTERSECTS(c.at, {})", shape)
        : i % 3 == 1
            ? fmt::format("ST_WITHIN(c.at, {})", Square(10 + 3 * shapes.Unit(), 50, 4))
            : fmt::format("ST_DISTANCE(c.at, {}) < {}", shape, std::pow(10, 4 + 2 * shapes.Unit()));
    const std::string text = "SELECT VALUE c.id FROM c WHERE " + condition;
    const auto expected = RunAll({.container = plain, .text = text});
    found += expected.size();
    for (const int64_t page : {-1, 7, 1})
      EXPECT_EQ(RunAll({.container = cells, .text = text, .max_items = page}), expected) << text;
  }
  EXPECT_GT(found, 500u);
}

TEST_F(CellSourceTest, LooksOnlyAtWhatItNeeds) {
  const ContainerRef plain = Make("plain", 1);
  const ContainerRef cells = Make("cells", 1, Cells());
  std::vector<std::string> documents;
  for (int i = 0; i < 1'000; ++i)
    documents.push_back(Document(i, Point(10 + 0.01 * (i % 40), 50 + 0.01 * (i / 40))));
  Put(plain, documents);
  Put(cells, documents);
  for (const std::string& condition :
       {fmt::format("ST_DISTANCE(c.at, {}) < 100", Point(10.2, 50.1)),
        fmt::format("ST_WITHIN(c.at, {})", Square(10.195, 50.095, 0.012)),
        fmt::format("ST_INTERSECTS(c.at, {})", Point(10.2, 50.1))}) {
    const std::string text = "SELECT * FROM c WHERE " + condition;
    const QueryPage served = RunPage({.container = cells, .text = text});
    EXPECT_LE(served.metrics.examined, 30u) << text;
    EXPECT_TRUE(served.metrics.used_index) << text;
    const QueryPage scanned = RunPage({.container = plain, .text = text});
    EXPECT_EQ(served.rows.size(), scanned.rows.size()) << text;
    EXPECT_LT(served.charge, scanned.charge) << text;
  }
}

TEST_F(CellSourceTest, FollowsChangesOfDocuments) {
  const ContainerRef container = Make("c", 1, Cells());
  const QueryRequest near{
      .container = container,
      .text = fmt::format("SELECT VALUE c.id FROM c WHERE ST_DISTANCE(c.at, {}) < 1000",
                          Point(10, 50))};
  Put(container, {Document(1, Point(10, 50)), Document(2, Square(10, 50, 1))});
  EXPECT_EQ(RunAll(near), (std::vector<std::string>{R"("i1")", R"("i2")"}));
  Put(container, {Document(1, Point(20, 50))});
  EXPECT_EQ(RunAll(near), std::vector<std::string>{R"("i2")"});
  Delete(container, "k2", "i2");
  EXPECT_TRUE(RunAll(near).empty());
  EXPECT_EQ(RunPage(near).metrics.examined, 0u);
}

TEST_F(CellSourceTest, APolicyThatGainsAndLosesIt) {
  const ContainerRef before = Make("c", 1);
  Put(before, Documents(150, 3));
  QueryRequest query{.container = before,
                     .text = fmt::format("SELECT VALUE c.id FROM c WHERE ST_INTERSECTS(c.at, {})",
                                         Square(12, 51, 3))};
  const auto expected = RunAll(query);
  ASSERT_FALSE(expected.empty());
  gateway::ContainerSettings settings = before->settings;
  for (const auto& named : {Cells(), std::vector<item::NamedIndex>()}) {
    settings.indexing.named = named;
    ASSERT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
    query.container = server_.Find("c");
    EXPECT_EQ(RunAll(query), expected);
    server_.catalog->WaitForIndexes();
    query.container = server_.Find("c");
    EXPECT_EQ(RunAll(query), expected);
    EXPECT_EQ(RunPage(query).metrics.used_index, !named.empty());
  }
}

TEST_F(CellSourceTest, PagesGoOnOverASplit) {
  const ContainerRef container = Make("c", 1, Cells());
  Put(container, Documents(150, 4));
  QueryRequest request{.container = container,
                       .text = fmt::format("SELECT VALUE c.id FROM c WHERE ST_INTERSECTS(c.at, {})",
                                           Square(5, 45, 15)),
                       .max_items = 5};
  const auto expected = RunAll(request);
  EXPECT_GT(expected.size(), 10u);
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
