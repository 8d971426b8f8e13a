#include "api/sql/parser/grammar/token_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/sql/parser/token/string_literal.h"
#include "base/check.h"

namespace orrery::sql::grammar {

TokenStream::TokenStream(std::string_view text, std::span<const Token> tokens,
                         const ParserLimits& limits)
    : text_(text), tokens_(tokens), limits_(limits), nesting_(limits.nesting_max) {
  ORRERY_CHECK(!tokens.empty() && tokens.back().kind == TokenKind::kEnd);
}

const Token& TokenStream::Peek(size_t ahead) const {
  return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
}

SourceRange TokenStream::RangeFrom(uint32_t start) const {
  const uint32_t end = index_ == 0 ? 0 : tokens_[index_ - 1].range.end;
  return {.start = start, .end = std::max(start, end)};
}

void TokenStream::Skip() {
  if (index_ + 1 < tokens_.size()) ++index_;
}

bool TokenStream::Accept(Keyword keyword) {
  if (!At(keyword)) return false;
  Skip();
  return true;
}

bool TokenStream::Accept(Symbol symbol) {
  if (!At(symbol)) return false;
  Skip();
  return true;
}

void TokenStream::Expect(Keyword keyword) {
  if (!Accept(keyword)) FailHere();
}

void TokenStream::Expect(Symbol symbol) {
  if (!Accept(symbol)) FailHere();
}

std::string TokenStream::ExpectString() {
  if (!At(TokenKind::kString)) {
    FailHere();
    return {};
  }
  auto content = UnquoteString(text());
  if (!content) {
    SetError(InvalidToken(text_, Peek().range, kInvalidStringCode, "string literal token"));
    return {};
  }
  Skip();
  return std::move(*content);
}

void TokenStream::FailNear(SourceRange range) {
  if (!failed()) SetError(SyntaxErrorNear(text_, range));
}

void TokenStream::FailLimit(uint32_t maximum, std::string_view of_what) {
  if (failed()) return;
  SetError(
      ErrorAt(text_, Peek().range, kLimitCode,
              fmt::format("The SQL query exceeded the maximum limit of {} {}.", maximum, of_what)));
}

void TokenStream::SetError(QueryError error) {
  error_ = std::move(error);
  index_ = tokens_.size() - 1;
}

TokenStream::Level::Level(TokenStream& stream) : level_(stream.nesting_) {
  if (!level_.ok()) stream.FailLimit(stream.limits_.nesting_max, "levels of nesting");
}

void TokenStream::CountNode(uint32_t depth) {
  if (++nodes_ > limits_.nodes_max) FailLimit(limits_.nodes_max, "parts");
  if (depth > limits_.depth_max) FailLimit(limits_.depth_max, "operations on each other");
}

}  // namespace orrery::sql::grammar
