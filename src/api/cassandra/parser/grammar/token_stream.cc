#include "api/cassandra/parser/grammar/token_stream.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace orrery::cassandra::grammar {
namespace {

// The names that Cassandra's messages have for keywords: K_FROM.
std::string TokenName(Keyword keyword) {
  std::string name = "K_";
  for (const char c : KeywordText(keyword)) name += static_cast<char>(c - 'a' + 'A');
  return name;
}

}  // namespace

TokenStream::TokenStream(std::string_view text, std::span<const Token> tokens,
                         const ParserLimits& limits)
    : text_(text), tokens_(tokens), limits_(limits), nesting_(limits.nesting_max) {
  ORRERY_CHECK(!tokens.empty() && tokens.back().kind == TokenKind::kEnd);
}

const Token& TokenStream::Peek(size_t ahead) const {
  return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
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

bool TokenStream::Accept(Keyword first, Keyword second) {
  if (!At(first) || !At(second, 1)) return false;
  Skip();
  Skip();
  return true;
}

void TokenStream::Expect(Keyword keyword) {
  if (!Accept(keyword)) FailMismatch(TokenName(keyword));
}

void TokenStream::Expect(Symbol symbol) {
  if (!Accept(symbol)) FailMismatch(fmt::format("'{}'", SymbolText(symbol)));
}

std::string TokenStream::TakeUnquoted() {
  std::string_view quoted = text();
  Skip();
  if (quoted.starts_with('$')) return std::string(quoted.substr(2, quoted.size() - 4));

  const char quote = quoted[0];
  quoted = quoted.substr(1, quoted.size() - 2);
  std::string content;
  content.reserve(quoted.size());
  for (size_t at = 0; at < quoted.size(); ++at) {
    content += quoted[at];
    if (quoted[at] == quote) ++at;
  }
  return content;
}

std::string TokenStream::ExpectString() {
  if (At(TokenKind::kString)) return TakeUnquoted();
  FailMismatch("STRING_LITERAL");
  return {};
}

void TokenStream::FailNoViable() {
  if (!failed()) SetError(NoViableAlternative(text_, tokens_, index_));
}

void TokenStream::FailMismatch(std::string_view expected) {
  if (!failed()) SetError(MismatchedInput(text_, tokens_, index_, expected));
}

void TokenStream::Fail(query::TextPosition position, std::string message) {
  if (!failed()) SetError({.position = position, .message = std::move(message)});
}

void TokenStream::SetError(SyntaxError error) {
  error_ = std::move(error);
  index_ = tokens_.size() - 1;
}

ast::BindMarker TokenStream::AddMarker(std::string name) {
  if (marker_names_.size() >= limits_.markers_max) {
    Fail(position(), fmt::format("more than {} bind markers in a statement", limits_.markers_max));
    return {};
  }
  marker_names_.push_back(name);
  return {.index = static_cast<uint16_t>(marker_names_.size() - 1), .name = std::move(name)};
}

TokenStream::Level::Level(TokenStream& stream) : level_(stream.nesting_) {
  if (stream.nesting_.depth() == 1) stream.operators_ = 0;
  if (level_.ok()) return;
  stream.Fail(stream.position(),
              fmt::format("line {}:{} more than {} levels of nesting", stream.position().line,
                          stream.position().column, stream.limits_.nesting_max));
}

void TokenStream::CountOperator() {
  if (++operators_ <= limits_.operators_max) return;
  Fail(position(), fmt::format("line {}:{} more than {} operators in an expression",
                               position().line, position().column, limits_.operators_max));
}

}  // namespace orrery::cassandra::grammar
