#include "query/access/spatial_path.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "api/sql/function/function_testing.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/condition/condition_finder.h"
#include "model/document/json.h"
#include "model/key/key_codec.h"
#include "query/access/index_use.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kPoint = R"({"type":"Point","coordinates":[13.4,52.5]})";
constexpr std::string_view kRegion =
    R"({"type":"Polygon","coordinates":[[[13,52],[14,52],[14,53],[13,53],[13,52]]]})";
constexpr std::string_view kEarth =
    R"({"type":"Polygon","coordinates":[[[13,52],[13,53],[14,53],[14,52],[13,52]]]})";

class CellPathTest : public testing::Test {
 protected:
  CellPathTest() {
    schema_.partition_key_paths = {*model::Path::Parse("/pk")};
    schema_.row_key_path = *model::Path::Parse("/id");
    item::NamedIndex index{.id = 1, .name = "at", .paths = {*model::Path::Parse("/at")}};
    index.kind = item::IndexKind::kQuadtreeCells;
    schema_.indexing = item::IndexPolicy::All().WithNamed({index});
    parameters_.Set("@point", *model::ValueFromJson(kPoint));
  }

  query::AccessPath Choose(std::string_view where) {
    const std::string text = fmt::format("SELECT * FROM c WHERE {}", where);
    const auto tree = ParseQuery(text);
    EXPECT_TRUE(tree.has_value()) << text;
    const ConditionContext context{
        .text = text, .parameters = parameters_, .functions = functions_, .order = schema_.order};
    const auto found = FindConditions(*tree, context);
    query::AccessPath path = query::ChooseAccessPath(found->conditions, schema_, std::nullopt);
    use_ = query::IndexUseOf(found->conditions, path, schema_);
    return path;
  }
  bool IsServed(std::string_view where) {
    const query::AccessPath path = Choose(where);
    return path.index.has_value() && path.index->kind == item::IndexKind::kQuadtreeCells;
  }

  item::ContainerSchema schema_;
  Parameters parameters_;
  FunctionRegistry functions_;
  query::IndexUse use_;
};

TEST_F(CellPathTest, OfOneCondition) {
  for (const std::string& where :
       {fmt::format("ST_WITHIN(c.at, {})", kRegion), fmt::format("ST_WITHIN({}, c.at)", kRegion),
        fmt::format("st_intersects(c.at, {})", kRegion),
        fmt::format("ST_INTERSECTS({}, c.at)", kPoint),
        fmt::format("ST_DISTANCE(c.at, {}) < 5000", kPoint),
        fmt::format("ST_DISTANCE({}, c.at) <= 5000.5", kPoint),
        std::string("5000 > ST_DISTANCE(c.at, @point)"),
        std::string("5000 >= ST_DISTANCE(@point, c.at)"),
        std::string("ST_WITHIN(c.at, {'type': 'Point', 'coordinates': [-1.5, -(2 + 3)]})"),
        std::string("ST_DISTANCE(c.at, @point) BETWEEN 10 AND 5000"),
        std::string("c.n > 3 AND (c.m != 2 AND ST_DISTANCE(c.at, @point) < 5000)")}) {
    EXPECT_TRUE(IsServed(where)) << where;
    EXPECT_EQ(use_.used, std::vector<std::string>{"/at/*"}) << where;
  }
}

TEST_F(CellPathTest, WhatNoIndexServes) {
  for (const std::string& where :
       {fmt::format("ST_WITHIN(c.at, {})", kEarth), fmt::format("ST_WITHIN(c.other, {})", kRegion),
        fmt::format("NOT ST_WITHIN(c.at, {})", kRegion),
        fmt::format("ST_WITHIN(c.at, {}) OR c.n = 1", kRegion),
        std::string("ST_WITHIN(c.at, c.other)"), std::string("ST_WITHIN(c.at, 'Berlin')"),
        std::string("ST_DISTANCE(c.at, @point) > 5000"),
        std::string("ST_DISTANCE(c.at, @point) < c.n"),
        std::string("ST_DISTANCE(c.at, @point) < '5000'"),
        std::string("ST_DISTANCE(c.at, @point) < 50000000"),
        std::string("ST_DISTANCE(c.at, @point) NOT BETWEEN 10 AND 5000")})
    EXPECT_FALSE(IsServed(where)) << where;
  IsServed(fmt::format("ST_WITHIN(c.other, {})", kRegion));
  EXPECT_EQ(use_.potential, std::vector<std::string>{"/other/*"});
}

TEST_F(CellPathTest, BesideOtherConditions) {
  const std::string within = fmt::format("ST_WITHIN(c.at, {})", kRegion);
  EXPECT_TRUE(IsServed("c.n > 1 AND " + within));
  EXPECT_FALSE(IsServed("c.n = 1 AND " + within));
  EXPECT_FALSE(IsServed("c.n IN (1, 2) AND " + within));
  EXPECT_FALSE(IsServed("c.pk = 'k' AND " + within));
  // The smaller of two.
  const auto near = Choose(within + " AND ST_DISTANCE(c.at, @point) < 10");
  const auto nearer = Choose("ST_DISTANCE(c.at, @point) < 10");
  ASSERT_TRUE(near.index.has_value() && nearer.index.has_value());
  EXPECT_EQ(near.index->ranges.size(), nearer.index->ranges.size());
}

TEST_F(CellPathTest, AnIndexThatIsBeingBuiltIsNotUsed) {
  schema_.former_indexing = item::IndexPolicy::All();
  EXPECT_FALSE(IsServed(fmt::format("ST_WITHIN(c.at, {})", kRegion)));
}

TEST_F(CellPathTest, RangesRiseAndAreDisjoint) {
  for (const double west : {-180.0, -90.1, -0.5, 0.0, 44.9, 179.5}) {
    for (const double south : {-80.0, -45.1, -0.5, 0.0, 44.9, 80.0}) {
      for (const double size : {0.001, 0.4, 3.0, 30.0}) {
        const double north = std::min(south + size, 89.0);
        const double east = west + size > 180 ? west + size - 360 : west + size;
        const query::AccessPath path = Choose(fmt::format(
            "ST_WITHIN(c.at, {{'type': 'Polygon', 'coordinates': [[[{0}, {1}], [{2}, {1}], "
            "[{2}, {3}], [{0}, {3}], [{0}, {1}]]]}})",
            west, south, east, north));
        ASSERT_TRUE(path.index.has_value()) << west << ' ' << south << ' ' << size;
        const auto& ranges = path.index->ranges;
        EXPECT_LE(ranges.size(), 60u);
        for (size_t i = 1; i < ranges.size(); ++i) {
          EXPECT_LT(ranges[i - 1].lower->encoded, ranges[i].lower->encoded);
          EXPECT_FALSE(ranges[i - 1].Contains(ranges[i].lower->encoded));
        }
      }
    }
  }
}

}  // namespace
}  // namespace orrery::sql
