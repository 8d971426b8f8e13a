#include "item/index/wildcard_terms.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

NamedIndex WildcardOver(std::string_view path, WildcardRules rules = {}) {
  NamedIndex index{.id = 1, .name = "w", .paths = {PathOf(path)}};
  index.kind = IndexKind::kWildcard;
  index.wildcard = std::move(rules);
  return index;
}

// "a.b=1", one for each term, in the order of terms.
std::vector<std::string> TermTexts(const NamedIndex& index, std::string_view json) {
  const auto terms =
      TermsOf(IndexPolicy().WithNamed({index}), Json(json).view(), model::Order::kMongo);
  EXPECT_TRUE(terms.has_value());
  std::vector<std::string> texts;
  for (const IndexTerm& term : *terms) {
    const auto values = model::DecodeKey(term.value);
    EXPECT_TRUE(values.has_value() && values->size() == 2);
    const model::Value& value = (*values)[1];
    texts.push_back((*values)[0].AsString() + "=" +
                    (value.is_undefined() ? "undefined" : model::ToJson(value)));
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(WildcardTermsTest, HaveEveryValueWithItsPath) {
  EXPECT_EQ(TermTexts(WildcardOver("/"), R"({"a": {"b": 1, "c": "x"}, "d": null})"),
            (Texts{"a.b=1", R"(a.c="x")", "d=null"}));
  EXPECT_EQ(TermTexts(WildcardOver("/"), "{}"), Texts{});
}

TEST(WildcardTermsTest, ArraysAreNoSteps) {
  EXPECT_EQ(TermTexts(WildcardOver("/"), R"({"a": [{"b": 1}, 2, [3], {}], "c": []})"),
            (Texts{"a=2", "a={}", "a=[3]", "a.b=1", "c=undefined"}));
}

TEST(WildcardTermsTest, HaveWhatTheRulesName) {
  const char* const json = R"({"a": {"b": 1, "c": 2}, "d": 3})";
  EXPECT_EQ(TermTexts(WildcardOver("/a"), json), (Texts{"a.b=1", "a.c=2"}));
  EXPECT_EQ(TermTexts(WildcardOver("/", {.paths = {PathOf("/a/c"), PathOf("/d")}}), json),
            (Texts{"a.c=2", "d=3"}));
  EXPECT_EQ(
      TermTexts(WildcardOver("/", {.paths = {PathOf("/a/c"), PathOf("/d")}, .excludes = true}),
                json),
      Texts{"a.b=1"});
}

}  // namespace
}  // namespace orrery::item
