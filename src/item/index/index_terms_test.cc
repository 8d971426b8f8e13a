#include "item/index/index_terms.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/bytes.h"
#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using model::PathStep;
using model::Value;

std::vector<IndexTerm> Terms(const IndexPolicy& policy, std::string_view json) {
  auto terms = TermsOf(policy, Json(json), model::Order::kSql);
  EXPECT_TRUE(terms.has_value());
  return terms.has_value() ? *std::move(terms) : std::vector<IndexTerm>();
}

IndexPolicy Named(std::vector<std::string> paths) {
  NamedIndex index{.id = 1, .name = "by", .paths = {}};
  for (const std::string& path : paths) index.paths.push_back(PathOf(path));
  return IndexPolicy().WithNamed({index});
}

std::vector<std::string> NamedValues(std::vector<std::string> paths, std::string_view json) {
  std::vector<std::string> values;
  for (const IndexTerm& term : Terms(Named(std::move(paths)), json)) values.push_back(term.value);
  return values;
}

TEST(IndexTermsTest, EveryScalarHasATerm) {
  const auto terms = Terms(IndexPolicy::All(), R"({"a":1,"b":{"c":"x","d":null},"_etag":"e"})");
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(terms));
  const IndexTerm expected{
      .index = PathIndexId(std::vector{PathStep::Field("b"), PathStep::Field("c")}),
      .value = EncodedValues({Value::String("x")})};
  EXPECT_NE(std::ranges::find(terms, expected), terms.end());
  EXPECT_TRUE(std::ranges::none_of(terms, &IndexTerm::one_of_several));
}

TEST(IndexTermsTest, TypesAreAnIndexOfTheirOwn) {
  const IndexPolicy policy = IndexPolicy::All().WithTypeIndex();
  const std::string_view json = R"({"a":[{"x":[1]}],"o":{"p":{}},"n":1})";
  const auto kind_at = [&](std::vector<PathStep> place) -> std::string {
    for (const IndexTerm& term : Terms(policy, json))
      if (term.index == KindIndexId(place)) return term.value;
    return {};
  };
  EXPECT_EQ(kind_at({PathStep::Field("a")}), EncodedValues({KindValue(model::Kind::kArray)}));
  EXPECT_EQ(kind_at({PathStep::Field("o")}), EncodedValues({KindValue(model::Kind::kObject)}));
  EXPECT_EQ(kind_at({PathStep::Field("o"), PathStep::Field("p")}),
            EncodedValues({KindValue(model::Kind::kObject)}));
  EXPECT_EQ(kind_at({PathStep::Field("n")}), "");
  EXPECT_EQ(kind_at({PathStep::Field("a"), PathStep::Element()}), "") << "not in arrays";
  EXPECT_EQ(Terms(policy, json).size(), Terms(IndexPolicy::All(), json).size() + 3);
  const auto excluded = IndexPolicy::FromPatterns({"/*"}, {"/o/*"});
  EXPECT_EQ(Terms(excluded->WithTypeIndex(), json).size(), Terms(*excluded, json).size() + 1);
}

TEST(IndexTermsTest, ArrayElementsShareAnIndex) {
  const auto terms = Terms(IndexPolicy::All(), R"({"t":["x","y","x"]})");
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].index, PathIndexId(std::vector{PathStep::Field("t"), PathStep::Element()}));
  EXPECT_EQ(terms[0].index, terms[1].index);
  EXPECT_TRUE(terms[0].one_of_several && terms[1].one_of_several);
}

