#include "api/sql/parser/grammar/token_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/sql/parser/token/string_literal.h"

namespace orrery::sql::grammar {

SourceRange TokenStream::RangeFrom(uint32_t start) const {
  const uint32_t end = index() == 0 ? 0 : tokens()[index() - 1].range.end;
  return {.start = start, .end = std::max(start, end)};
}

std::string TokenStream::ExpectString() {
  if (!At(TokenKind::kString)) {
    FailHere();
    return {};
  }
  auto content = UnquoteString(text());
  if (!content) {
    FailWith([&] {
      return InvalidToken(whole_text(), Peek().range, kInvalidStringCode, "string literal token");
    });
    return {};
  }
  Skip();
  return std::move(*content);
}

void TokenStream::FailNear(SourceRange range) {
  FailWith([&] { return SyntaxErrorNear(whole_text(), range); });
}

void TokenStream::FailCount(CountClause clause) {
  FailWith([&] { return CountError(whole_text(), Peek().range, clause); });
}

void TokenStream::FailLimit(uint32_t maximum, std::string_view of_what) {
  FailWith([&] {
    return ErrorAt(
        whole_text(), Peek().range, kLimitCode,
        fmt::format("The SQL query exceeded the maximum limit of {} {}.", maximum, of_what));
  });
}

void TokenStream::CountNode(uint32_t depth) {
  if (++nodes_ > limits_.nodes_max) FailLimit(limits_.nodes_max, "parts");
  if (depth > limits_.depth_max) FailLimit(limits_.depth_max, "operations on each other");
}

}  // namespace orrery::sql::grammar
