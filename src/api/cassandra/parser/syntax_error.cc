#include "api/cassandra/parser/syntax_error.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace orrery::cassandra {
namespace {

constexpr size_t kTokensBefore = 5;         // of the snippet, before the offending token
constexpr size_t kTokensAfter = 1;          // and after it
constexpr size_t kPieceBytesMax = 160;      // of each of the snippet's three pieces
constexpr size_t kTokenTextBytesMax = 120;  // of a token named in a message

// `text` on one line, cut in front when it is long.
std::string Tail(std::string_view text) {
  if (text.size() > kPieceBytesMax) {
    text.remove_prefix(text.size() - kPieceBytesMax);
    while (!text.empty() && (static_cast<unsigned char>(text[0]) & 0xC0) == 0x80)
      text.remove_prefix(1);
  }
  std::string line(text);
  std::erase(line, '\n');
  return line;
}

std::string Head(std::string_view text) {
  std::string line(Utf8Prefix(text, kPieceBytesMax));
  std::erase(line, '\n');
  return line;
}

std::string Snippet(std::string_view text, std::span<const Token> tokens, size_t index) {
  const size_t end = tokens.size() - 1;  // of the token that marks the end
  if (end == 0) return "";
  const Token& from = tokens[index - std::min(index, kTokensBefore)];
  const Token& offending = tokens[index];
  const Token& to = tokens[std::min(index + kTokensAfter, end)];

  const size_t offending_end = offending.offset + offending.length;
  const std::string_view before = text.substr(from.offset, offending.offset - from.offset);
  const std::string_view after = text.substr(
      offending_end, std::max<size_t>(to.offset + to.length, offending_end) - offending_end);
  const bool from_start = from.offset == tokens[0].offset && before.size() <= kPieceBytesMax;
  const bool to_end = index + kTokensAfter + 1 >= end && after.size() <= kPieceBytesMax;
  return fmt::format(" ({}{}[{}]{}{})", from_start ? "" : "...", Tail(before),
                     Head(offending.TextIn(text)), Head(after), to_end ? "" : "...");
}

std::string_view NameOf(std::string_view text, const Token& token) {
  if (token.kind == TokenKind::kEnd) return "<EOF>";
  return Utf8Prefix(token.TextIn(text), kTokenTextBytesMax);
}

}  // namespace

SyntaxError ErrorAt(query::TextPosition position, std::string_view message) {
  return {.position = position,
          .message = fmt::format("line {}:{} {}", position.line, position.column, message)};
}

SyntaxError NoViableAlternative(std::string_view text, std::span<const Token> tokens,
                                size_t index) {
  const Token& token = tokens[index];
  return ErrorAt(token.position, fmt::format("no viable alternative at input '{}'{}",
                                             NameOf(text, token), Snippet(text, tokens, index)));
}

SyntaxError MismatchedInput(std::string_view text, std::span<const Token> tokens, size_t index,
                            std::string_view expected) {
  const Token& token = tokens[index];
  return ErrorAt(token.position,
                 fmt::format("mismatched input '{}' expecting {}{}", NameOf(text, token), expected,
                             Snippet(text, tokens, index)));
}

}  // namespace orrery::cassandra
