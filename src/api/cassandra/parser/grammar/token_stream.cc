#include "api/cassandra/parser/grammar/token_stream.h"

#include <fmt/format.h>

#include <utility>

namespace orrery::cassandra::grammar {
namespace {

// The names that Cassandra's messages have for keywords: K_FROM.
std::string TokenName(Keyword keyword) {
  std::string name = "K_";
  for (const char c : KeywordText(keyword)) name += static_cast<char>(c - 'a' + 'A');
  return name;
}

}  // namespace

void TokenStream::FailExpected(Keyword keyword) { FailMismatch(TokenName(keyword)); }

void TokenStream::FailExpected(Symbol symbol) {
  FailMismatch(fmt::format("'{}'", SymbolText(symbol)));
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
  FailWith([&] { return NoViableAlternative(whole_text(), tokens(), index()); });
}

void TokenStream::FailMismatch(std::string_view expected) {
  FailWith([&] { return MismatchedInput(whole_text(), tokens(), index(), expected); });
}

void TokenStream::Fail(query::TextPosition position, std::string message) {
  FailWith([&] { return SyntaxError{.position = position, .message = std::move(message)}; });
}

ast::BindMarker TokenStream::AddMarker(std::string name) {
  if (marker_names_.size() >= limits_.markers_max) {
    Fail(position(), fmt::format("more than {} bind markers in a statement", limits_.markers_max));
    return {};
  }
  marker_names_.push_back(name);
  return {.index = static_cast<uint16_t>(marker_names_.size() - 1), .name = std::move(name)};
}

void TokenStream::FailNesting() {
  Fail(position(), fmt::format("line {}:{} more than {} levels of nesting", position().line,
                               position().column, limits_.nesting_max));
}

bool TokenStream::CheckElements(size_t elements) {
  if (elements < limits_.elements_max) return true;
  Fail(position(), fmt::format("line {}:{} more than {} elements in a list", position().line,
                               position().column, limits_.elements_max));
  return false;
}

void TokenStream::CountOperator() {
  if (++operators_ <= limits_.operators_max) return;
  Fail(position(), fmt::format("line {}:{} more than {} operators in an expression",
                               position().line, position().column, limits_.operators_max));
}

}  // namespace orrery::cassandra::grammar
