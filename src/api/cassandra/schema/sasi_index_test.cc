#include "api/cassandra/schema/sasi_index.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

using Terms = std::vector<std::string>;

constexpr std::string_view kAnalyzers = "org.apache.cassandra.index.sasi.analyzer.";

Column ColumnOf(TypeKind kind) {
  Column column;
  column.name = "v";
  column.kind = ColumnKind::kRegular;
  column.type = Type::Native(kind);
  return column;
}

SasiIndex SasiOfText(OptionMap options) {
  const auto made = MakeSasiIndex(ColumnOf(TypeKind::kText), options);
  EXPECT_TRUE(made.has_value()) << made.error().message;
  return made.value_or(SasiIndex{});
}

std::string SasiError(TypeKind kind, const OptionMap& options) {
  const auto made = MakeSasiIndex(ColumnOf(kind), options);
  if (made.has_value()) return "";
  EXPECT_EQ(made.error().code, ErrorCode::kConfigError);
  return made.error().message;
}

OptionMap Analyzer(std::string_view name, OptionMap more = {}) {
  more["analyzer_class"] = std::string(kAnalyzers) + std::string(name);
  return more;
}

TEST(SasiIndex, ModesSayWhatItMayBeAsked) {
  const SasiIndex prefix = SasiOfText({});
  EXPECT_EQ(prefix.mode, SasiMode::kPrefix);
  EXPECT_TRUE(prefix.supports_like());
  EXPECT_TRUE(prefix.supports_equality());
  EXPECT_FALSE(prefix.supports_ranges()) << "of texts";
  EXPECT_TRUE(prefix.supports(LikeKind::kPrefix));
  EXPECT_TRUE(prefix.supports(LikeKind::kMatches));
  EXPECT_FALSE(prefix.supports(LikeKind::kSuffix));
  EXPECT_FALSE(prefix.supports(LikeKind::kContains));
  const SasiIndex contains = SasiOfText({{"mode", "contains"}});
  for (const LikeKind kind :
       {LikeKind::kMatches, LikeKind::kPrefix, LikeKind::kSuffix, LikeKind::kContains})
    EXPECT_TRUE(contains.supports(kind));
  const SasiIndex words = SasiOfText(Analyzer("StandardAnalyzer", {{"mode", "CONTAINS"}}));
  EXPECT_FALSE(words.supports(LikeKind::kPrefix));
  EXPECT_FALSE(words.supports_equality());
  const auto number = MakeSasiIndex(ColumnOf(TypeKind::kInt), {{"mode", "SPARSE"}});
  ASSERT_TRUE(number.has_value());
  EXPECT_FALSE(number->supports_like());
  EXPECT_TRUE(number->supports_ranges());
  EXPECT_FALSE(MakeSasiIndex(ColumnOf(TypeKind::kInt), {{"mode", "CONTAINS"}})->supports_ranges());
}

TEST(SasiIndex, AnalyzersMakeTerms) {
  EXPECT_EQ(SasiOfText({}).TermsOf("Hello World"), Terms{"Hello World"});
  EXPECT_EQ(SasiOfText(Analyzer("NonTokenizingAnalyzer")).TermsOf("Hello"), Terms{"Hello"});
  for (const OptionMap& lower :
       {OptionMap{{"case_sensitive", "false"}}, OptionMap{{"normalize_lowercase", "true"}}})
    EXPECT_EQ(SasiOfText(Analyzer("NonTokenizingAnalyzer", lower)).TermsOf("ÄH Ja"),
              Terms{"äh ja"});
  EXPECT_EQ(
      SasiOfText(Analyzer("NonTokenizingAnalyzer", {{"normalize_uppercase", "true"}})).TermsOf("a"),
      Terms{"A"});
  EXPECT_EQ(SasiOfText(Analyzer("StandardAnalyzer")).TermsOf("Hello, World's 3.5"),
            (Terms{"Hello", "World's", "3.5"}));
  EXPECT_EQ(SasiOfText({{"analyzed", "true"}, {"tokenization_normalize_lowercase", "true"}})
                .TermsOf("Hello World"),
            (Terms{"hello", "world"}));
  EXPECT_EQ(SasiOfText(Analyzer("DelimiterAnalyzer", {{"delimiter", ";"}})).TermsOf("a b;c;;"),
            (Terms{"a b", "c"}));
  EXPECT_TRUE(SasiOfText(Analyzer("StandardAnalyzer", {{"analyzed", "false"}})).keeps_values());
  EXPECT_TRUE(SasiOfText(Analyzer("NoOpAnalyzer")).keeps_values());
}

TEST(SasiIndex, RefusesWhatCassandraDoes) {
  EXPECT_EQ(SasiError(TypeKind::kText, {{"mode", "x"}}), "Incorrect index mode: x");
  EXPECT_EQ(SasiError(TypeKind::kText, {{"mode", "SPARSE"}}),
            "SPARSE mode is only supported on non-literal columns.");
  EXPECT_EQ(SasiError(TypeKind::kText, {{"analyzer_class", "my.Own"}}),
            "Invalid analyzer class option specified [my.Own]");
  EXPECT_EQ(SasiError(TypeKind::kInt, Analyzer("StandardAnalyzer")),
            "StandardAnalyzer does not support type int");
  EXPECT_EQ(SasiError(TypeKind::kText,
                      Analyzer("NonTokenizingAnalyzer",
                               {{"case_sensitive", "true"}, {"normalize_lowercase", "true"}})),
            "case_sensitive option cannot be specified together with either normalize_lowercase or "
            "normalize_uppercase");
  EXPECT_EQ(SasiError(TypeKind::kText, Analyzer("DelimiterAnalyzer", {{"delimiter", ", "}})),
            "Only single character delimiters supported, was , ");
  Column key = ColumnOf(TypeKind::kText);
  key.kind = ColumnKind::kPartitionKey;
  EXPECT_EQ(MakeSasiIndex(key, {}).error().message,
            "partition key columns are not yet supported by SASI");
  Column list = ColumnOf(TypeKind::kText);
  list.type = Type::List(Type::Native(TypeKind::kText), Cells::kMulti).value();
  EXPECT_EQ(MakeSasiIndex(list, {}).error().message,
            "complex columns are not yet supported by SASI");
}

TEST(SasiIndex, SaysWhatThisServerLacks) {
  EXPECT_TRUE(SasiError(TypeKind::kText,
                        Analyzer("StandardAnalyzer", {{"tokenization_enable_stemming", "true"}}))
                  .contains("not supported by this server"));
  EXPECT_EQ(SasiError(TypeKind::kText,
                      Analyzer("StandardAnalyzer", {{"tokenization_skip_stop_words", "false"}})),
            "");
}

}  // namespace
}  // namespace orrery::cassandra
