// A SasiIndex is what the options of CREATE CUSTOM INDEX .. USING 'SASIIndex' make of an index: how
// values become terms, and which conditions it may be asked. Cassandra's rules and texts.
//
// Pure values. The index itself is an ordinary one of the core, of whole values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

inline constexpr std::string_view kSasiClass = "org.apache.cassandra.index.sasi.SASIIndex";

enum class SasiMode : uint8_t { kPrefix, kContains, kSparse };

// The kinds of LIKE, by the places of '%' in the pattern.
enum class LikeKind : uint8_t { kMatches, kPrefix, kSuffix, kContains };

// "LIKE '%<term>'": Cassandra's name of it.
std::string_view LikeKindName(LikeKind kind);

struct SasiIndex {
  enum class Tokenizer : uint8_t { kNone, kDelimiter, kStandard };
  enum class LetterCase : uint8_t { kAsWritten, kLower, kUpper };

  SasiMode mode = SasiMode::kPrefix;
  bool is_literal = false;  // of texts: LIKE, but no ranges
  Tokenizer tokenizer = Tokenizer::kNone;
  LetterCase letter_case = LetterCase::kAsWritten;
  char32_t delimiter = U',';

  bool is_tokenized() const { return tokenizer != Tokenizer::kNone; }
  // Returns whether a value is its own only term.
  bool keeps_values() const { return !is_tokenized() && letter_case == LetterCase::kAsWritten; }

  bool supports_like() const { return is_literal; }
  bool supports(LikeKind kind) const;
  bool supports_equality() const { return !is_tokenized(); }
  bool supports_ranges() const { return !is_literal && mode != SasiMode::kContains; }

  // Returns the terms of a value that are compared.
  std::vector<std::string> TermsOf(std::string_view value) const;

  friend bool operator==(const SasiIndex&, const SasiIndex&) = default;
};

// The index that the options describe; a configuration error when there is none such for the
// column, or when it needs what this server does not have (stemming, stop words).
CqlResult<SasiIndex> MakeSasiIndex(const Column& column, const OptionMap& options);

// Of an index that is there: nothing when it is of another class.
std::optional<SasiIndex> SasiIndexOf(const Column& column, const Index& index);

}  // namespace orrery::cassandra
