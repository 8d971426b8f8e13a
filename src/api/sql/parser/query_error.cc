#include "api/sql/parser/query_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace orrery::sql {
namespace {

constexpr size_t kTokenTextBytesMax = 256;  // of a token named in a message

std::string_view NameOf(std::string_view text, SourceRange range) {
  return Utf8Prefix(text.substr(range.start, range.end - range.start), kTokenTextBytesMax);
}

}  // namespace

QueryError CountError(std::string_view text, SourceRange range, CountClause clause) {
  switch (clause) {
    case CountClause::kOffset:
      return ErrorAt(text, range, kOffsetCountCode,
                     "The OFFSET count value exceeds the maximum allowed value.");
    case CountClause::kLimit:
      return ErrorAt(text, range, kLimitCountCode,
                     "The LIMIT count value exceeds the maximum allowed value.");
    case CountClause::kTop:
      break;
  }
  return ErrorAt(text, range, kTopCountCode,
                 "The count value provided for a TOP clause must be an integer.");
}

size_t CountUtf16(std::string_view text) {
  size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xC0) == 0x80;
    const bool needs_two = byte >= 0xF0;  // outside the basic plane
    units += continues ? 0 : needs_two ? 2 : 1;
  }
  return std::min(units, text.size());
}

QueryError ErrorAt(std::string_view text, SourceRange range, std::string_view code,
                   std::string message) {
  const size_t start = CountUtf16(text.substr(0, range.start));
  const size_t length = CountUtf16(text.substr(range.start, range.end - range.start));
  return {.start = static_cast<uint32_t>(start),
          .end = static_cast<uint32_t>(start + length),
          .code = std::string(code),
          .message = std::move(message)};
}

QueryError SyntaxErrorNear(std::string_view text, SourceRange range) {
  std::string message =
      range.start == range.end
          ? "Syntax error, unexpected end of the query."
          : fmt::format("Syntax error, incorrect syntax near '{}'.", NameOf(text, range));
  return ErrorAt(text, range, kSyntaxErrorCode, std::move(message));
}

QueryError InvalidToken(std::string_view text, SourceRange range, std::string_view code,
                        std::string_view kind) {
  return ErrorAt(text, range, code,
                 fmt::format("Syntax error, invalid {} '{}'.", kind, NameOf(text, range)));
}

}  // namespace orrery::sql
