#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "model/search/search_query.h"

namespace orrery::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const SearchLanguage& LanguageNamed(std::string_view name) {
  const SearchLanguage* const found = SearchLanguage::Find(name);
  EXPECT_NE(found, nullptr);
  return found == nullptr ? *SearchLanguage::Find("none") : *found;
}

std::vector<std::string> TermsIn(std::string_view language, std::string_view text,
                                 SearchSensitivity sensitivity = {}) {
  return SearchTermsOf(text, LanguageNamed(language), sensitivity);
}

Document FromJson(std::string_view json) {
  auto document = ParseJson(json);
  EXPECT_TRUE(document.has_value());
  return *std::move(document);
}

std::optional<double> Score(std::string_view json, std::string_view search,
                            SearchSensitivity sensitivity = {}) {
  const SearchRules rules{.weights = {{"a", 1}, {"b.c", 3}}};
  return SearchQuery::Parse(search, LanguageNamed("english"), sensitivity)
      .ScoreOf(FromJson(json), rules);
}

TEST(SearchLanguageTest, IsFoundByNameAndCode) {
  EXPECT_EQ(LanguageNamed("FRENCH").name(), "french");
  EXPECT_EQ(LanguageNamed("fr").name(), "french");
  EXPECT_EQ(SearchLanguage::Find("klingon"), nullptr);
  EXPECT_EQ(SearchLanguage::Find(""), nullptr);
}

TEST(SearchTermsTest, AreStemsWithoutStopWords) {
  EXPECT_THAT(TermsIn("english", "The cats were RUNNING"), ElementsAre("cat", "run"));
  EXPECT_THAT(TermsIn("none", "The cats"), ElementsAre("the", "cats"));
  EXPECT_THAT(TermsIn("german", "die Häuser"), ElementsAre("haus"));
  EXPECT_THAT(TermsIn("english", " -,; "), IsEmpty());
}

TEST(SearchTermsTest, PunctuationSeparatesButNotAnEnglishApostrophe) {
  EXPECT_THAT(TermsIn("english", "don't stop-me 3.14 now_or"),
              ElementsAre("stop", "3", "14", "now_or"));
  EXPECT_THAT(TermsIn("french", "l'empereur"), ElementsAre("empereur"));
}

TEST(SearchTermsTest, KeepWhatCounts) {
  EXPECT_THAT(TermsIn("english", "Café Cats"), ElementsAre("cafe", "cat"));
  EXPECT_THAT(TermsIn("english", "Café Cats", {.to_case = true}), ElementsAre("Cafe", "Cat"));
  EXPECT_THAT(TermsIn("english", "Café", {.to_diacritics = true}), ElementsAre("café"));
}

TEST(SearchTermsTest, BytesThatAreNotUtf8AreLetters) {
  EXPECT_EQ(TermsIn("english", "a\xFFz b\xC3").size(), 2U);
}

TEST(SearchRulesTest, ValuesAreSortedAndEachOnce) {
  const SearchRules rules{.weights = {{"a", 1}}};
  EXPECT_THAT(SearchValuesOf(FromJson(R"({"a": ["dogs cat", "cat"], "z": "fish"})"), rules),
              ElementsAre(Value::String("cat"), Value::String("dog")));
  EXPECT_THAT(SearchValuesOf(FromJson(R"({"a": [["cat"]]})"), rules), IsEmpty());
}

TEST(SearchRulesTest, AWildcardHasAllTextsButTheLanguage) {
  const SearchRules rules{.weights = {}, .is_wildcard = true};
  EXPECT_THAT(
      SearchValuesOf(FromJson(R"({"x": {"language": "spanish", "y": "gatos"}, "z": [["fish"]]})"),
                     rules),
      ElementsAre(Value::String("fish"), Value::String("gat")));
}

TEST(SearchRulesTest, TooManyTermsAreFoundByEverySearch) {
  std::string text;
  for (size_t i = 0; i <= kSearchTermsMax; ++i) text += "w" + std::to_string(i) + " ";
  const SearchRules rules{.weights = {{"a", 1}}};
  const Document document = ToDocument(Value::Object({{"a", Value::String(text)}}));
  EXPECT_THAT(SearchValuesOf(document, rules), ElementsAre(Value::Null()));
  EXPECT_THAT(SearchValuesToFind({"w1"}), ElementsAre(Value::Null(), Value::String("w1")));
}

TEST(SearchRulesTest, TellsLanguagesThatDoNotExist) {
  const SearchRules rules{.weights = {{"a.b", 1}}};
  EXPECT_EQ(FindLanguageMistake(FromJson(R"({"a": [{"language": "xx"}]})"), rules),
            Value::String("xx"));
  EXPECT_EQ(FindLanguageMistake(FromJson(R"({"c": {"language": "xx"}})"), rules), std::nullopt);
}

TEST(SearchQueryTest, ScoresAreThoseOfMongoDb) {
  EXPECT_EQ(Score(R"({"a": "cat"})", "cat"), 1.1);
  EXPECT_EQ(Score(R"({"a": "Cats"})", "cat"), 1.0);
  EXPECT_EQ(Score(R"({"a": "cat cat cat dog the"})", "cats"), 1.53125);
  EXPECT_EQ(Score(R"({"a": "cats and dogs", "b": [{"c": "cat dog"}]})", "cat"), 0.75 + 3 * 0.75);
  EXPECT_EQ(Score(R"({"a": "fish"})", "cat"), std::nullopt);
}

TEST(SearchQueryTest, WordsPhrasesAndRefusals) {
  const char* const json = R"({"a": "The quick brown fox"})";
  EXPECT_TRUE(Score(json, "fox cat").has_value());
  EXPECT_FALSE(Score(json, "fox -quick").has_value());
  EXPECT_TRUE(Score(json, "fox - quick").has_value());
  EXPECT_TRUE(Score(json, "\"QUICK brown\"").has_value());
  EXPECT_FALSE(Score(json, "\"quick fox\"").has_value());
  EXPECT_FALSE(Score(json, "fox -\"quick brown\"").has_value());
  EXPECT_FALSE(Score(json, "-cat").has_value());
  EXPECT_FALSE(Score(json, "the").has_value());
  EXPECT_FALSE(Score(json, "FOX", {.to_case = true}).has_value());
}

TEST(SearchQueryTest, AMinusLastsUntilASpace) {
  const SearchQuery query = SearchQuery::Parse("-dog-cat x -\"a b\"-c", LanguageNamed("none"), {});
  EXPECT_THAT(query.refused_terms(), ElementsAre("c", "cat", "dog"));
  EXPECT_THAT(query.terms(), ElementsAre("x"));
  EXPECT_THAT(query.refused_phrases(), ElementsAre("a b"));
}

}  // namespace
}  // namespace orrery::model
