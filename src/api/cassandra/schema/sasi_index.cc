#include "api/cassandra/schema/sasi_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "base/utf8.h"
#include "model/expression/letter_case.h"
#include "model/text/word_breaks.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kAnalyzers = "org.apache.cassandra.index.sasi.analyzer.";

// Beyond them terms are skipped, as by Cassandra.
constexpr size_t kTokenCharactersMax = 255;

std::optional<std::string_view> FindOption(const OptionMap& options, const std::string& name) {
  const auto found = options.find(name);
  if (found == options.end()) return std::nullopt;
  return found->second;
}

// As Java reads one: anything else is false.
bool IsTrue(std::optional<std::string_view> text) {
  return text.has_value() && query::ToLower(*text) == "true";
}

bool IsText(const Column& column) {
  return column.type->kind() == TypeKind::kText || column.type->kind() == TypeKind::kAscii;
}

CqlResult<SasiMode> ReadMode(const OptionMap& options) {
  const std::optional<std::string_view> text = FindOption(options, "mode");
  if (!text.has_value()) return SasiMode::kPrefix;
  const std::string mode = query::ToLower(*text);
  if (mode == "prefix") return SasiMode::kPrefix;
  if (mode == "contains") return SasiMode::kContains;
  if (mode == "sparse") return SasiMode::kSparse;
  return ConfigError(fmt::format("Incorrect index mode: {}", *text));
}

CqlResult<SasiIndex::LetterCase> ReadCase(const OptionMap& options, const std::string& prefix) {
  const bool lower = IsTrue(FindOption(options, prefix + "normalize_lowercase"));
  const bool upper = IsTrue(FindOption(options, prefix + "normalize_uppercase"));
  if (lower && upper) {
    return ConfigError(
        "Options to normalize terms cannot be both uppercase and lowercase at the same time");
  }
  return lower   ? SasiIndex::LetterCase::kLower
         : upper ? SasiIndex::LetterCase::kUpper
                 : SasiIndex::LetterCase::kAsWritten;
}

CqlStatus ReadNonTokenizing(const OptionMap& options, SasiIndex& index) {
  const bool normalizes =
      options.contains("normalize_lowercase") || options.contains("normalize_uppercase");
  if (options.contains("case_sensitive") && normalizes) {
    return ConfigError(
        "case_sensitive option cannot be specified together with either normalize_lowercase or "
        "normalize_uppercase");
  }
  CQL_ASSIGN(index.letter_case, ReadCase(options, ""));
  const auto case_sensitive = FindOption(options, "case_sensitive");
  if (case_sensitive.has_value() && !IsTrue(case_sensitive))
    index.letter_case = SasiIndex::LetterCase::kLower;
  return {};
}

CqlStatus ReadStandard(const OptionMap& options, SasiIndex& index) {
  for (const char* name : {"tokenization_enable_stemming", "tokenization_skip_stop_words"}) {
    if (IsTrue(FindOption(options, name)))
      return ConfigError(fmt::format("{} is not supported by this server; leave it out", name));
  }
  index.tokenizer = SasiIndex::Tokenizer::kStandard;
  CQL_ASSIGN(index.letter_case, ReadCase(options, "tokenization_"));
  return {};
}

CqlStatus ReadDelimiter(const OptionMap& options, SasiIndex& index) {
  index.tokenizer = SasiIndex::Tokenizer::kDelimiter;
  const auto text = FindOption(options, "delimiter");
  if (!text.has_value()) return {};
  const std::string_view first = FirstUtf8Character(*text);
  if (first.empty() || first.size() != text->size()) {
    return ConfigError(fmt::format("Only single character delimiters supported, was {}", *text));
  }
  index.delimiter = model::FirstCharacter(*text);
  return {};
}

