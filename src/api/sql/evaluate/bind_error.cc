#include "api/sql/evaluate/bind_error.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace orrery::sql {
namespace {

constexpr size_t kNameBytesMax = 256;  // of a name in a message

std::string_view Shorten(std::string_view name) { return Utf8Prefix(name, kNameBytesMax); }

std::string CountText(size_t least, size_t most) {
  if (least == most) return fmt::format("{}", least);
  if (most == kArgumentsUnbounded) return fmt::format("at least {}", least);
  return fmt::format("{} to {}", least, most);
}

}  // namespace

QueryError BindErrors::UnresolvedIdentifier(SourceRange range, std::string_view name) const {
  return ErrorAt(text_, range, kUnresolvedIdentifierCode,
                 fmt::format("Identifier '{}' could not be resolved.", Shorten(name)));
}

QueryError BindErrors::UnknownFunction(SourceRange range, std::string_view name) const {
  return ErrorAt(text_, range, kUnknownFunctionCode,
                 fmt::format("'{}' is not a recognized built-in function name.", Shorten(name)));
}

QueryError BindErrors::ArgumentCount(SourceRange range, std::string_view name, size_t least,
                                     size_t most) const {
  return ErrorAt(
      text_, range, kArgumentCountCode,
      fmt::format("The {} function requires {} argument(s).", name, CountText(least, most)));
}

QueryError BindErrors::MisplacedAggregate(SourceRange range, std::string_view name) const {
  return ErrorAt(text_, range, kMisplacedAggregateCode,
                 fmt::format("The aggregate '{}' cannot stand here.", Shorten(name)));
}

QueryError BindErrors::NestedAggregate(SourceRange range) const {
  return ErrorAt(text_, range, kNestedAggregateCode,
                 "Cannot perform an aggregate function on an expression containing an aggregate or "
                 "a subquery.");
}

QueryError BindErrors::MissingParameter(SourceRange range, std::string_view name) const {
  return ErrorAt(text_, range, kMissingParameterCode,
                 fmt::format("The query has no value for its parameter '{}'.", Shorten(name)));
}

QueryError BindErrors::OpenPlaceholder(SourceRange range, std::string_view name) const {
  return ErrorAt(text_, range, kOpenPlaceholderCode,
                 fmt::format("The placeholder '{}' was not filled in.", Shorten(name)));
}

QueryError BindErrors::InvalidNumber(SourceRange range) const {
  return ErrorAt(text_, range, kInvalidConstantCode, "The number is out of range.");
}

QueryError BindErrors::InvalidConstant(SourceRange range, const Error& error) const {
  const bool is_limit = error.code() == Code::kTooLarge;
  return ErrorAt(text_, range, is_limit ? kLimitCode : kInvalidConstantCode, error.message());
}

QueryError BindErrors::Unsupported(SourceRange range, std::string_view what) const {
  return ErrorAt(text_, range, kUnsupportedCode, fmt::format("{} are not supported here.", what));
}

}  // namespace orrery::sql
