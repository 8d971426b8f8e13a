#include "query/access/index_use.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "api/sql/function/function_testing.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/condition/condition_finder.h"

namespace orrery::sql {
namespace {

class IndexUseTest : public testing::Test {
 protected:
  IndexUseTest() {
    schema_.partition_key_paths = {*model::Path::Parse("/pk")};
    schema_.row_key_path = *model::Path::Parse("/id");
    item::NamedIndex index{
        .id = 1, .name = "ab", .paths = {*model::Path::Parse("/a"), *model::Path::Parse("/b")}};
    index.directions = {model::Direction::kAscending, model::Direction::kDescending};
    schema_.indexing = item::IndexPolicy::FromPatterns({"/*"}, {"/dark/?"})->WithNamed({index});
  }

  static std::string Text(const std::vector<query::IndexUse::Composite>& indexes) {
    std::string text;
    for (const query::IndexUse::Composite& paths : indexes)
      text += fmt::format("({})", fmt::join(paths, ", "));
    return text;
  }

  // "used | composite | potential | composite"
  std::string Describe(std::string_view text) {
    const auto tree = ParseQuery(text);
    EXPECT_TRUE(tree.has_value()) << text;
    const ConditionContext context{
        .text = text, .parameters = parameters_, .functions = functions_, .order = schema_.order};
    const auto found = FindConditions(*tree, context);
    const query::AccessPath path =
        query::ChooseAccessPath(found->conditions, schema_, std::nullopt);
    const query::IndexUse use = query::IndexUseOf(found->conditions, path, schema_);
    return fmt::format("{} | {} | {} | {}", fmt::join(use.used, ", "), Text(use.used_composite),
                       fmt::join(use.potential, ", "), Text(use.potential_composite));
  }

  item::ContainerSchema schema_;
  Parameters parameters_;
  FunctionRegistry functions_;
};

TEST_F(IndexUseTest, OfConditions) {
  EXPECT_EQ(Describe("SELECT * FROM c"), " |  |  | ");
  EXPECT_EQ(Describe("SELECT VALUE 1"), " |  |  | ");
  EXPECT_EQ(Describe("SELECT * FROM c WHERE c.o.x = 1"), "/o/x/? |  |  | ");
  EXPECT_EQ(Describe("SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 'x')"), "/tags/[]/? |  |  | ");
  EXPECT_EQ(Describe("SELECT * FROM c WHERE c.dark > 1"), " |  | /dark/? | ");
  EXPECT_EQ(Describe("SELECT * FROM c WHERE c.x = 1 AND c.y > 2"), "/x/? |  |  | (/x ASC, /y ASC)");
  EXPECT_EQ(Describe("SELECT * FROM c WHERE c.pk = 'k' AND c.id = 'i'"), "/id/? |  |  | ");
  EXPECT_EQ(Describe("SELECT * FROM c WHERE c.a = 1 AND c.b = 2"), " | (/a ASC, /b DESC) |  | ");
}

TEST_F(IndexUseTest, OfOrder) {
  EXPECT_EQ(Describe("SELECT * FROM c ORDER BY c.x"), "/x/? |  |  | ");
  EXPECT_EQ(Describe("SELECT * FROM c ORDER BY c.dark"), " |  | /dark/? | ");
  EXPECT_EQ(Describe("SELECT * FROM c ORDER BY c.a DESC, c.b"), " | (/a ASC, /b DESC) |  | ");
  EXPECT_EQ(Describe("SELECT * FROM c ORDER BY c.a, c.b"), " |  |  | (/a ASC, /b ASC)");
}

}  // namespace
}  // namespace orrery::sql
