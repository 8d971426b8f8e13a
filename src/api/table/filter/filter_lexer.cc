#include "api/table/filter/filter_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "net/http/http_message.h"
#include "query/lexer/number_scanner.h"

namespace orrery::table {
namespace {

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::string> FromHex(std::string_view text) {
  if (text.size() % 2 != 0 || query::CountHexDigits(text) != text.size()) return std::nullopt;
  const auto digit = [](char c) { return IsDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::string bytes;
  for (size_t i = 0; i < text.size(); i += 2)
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  return bytes;
}

FilterToken Literal(EdmValue value, size_t offset) {
  return {.kind = FilterToken::Kind::kLiteral, .literal = std::move(value), .offset = offset};
}

}  // namespace

std::unexpected<ErrorResponse> BadFilter(std::string_view what, size_t offset) {
  return Refuse(ErrorCode::kInvalidInput,
                fmt::format("One of the request inputs is not valid: $filter, at character {}: {}.",
                            offset + 1, what));
}

std::unexpected<ErrorResponse> FilterLexer::Malformed(std::string_view what) const {
  return BadFilter(what, cursor_.offset());
}

Outcome<FilterToken> FilterLexer::Next() {
  cursor_.SkipBlanks();
  const size_t offset = cursor_.offset();
  if (cursor_.at_end()) return FilterToken{.offset = offset};
  const char c = cursor_.Peek();
  if (c == '(' || c == ')') {
    cursor_.Advance(1);
    return FilterToken{.kind = c == '(' ? FilterToken::Kind::kOpen : FilterToken::Kind::kClose,
                       .offset = offset};
  }
  if (c == '\'') {
    TABLE_ASSIGN(std::string text, Quoted());
    return Literal(EdmValue::String(std::move(text)), offset);
  }
  const bool is_signed = c == '-' || c == '+';
  if (IsDigit(c) || (is_signed && (IsDigit(cursor_.Peek(1)) || cursor_.Peek(1) == '.')) ||
      (c == '.' && IsDigit(cursor_.Peek(1))))
    return Number();
  if (IsWordCharacter(c) || is_signed) return WordOrTyped();
  return Malformed(fmt::format("'{}' is not expected", c));
}

Outcome<std::string> FilterLexer::Quoted() {
  cursor_.Advance(1);
  std::string text;
  while (!cursor_.at_end()) {
    const char c = cursor_.Peek();
    if (c == '\'' && cursor_.Peek(1) != '\'') {
      cursor_.Advance(1);
      return text;
    }
    cursor_.Advance(c == '\'' ? 2 : 1);
    text += c;
  }
  return Malformed("a string has no end");
}

Outcome<FilterToken> FilterLexer::Number() {
  const size_t offset = cursor_.offset();
  const bool is_negative = cursor_.Peek() == '-';
  if (is_negative || cursor_.Peek() == '+') cursor_.Advance(1);
  std::string digits = is_negative ? "-" : "";
  query::NumberShape shape;
  if (cursor_.Peek() == '.') {
    shape = {.length = 1 + query::CountDigits(cursor_.rest().substr(1)), .is_integer = false};
    digits += '0';
  } else {
    shape = query::ScanNumber(cursor_.rest());
  }
  digits += cursor_.rest().substr(0, shape.length);
  cursor_.Advance(shape.length);
  const char suffix = cursor_.Peek();
  const bool is_long = suffix == 'L' || suffix == 'l';
  const bool is_real = suffix == 'd' || suffix == 'D' || suffix == 'f' || suffix == 'F' ||
                       suffix == 'm' || suffix == 'M';
  if (is_long || is_real) cursor_.Advance(1);
  if (IsWordCharacter(cursor_.Peek())) return Malformed("a number is followed by letters");
  if (shape.is_integer && !is_real) {
    const auto number = ParseEdmInteger(digits);
    if (!number.has_value()) return Malformed("a whole number is out of range");
    if (is_long || *number != static_cast<int32_t>(*number))
      return Literal(EdmValue::Int64(*number), offset);
    return Literal(EdmValue::Int32(static_cast<int32_t>(*number)), offset);
  }
  const auto number = ParseEdmDouble(digits);
  if (is_long || !number.has_value() || !std::isfinite(*number))
    return Malformed("a number is malformed");
  return Literal(EdmValue::Double(*number), offset);
}

Outcome<FilterToken> FilterLexer::WordOrTyped() {
  const size_t offset = cursor_.offset();
  const std::string_view rest = cursor_.rest();
  size_t length = rest.front() == '-' || rest.front() == '+' ? 1 : 0;
  while (length < rest.size() && IsWordCharacter(rest[length])) ++length;
  const std::string_view word = rest.substr(0, length);
  cursor_.Advance(length);
  if (cursor_.Peek() == '\'') return Typed(word, offset);
  if (net::EqualsIgnoringCase(word, "true")) return Literal(EdmValue::Boolean(true), offset);
  if (net::EqualsIgnoringCase(word, "false")) return Literal(EdmValue::Boolean(false), offset);
  if (word == "NaN" || word == "INF" || word == "-INF" || word == "Infinity" || word == "-Infinity")
    return Literal(EdmValue::Double(*ParseEdmDouble(word)), offset);
  if (word == "-" || word == "+") return Malformed("a sign stands alone");
  return FilterToken{.kind = FilterToken::Kind::kWord, .word = std::string(word), .offset = offset};
}

Outcome<FilterToken> FilterLexer::Typed(std::string_view prefix, size_t offset) {
  TABLE_ASSIGN(const std::string text, Quoted());
  if (net::EqualsIgnoringCase(prefix, "datetime")) {
    const auto ticks = ParseEdmDateTime(text);
    if (!ticks.has_value()) return BadFilter("a datetime is malformed", offset);
    return Literal(EdmValue::DateTime(*ticks), offset);
  }
  if (net::EqualsIgnoringCase(prefix, "guid")) {
    auto guid = ParseGuid(text);
    if (!guid.has_value()) return BadFilter("a guid is malformed", offset);
    return Literal(EdmValue::Guid(*std::move(guid)), offset);
  }
  if (net::EqualsIgnoringCase(prefix, "X") || net::EqualsIgnoringCase(prefix, "binary")) {
    auto bytes = FromHex(text);
    if (!bytes.has_value()) return BadFilter("a binary literal is not of hex digits", offset);
    return Literal(EdmValue::Binary(*std::move(bytes)), offset);
  }
  return BadFilter(fmt::format("'{}' is no type of a literal", prefix), offset);
}

}  // namespace orrery::table
