// The semantic errors of a query whose syntax is right, as QueryErrors.
//
// Codes from SC2900 on are our own: Cosmos DB has published none for these cases.
#pragma once

#include <string_view>

#include "api/sql/function/function.h"
#include "api/sql/parser/query_error.h"
#include "base/status.h"

namespace orrery::sql {

inline constexpr std::string_view kUnresolvedIdentifierCode = "SC2001";
inline constexpr std::string_view kUnknownFunctionCode = "SC2005";
inline constexpr std::string_view kArgumentCountCode = "SC2050";
inline constexpr std::string_view kNestedAggregateCode = "SC2101";
inline constexpr std::string_view kMisplacedAggregateCode = "SC2901";
inline constexpr std::string_view kMissingParameterCode = "SC2902";
inline constexpr std::string_view kOpenPlaceholderCode = "SC2903";
inline constexpr std::string_view kInvalidConstantCode = "SC2904";
inline constexpr std::string_view kUnsupportedCode = "SC2905";

// Makes the errors of one query. Keeps a view of its text.
class BindErrors {
 public:
  explicit BindErrors(std::string_view text) : text_(text) {}

  QueryError UnresolvedIdentifier(SourceRange range, std::string_view name) const;
  QueryError UnknownFunction(SourceRange range, std::string_view name) const;
  // "The ABS function requires 1 argument(s).", of an upper-case name.
  QueryError ArgumentCount(SourceRange range, std::string_view name, size_t least,
                           size_t most) const;
  QueryError MisplacedAggregate(SourceRange range, std::string_view name) const;
  // `range` is the outer one's.
  QueryError NestedAggregate(SourceRange range) const;
  QueryError MissingParameter(SourceRange range, std::string_view name) const;
  QueryError OpenPlaceholder(SourceRange range, std::string_view name) const;
  // A malformed number.
  QueryError InvalidNumber(SourceRange range) const;
  // An expression of constants that cannot be evaluated, or an invalid pattern.
  QueryError InvalidConstant(SourceRange range, const Error& error) const;
  // `what` in the plural.
  QueryError Unsupported(SourceRange range, std::string_view what) const;

 private:
  const std::string_view text_;
};

}  // namespace orrery::sql
