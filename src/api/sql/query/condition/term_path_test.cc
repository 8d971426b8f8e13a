#include "query/access/term_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "api/sql/function/function_testing.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/condition/condition_finder.h"
#include "model/key/key_codec.h"
#include "query/access/index_use.h"

namespace orrery::sql {
namespace {

class WordPathTest : public testing::Test {
 protected:
  WordPathTest() {
    schema_.partition_key_paths = {*model::Path::Parse("/pk")};
    schema_.row_key_path = *model::Path::Parse("/id");
    schema_.indexing = item::IndexPolicy::All().WithNamed({Words(1, "/text"), Words(2, "/o/t")});
    parameters_.Set("@word", Value::String("parameter"));
  }

  static item::NamedIndex Words(uint32_t id, std::string_view path) {
    item::NamedIndex index{.id = id, .name = std::string(path), .paths = {}};
    index.paths.push_back(*model::Path::Parse(path));
    index.kind = item::IndexKind::kTerms;
    return index;
  }

  // "1: null blue red", the index's id and its values; "other" for an index of values, or "scan".
  std::string Describe(std::string_view where) {
    const std::string text = fmt::format("SELECT * FROM c WHERE {}", where);
    const auto tree = ParseQuery(text);
    EXPECT_TRUE(tree.has_value()) << text;
    const ConditionContext context{
        .text = text, .parameters = parameters_, .functions = functions_, .order = schema_.order};
    const auto found = FindConditions(*tree, context);
    const query::AccessPath path =
        query::ChooseAccessPath(found->conditions, schema_, std::nullopt);
    use_ = query::IndexUseOf(found->conditions, path, schema_);
    if (!path.index.has_value()) return "scan";
    if (path.index->kind != item::IndexKind::kTerms) return "other";
    std::string out = path.index->index == item::NamedIndexId(1) ? "1:" : "2:";
    for (const query::ValueRange& range : path.index->ranges) {
      EXPECT_TRUE(range.is_one_value());
      const Value value = model::DecodeKey(range.lower->encoded)->front();
      out += " " + (value.is_null() ? "null" : value.AsString());
    }
    return out;
  }

  item::ContainerSchema schema_;
  Parameters parameters_;
  FunctionRegistry functions_;
  query::IndexUse use_;
};

TEST_F(WordPathTest, OfOneCondition) {
  EXPECT_EQ(Describe("FullTextContains(c.text, 'Red')"), "1: null red");
  EXPECT_EQ(Describe("fulltextcontains(c.o.t, 'red')"), "2: null red");
  EXPECT_EQ(Describe("FullTextContains(c.text, @word)"), "1: null parameter");
  EXPECT_EQ(Describe("FullTextContains(c.text, 'the red bicycle')"), "1: null bicycle");
  EXPECT_EQ(Describe("FullTextContainsAll(c.text, 'red', 'blue car')"), "1: null blue");
  EXPECT_EQ(Describe("FullTextContainsAny(c.text, 'red', 'blue car', 'red')"), "1: null blue red");
}

TEST_F(WordPathTest, WhatIsNoConstantText) {
  EXPECT_EQ(Describe("FullTextContains(c.text, c.other)"), "scan");
  EXPECT_EQ(Describe("FullTextContains(c.text, 5)"), "scan");
  EXPECT_EQ(Describe("FullTextContains(c.text, '...')"), "scan");
  EXPECT_EQ(Describe("FullTextContainsAll(c.text, c.other, 'red')"), "1: null red");
  EXPECT_EQ(Describe("FullTextContainsAny(c.text, c.other, 'red')"), "scan");
  EXPECT_EQ(Describe("FullTextContainsAny(c.text, 5, '...', 'red')"), "1: null red");
}

TEST_F(WordPathTest, WhatIsNotJoinedByAnd) {
  EXPECT_EQ(Describe("NOT FullTextContains(c.text, 'red')"), "scan");
  EXPECT_EQ(Describe("FullTextContains(c.text, 'red') OR c.n = 1"), "scan");
  EXPECT_EQ(Describe("FullTextContains(c.text, 'red') = false"), "scan");
  EXPECT_EQ(Describe("(c.n != 1 AND FullTextContains(c.text, 'red')) AND c.m > 2"), "1: null red");
}

TEST_F(WordPathTest, BesideOtherConditions) {
  EXPECT_EQ(Describe("c.n = 1 AND FullTextContains(c.text, 'red')"), "other");
  EXPECT_EQ(Describe("c.n IN (1, 2) AND FullTextContains(c.text, 'red')"), "1: null red");
  EXPECT_EQ(Describe("c.pk = 'k' AND FullTextContains(c.text, 'red')"), "1: null red");
  EXPECT_EQ(Describe("FullTextContainsAny(c.text, 'a', 'b') AND FullTextContains(c.o.t, 'x')"),
            "2: null x");
  EXPECT_EQ(Describe("FullTextContains(c.text, 'of') AND FullTextContains(c.text, 'bicycle')"),
            "1: null bicycle");
}

TEST_F(WordPathTest, ManyAlternativesAreLeftToTheFilter) {
  std::vector<std::string> words;
  for (int i = 0; i < 200; ++i) words.push_back(fmt::format("'w{}'", i));
  EXPECT_EQ(Describe(fmt::format("FullTextContainsAny(c.text, {})", fmt::join(words, ", "))),
            "scan");
}

TEST_F(WordPathTest, AnIndexThatIsBeingBuiltIsNotUsed) {
  schema_.former_indexing = item::IndexPolicy::All().WithNamed({Words(2, "/o/t")});
  EXPECT_EQ(Describe("FullTextContains(c.text, 'red')"), "scan");
  EXPECT_EQ(Describe("FullTextContains(c.o.t, 'red')"), "2: null red");
}

TEST_F(WordPathTest, MetricsNameIt) {
  Describe("FullTextContains(c.text, 'red') AND FullTextContains(c.dark, 'blue')");
  EXPECT_EQ(use_.used, std::vector<std::string>{"/text"});
  EXPECT_EQ(use_.potential, std::vector<std::string>{"/dark"});
}

}  // namespace
}  // namespace orrery::sql
