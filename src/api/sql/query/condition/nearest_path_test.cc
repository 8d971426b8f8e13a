#include "query/access/nearest_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "api/sql/function/function_testing.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/condition/condition_finder.h"
#include "model/document/json.h"
#include "query/access/index_use.h"

namespace orrery::sql {
namespace {

class NearestPathTest : public testing::Test {
 protected:
  NearestPathTest() {
    schema_.partition_key_paths = {*model::Path::Parse("/pk")};
    schema_.row_key_path = *model::Path::Parse("/id");
    item::NamedIndex index{.id = 1, .name = "v", .paths = {*model::Path::Parse("/v")}};
    index.kind = item::IndexKind::kVectors;
    index.vectors.dimensions = 2;
    schema_.indexing = item::IndexPolicy::All().WithNamed({index});
    parameters_.Set("@v", *model::ValueFromJson("[1, 0.5]"));
  }

  query::AccessPath Choose(const std::string& text) {
    const auto tree = ParseQuery(text);
    EXPECT_TRUE(tree.has_value()) << text;
    const ConditionContext context{
        .text = text, .parameters = parameters_, .functions = functions_, .order = schema_.order};
    const auto found = FindConditions(*tree, context);
    query::AccessPath path = query::ChooseAccessPath(found->conditions, schema_, std::nullopt);
    use_ = query::IndexUseOf(found->conditions, path, schema_);
    return path;
  }
  bool IsServed(const std::string& text) {
    const query::AccessPath path = Choose(text);
    EXPECT_EQ(path.nearest.has_value(), path.is_ordered) << text;
    return path.nearest.has_value();
  }

  item::ContainerSchema schema_;
  Parameters parameters_;
  FunctionRegistry functions_;
  query::IndexUse use_;
};

TEST_F(NearestPathTest, Served) {
  for (const std::string text :
       {"SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.v, @v)",
        "SELECT TOP 3 c.id, VectorDistance(c.v, [1, 2]) AS s FROM c ORDER BY "
        "VectorDistance([1, 2], c.v)",
        "SELECT * FROM c ORDER BY VectorDistance(c.v, [1, 2], false) OFFSET 1 LIMIT 5",
        "SELECT TOP 3 VALUE t FROM c JOIN t IN c.tags ORDER BY _VectorScore(c.v, @v) DESC",
        "SELECT TOP 3 * FROM c WHERE c.n > 5 ORDER BY VectorDistance(c.v, @v)"})
    EXPECT_TRUE(IsServed(text)) << text;
}

TEST_F(NearestPathTest, NotServed) {
  for (const std::string text :
       {"SELECT * FROM c ORDER BY VectorDistance(c.v, @v)",
        "SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.w, @v)",
        "SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.v, c.w)",
        "SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.v, [1, 2, 3])",
        "SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.v, [1, 'a'])",
        "SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.v, @v, 5)",
        "SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.v, @v), c.n",
        "SELECT TOP 3 * FROM c ORDER BY -VectorDistance(c.v, @v)",
        "SELECT DISTINCT TOP 3 c.n FROM c ORDER BY VectorDistance(c.v, @v)",
        "SELECT TOP 3 COUNT(1) FROM c ORDER BY VectorDistance(c.v, @v)",
        "SELECT TOP 3 VALUE x FROM x IN c.xs ORDER BY VectorDistance(x.v, @v)",
        "SELECT TOP 3 * FROM c ORDER BY RANK VectorDistance(c.v, @v)"})
    EXPECT_FALSE(IsServed(text)) << text;
}

TEST_F(NearestPathTest, WhatIsWanted) {
  auto search = *Choose("SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.v, @v)").nearest->search;
  EXPECT_EQ(search.target, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(search.measure, model::VectorMeasure::kCosine);
  EXPECT_TRUE(search.descending);
  EXPECT_FALSE(search.compares_all);
  EXPECT_TRUE(search.among.empty());

  search = *Choose(
                "SELECT TOP 3 * FROM c WHERE c.n = 5 ORDER BY VectorDistance(c.v, @v, true, "
                "{'distanceFunction': 'Euclidean'})")
                .nearest->search;
  EXPECT_EQ(search.measure, model::VectorMeasure::kEuclidean);
  EXPECT_FALSE(search.descending);
  EXPECT_TRUE(search.compares_all);
  EXPECT_EQ(search.among.size(), 1u);
}

TEST_F(NearestPathTest, IndexesUsed) {
  Choose("SELECT TOP 3 * FROM c WHERE c.n IN (1, 2) ORDER BY VectorDistance(c.v, @v)");
  EXPECT_EQ(fmt::format("{}", fmt::join(use_.used, " ")), "/v /n/?");
  Choose("SELECT TOP 3 * FROM c WHERE c.n > 2 ORDER BY VectorDistance(c.v, @v)");
  EXPECT_EQ(fmt::format("{}", fmt::join(use_.used, " ")), "/v");
  Choose("SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.o.w, @v)");
  EXPECT_TRUE(use_.used.empty());
  EXPECT_EQ(fmt::format("{}", fmt::join(use_.potential, " ")), "/o/w");
}

TEST_F(NearestPathTest, NotBeforeItIsBuilt) {
  schema_.former_indexing = item::IndexPolicy::All();
  EXPECT_FALSE(IsServed("SELECT TOP 3 * FROM c ORDER BY VectorDistance(c.v, @v)"));
}

}  // namespace
}  // namespace orrery::sql