TEST(IndexTermsTest, LongValuesAreCut) {
  const std::string text(5'000, 'x');
  const auto terms = Terms(IndexPolicy::All(), R"({"a":")" + text + R"("})");
  ASSERT_EQ(terms.size(), 1u);
  EXPECT_EQ(terms[0].value, EncodedValues({Value::String(text)}).substr(0, kIndexValueBytesMax));
}

TEST(IndexTermsTest, ValuesOfChosenPathsAreWhole) {
  const std::string text(5'000, 'x');
  const IndexPolicy policy =
      IndexPolicy::All().WithWholeValues(std::vector{*model::Path::Parse("/a")});
  const auto terms = Terms(policy, R"({"a":")" + text + R"(","b":")" + text + R"("})");
  ASSERT_EQ(terms.size(), 2u);
  const std::string whole = EncodedValues({Value::String(text)});
  for (const IndexTerm& term : terms) {
    const bool is_a = term.index == PathIndexId(std::vector{PathStep::Field("a")});
    EXPECT_EQ(term.value, is_a ? whole : whole.substr(0, kIndexValueBytesMax));
  }
}

TEST(IndexTermsTest, StringsAroundTheCutKeepTheirOrder) {
  std::string before;
  for (size_t size = kIndexValueBytesMax - 6; size < kIndexValueBytesMax + 6; ++size) {
    const auto terms = Terms(IndexPolicy::All(), R"({"a":")" + std::string(size, 'x') + R"("})");
    ASSERT_EQ(terms.size(), 1u);
    EXPECT_GE(terms[0].value, before);
    EXPECT_EQ(
        terms[0].value,
        EncodedValues({Value::String(std::string(size, 'x'))}).substr(0, kIndexValueBytesMax));
    before = terms[0].value;
  }
}

TEST(IndexTermsTest, NamedIndexesAreCompound) {
  EXPECT_EQ(NamedValues({"/a", "/b/c"}, R"({"a":1,"b":{"c":"x"}})"),
            std::vector{EncodedValues({Value::Int32(1), Value::String("x")})});
}

TEST(IndexTermsTest, WhatIsMissingCountsAsUndefined) {
  EXPECT_EQ(NamedValues({"/a"}, R"({"b":1})"), std::vector{EncodedValues({Value::Undefined()})});
  EXPECT_EQ(NamedValues({"/a"}, R"({"a":[]})"), std::vector{EncodedValues({Value::Undefined()})});
  EXPECT_EQ(NamedValues({"/a/b"}, R"({"a":5})"), std::vector{EncodedValues({Value::Undefined()})});
}

// As MongoDB sorts: an empty array, then null and no value alike.
TEST(IndexTermsTest, WhatIsMissingCountsAsNullInTheOrderOfMongo) {
  NamedIndex index{.id = 1, .name = "i", .paths = {*model::Path::Parse("/a/b")}};
  const IndexPolicy policy = IndexPolicy().WithNamed({index});
  const auto values = [&](std::string_view json) {
    return *ValuesIn(policy, NamedIndexId(1), *model::ParseJson(json), model::Order::kMongo);
  };
  const auto encoded = [](const Value& value) {
    return model::EncodeKey({&value, 1}, model::Order::kMongo);
  };
  const std::vector<std::string> null = {encoded(Value::Null())};
  EXPECT_EQ(values(R"({})"), null);
  EXPECT_EQ(values(R"({"a":5})"), null);
  EXPECT_EQ(values(R"({"a":{"b":null}})"), null);
  EXPECT_EQ(values(R"({"a":[1]})"), null);
  EXPECT_EQ(values(R"({"a":{"b":[]}})"), std::vector{encoded(Value::Undefined())});
  EXPECT_EQ(values(R"({"a":[]})"), std::vector{encoded(Value::Undefined())});
}

TEST(IndexTermsTest, NothingAtAPlaceThatIsNamedIsUndefined) {
  const auto policy = IndexPolicy::FromPatterns({"/*", "/a/b/?", "/t/[]/?", "/o/*"}, {});
  ASSERT_TRUE(policy.has_value());
  const IndexTerm absent{
      .index = PathIndexId(std::vector{PathStep::Field("a"), PathStep::Field("b")}),
      .value = EncodedValues({Value::Undefined()})};
  for (const std::string_view json : {R"({})", R"({"a":1})", R"({"a":{}})", R"({"a":[{"b":1}]})"}) {
    const auto terms = Terms(*policy, json);
    EXPECT_NE(std::ranges::find(terms, absent), terms.end()) << json;
  }
  EXPECT_EQ(Terms(*policy, "{}").size(), 1u);
  for (const std::string_view json :
       {R"({"a":{"b":1}})", R"({"a":{"b":null}})", R"({"a":{"b":{}}})", R"({"a":{"b":[]}})"}) {
    const auto terms = Terms(*policy, json);
    EXPECT_EQ(std::ranges::find(terms, absent), terms.end()) << json;
  }
}

TEST(IndexTermsTest, PathsOfNamedIndexesMayFall) {
  NamedIndex index{.id = 1, .name = "by", .paths = {PathOf("/a"), PathOf("/b")}};
  index.directions = {model::Direction::kAscending, model::Direction::kDescending};
  const IndexPolicy policy = IndexPolicy().WithNamed({index});
  const auto value = [&](std::string_view json) { return Terms(policy, json).front().value; };
  EXPECT_LT(value(R"({"a":1,"b":2})"), value(R"({"a":1,"b":1})"));
  EXPECT_LT(value(R"({"a":1,"b":1})"), value(R"({"a":1})"));
  EXPECT_LT(value(R"({"a":1})"), value(R"({"a":2,"b":5})"));
}

TEST(IndexTermsTest, NamedIndexesGoThroughArrays) {
  EXPECT_EQ(NamedValues({"/a"}, R"({"a":[2,1]})"),
            (std::vector{EncodedValues({Value::Int32(1)}), EncodedValues({Value::Int32(2)})}));
  EXPECT_EQ(NamedValues({"/a/b"}, R"({"a":[{"b":1},{"b":2},{"c":3}]})"),
            (std::vector{EncodedValues({Value::Undefined()}), EncodedValues({Value::Int32(1)}),
                         EncodedValues({Value::Int32(2)})}));
  EXPECT_EQ(NamedValues({"/a/0"}, R"({"a":[7,8]})"), std::vector{EncodedValues({Value::Int32(7)})});
  EXPECT_EQ(NamedValues({"/a", "/b"}, R"({"a":[1,2],"b":[3,4]})").size(), 4u);
}

TEST(IndexTermsTest, TheNumberOfTermsIsBounded) {
  std::string json = R"({"a":[0)";
  for (size_t i = 1; i <= kIndexTermsMax; ++i) json += "," + std::to_string(i);
  json += "]}";
  for (const IndexPolicy& policy : {IndexPolicy::All(), Named({"/a"}), Named({"/a", "/a"})}) {
    const auto terms = TermsOf(policy, Json(json), model::Order::kSql);
    ASSERT_FALSE(terms.has_value());
    EXPECT_EQ(terms.error().code(), Code::kTooLarge);
  }
}

TEST(IndexTermsTest, StoredTermsAreThoseOfBothPolicies) {
  const auto schema = PlainSchema();
  schema->indexing = Named({"/a"});
  schema->former_indexing = IndexPolicy::All();
  const auto terms = StoredTermsOf(*schema, Json(R"({"a":1,"b":2})"));
  ASSERT_TRUE(terms.has_value());
  EXPECT_EQ(terms->size(), 3u);
  EXPECT_TRUE(std::ranges::is_sorted(*terms));
}

TEST(IndexTermsTest, WordsOfATextHaveATermEach) {
  NamedIndex index{.id = 1, .name = "words", .paths = {PathOf("/a/t")}};
  index.kind = IndexKind::kTerms;
  const IndexPolicy policy = IndexPolicy().WithNamed({index});
  const auto terms = Terms(policy, R"({"a":{"t":"To be, or not to be"},"t":"other"})");
  ASSERT_EQ(terms.size(), 4u);
  EXPECT_EQ(terms[0].index, NamedIndexId(1));
  EXPECT_EQ(terms[0].value, EncodedValues({Value::String("be")}));
  EXPECT_TRUE(terms[0].one_of_several);
  for (const char* json : {"{}", R"({"a":1})", R"({"a":{"t":1}})", R"({"a":{"t":"..."}})",
                           R"({"a":{"t":["x"]}})", R"({"a":[{"t":"x"}]})", R"({"a":{"t":null}})"})
    EXPECT_TRUE(Terms(policy, json).empty()) << json;
}

// docs/format/items.md shows these bytes.
TEST(IndexTermsTest, WordsAreTheDocumentedBytes) {
  NamedIndex index{.id = 1, .name = "words", .paths = {PathOf("/t")}};
  index.kind = IndexKind::kTerms;
  const auto terms = Terms(IndexPolicy().WithNamed({index}), R"({"t":"Red, red car"})");
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(ToHex(terms[0].value), "306361720001");
  EXPECT_EQ(ToHex(terms[1].value), "307265640001");
}

// docs/format/items.md shows these bytes.
TEST(IndexTermsTest, CellsOfAShapeAreTheDocumentedBytes) {
  NamedIndex index{.id = 1, .name = "cells", .paths = {PathOf("/at")}};
  index.kind = IndexKind::kQuadtreeCells;
  const IndexPolicy policy = IndexPolicy().WithNamed({index});
  const auto point = Terms(policy, R"({"at":{"type":"Point","coordinates":[0,0]}})");
  ASSERT_EQ(point.size(), 1u);
  EXPECT_EQ(ToHex(point[0].value), "303330303030303030303030303030303030303030303030300001");
  EXPECT_FALSE(point[0].one_of_several);
  const auto polar = Terms(
      policy, R"({"at":{"type":"Polygon","coordinates":[[[0,80],[120,80],[-120,80],[0,80]]]}})");
  ASSERT_EQ(polar.size(), 1u);
  EXPECT_EQ(ToHex(polar[0].value), "300001");
  for (const char* json : {"{}", R"({"at":1})", R"({"at":{"type":"Point"}})",
                           R"({"at":[{"type":"Point","coordinates":[0,0]}]})"})
    EXPECT_TRUE(Terms(policy, json).empty()) << json;
}

TEST(IndexTermsTest, OfTextsWithWeightsAreTheTermsOfAllOfThem) {
  NamedIndex index{.id = 1, .name = "texts", .paths = {model::Path()}};
  index.kind = IndexKind::kSearchTerms;
  index.search.weights = {{"a", 1}, {"b.c", 10}};
  const auto terms =
      TermsOf(IndexPolicy().WithNamed({index}),
              Json(R"({"a": "The cats", "b": [{"c": "dogs"}, {"c": "cat"}], "d": "fish"})"),
              model::Order::kMongo);
  ASSERT_TRUE(terms.has_value());
  std::vector<std::string> words;
  for (const IndexTerm& term : *terms) {
    const auto values = model::DecodeKey(term.value);
    ASSERT_TRUE(values.has_value() && values->size() == 1);
    words.push_back(values->front().AsString());
    EXPECT_TRUE(term.one_of_several);
  }
  EXPECT_EQ(words, (std::vector<std::string>{"cat", "dog"}));
}

}  // namespace
}  // namespace orrery::item
