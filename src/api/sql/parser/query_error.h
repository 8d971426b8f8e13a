// A QueryError says what is wrong with a query and where, in the words of Cosmos DB:
//
//   7..15 SC1001 Syntax error, incorrect syntax near 'distinct'.
//
// The parser makes the ones of syntax and of size; whoever resolves names makes others with the
// same ErrorAt. All become elements of the "errors" of one response body, which is not made here.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "api/sql/parser/ast/source_range.h"
#include "base/status.h"

namespace orrery::sql {

inline constexpr std::string_view kSyntaxErrorCode = "SC1001";    // a token where it cannot stand
inline constexpr std::string_view kInvalidTokenCode = "SC1010";   // characters that are no token
inline constexpr std::string_view kInvalidStringCode = "SC1012";  // an open or ill-escaped string
inline constexpr std::string_view kLimitCode = "SC3020";          // one of ParserLimits
inline constexpr std::string_view kTopCountCode = "SC2060";       // no integer of 32 bits
inline constexpr std::string_view kLimitCountCode = "SC2061";     // more than 32 bits
inline constexpr std::string_view kOffsetCountCode = "SC2062";

struct QueryError {
  // First character and the one behind the last, from 0, in UTF-16 code units: clients mark that
  // part of the text they sent.
  uint32_t start = 0;
  uint32_t end = 0;
  std::string code;
  std::string message;

  Error ToError() const { return {Code::kInvalidArgument, message}; }

  friend bool operator==(const QueryError&, const QueryError&) = default;
};

template <typename T>
using Parsed = std::expected<T, QueryError>;

// An error about `range` of `text`.
QueryError ErrorAt(std::string_view text, SourceRange range, std::string_view code,
                   std::string message);

// "Syntax error, incorrect syntax near 'x'.", or one that says that the query ends too early when
// `range` is empty.
QueryError SyntaxErrorNear(std::string_view text, SourceRange range);

// "Syntax error, invalid token ';'." and its like; `kind` is "token" here.
QueryError InvalidToken(std::string_view text, SourceRange range, std::string_view code,
                        std::string_view kind);

// The clauses that count rows.
enum class CountClause : uint8_t { kTop, kOffset, kLimit };

// An error about a count that is no number such a clause may have.
QueryError CountError(std::string_view text, SourceRange range, CountClause clause);

// Returns how many UTF-16 code units `text` has. Never more than it has bytes, even when they are
// not UTF-8.
size_t CountUtf16(std::string_view text);

}  // namespace orrery::sql