CqlStatus ReadAnalyzer(const Column& column, const OptionMap& options, SasiIndex& index) {
  const auto class_name = FindOption(options, "analyzer_class");
  const auto analyzed = FindOption(options, "analyzed");
  const bool is_analyzed = analyzed.has_value() ? IsTrue(analyzed) : class_name.has_value();
  if (!class_name.has_value()) {
    if (is_analyzed && IsText(column)) return ReadStandard(options, index);
    return {};
  }
  const std::string_view name = class_name->starts_with(kAnalyzers)
                                    ? class_name->substr(kAnalyzers.size())
                                    : std::string_view();
  if (name == "NoOpAnalyzer") return {};
  const bool is_known =
      name == "NonTokenizingAnalyzer" || name == "StandardAnalyzer" || name == "DelimiterAnalyzer";
  if (!is_known)
    return ConfigError(fmt::format("Invalid analyzer class option specified [{}]", *class_name));
  if (!IsText(column)) {
    return ConfigError(fmt::format("{} does not support type {}", name, column.type->CqlName()));
  }
  SasiIndex read = index;
  CQL_TRY(name == "NonTokenizingAnalyzer" ? ReadNonTokenizing(options, read)
          : name == "StandardAnalyzer"    ? ReadStandard(options, read)
                                          : ReadDelimiter(options, read));
  // Options are checked also where they count for nothing.
  if (is_analyzed) index = read;
  return {};
}

std::string InCase(std::string_view text, SasiIndex::LetterCase letter_case) {
  switch (letter_case) {
    case SasiIndex::LetterCase::kLower:
      return model::ToLowerCase(text);
    case SasiIndex::LetterCase::kUpper:
      return model::ToUpperCase(text);
    case SasiIndex::LetterCase::kAsWritten:
      break;
  }
  return std::string(text);
}

}  // namespace

std::string_view LikeKindName(LikeKind kind) {
  switch (kind) {
    case LikeKind::kMatches:
      return "LIKE '<term>'";
    case LikeKind::kPrefix:
      return "LIKE '<term>%'";
    case LikeKind::kSuffix:
      return "LIKE '%<term>'";
    case LikeKind::kContains:
      return "LIKE '%<term>%'";
  }
  return "LIKE";
}

bool SasiIndex::supports(LikeKind kind) const {
  if (mode == SasiMode::kSparse) return false;
  if (mode == SasiMode::kPrefix) return kind == LikeKind::kMatches || kind == LikeKind::kPrefix;
  return !(is_tokenized() && kind == LikeKind::kPrefix);
}

std::vector<std::string> SasiIndex::TermsOf(std::string_view value) const {
  if (!is_tokenized()) return {InCase(value, letter_case)};
  const std::vector<std::string_view> tokens = tokenizer == Tokenizer::kStandard
                                                   ? model::WordsOf(value, kTokenCharactersMax)
                                                   : model::SplitAt(value, delimiter);
  std::vector<std::string> terms;
  for (const std::string_view token : tokens) terms.push_back(InCase(token, letter_case));
  return terms;
}

CqlResult<SasiIndex> MakeSasiIndex(const Column& column, const OptionMap& options) {
  if (column.type->is_multi_cell())
    return ConfigError("complex columns are not yet supported by SASI");
  if (column.is_partition_key())
    return ConfigError("partition key columns are not yet supported by SASI");
  SasiIndex index;
  const auto literal = FindOption(options, "is_literal");
  index.is_literal = literal.has_value() ? IsTrue(literal) : IsText(column);
  CQL_TRY(ReadAnalyzer(column, options, index));
  CQL_ASSIGN(index.mode, ReadMode(options));
  if (index.mode == SasiMode::kSparse && index.is_literal)
    return ConfigError("SPARSE mode is only supported on non-literal columns.");
  if (index.mode == SasiMode::kSparse && !index.keeps_values())
    return ConfigError("SPARSE mode doesn't support analyzers.");
  return index;
}

std::optional<SasiIndex> SasiIndexOf(const Column& column, const Index& index) {
  const auto class_name = index.options.find("class_name");
  if (!index.is_custom || class_name == index.options.end() || class_name->second != kSasiClass)
    return std::nullopt;
  auto made = MakeSasiIndex(column, index.options);
  // One that was made when options were not checked: it serves what a plain one does.
  if (!made.has_value()) return std::nullopt;
  return *std::move(made);
}

}  // namespace orrery::cassandra
