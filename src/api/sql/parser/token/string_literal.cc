#include "api/sql/parser/token/string_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>

#include "query/lexer/number_scanner.h"

namespace orrery::sql {
namespace {

constexpr size_t kUnicodeDigits = 4;  // of \uXXXX

bool IsHighSurrogate(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool IsLowSurrogate(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

void AppendUtf8(std::string& out, uint32_t character) {
  if (character < 0x80) {
    out += static_cast<char>(character);
    return;
  }
  if (character < 0x800) {
    out += static_cast<char>(0xC0 | (character >> 6));
  } else {
    if (character < 0x10000) {
      out += static_cast<char>(0xE0 | (character >> 12));
    } else {
      out += static_cast<char>(0xF0 | (character >> 18));
      out += static_cast<char>(0x80 | ((character >> 12) & 0x3F));
    }
    out += static_cast<char>(0x80 | ((character >> 6) & 0x3F));
  }
  out += static_cast<char>(0x80 | (character & 0x3F));
}

// Takes "uXXXX" off the front of `text`.
std::optional<uint32_t> TakeUnicodeUnit(std::string_view& text) {
  if (!text.starts_with('u')) return std::nullopt;
  const std::string_view digits = text.substr(1, kUnicodeDigits);
  if (query::CountHexDigits(digits) != kUnicodeDigits) return std::nullopt;
  uint32_t unit = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  text.remove_prefix(1 + kUnicodeDigits);
  return unit;
}

// Takes one escape, without its backslash, off the front of `text`.
bool TakeEscape(std::string_view& text, std::string& out) {
  constexpr std::string_view kEscapes = "'\"\\/bfnrt";
  constexpr std::string_view kMeanings = "'\"\\/\b\f\n\r\t";
  if (text.empty()) return false;
  if (const size_t at = kEscapes.find(text[0]); at != std::string_view::npos) {
    out += kMeanings[at];
    text.remove_prefix(1);
    return true;
  }
  auto unit = TakeUnicodeUnit(text);
  if (!unit || IsLowSurrogate(*unit)) return false;
  if (IsHighSurrogate(*unit)) {
    if (!text.starts_with('\\')) return false;
    text.remove_prefix(1);
    const auto low = TakeUnicodeUnit(text);
    if (!low || !IsLowSurrogate(*low)) return false;
    unit = 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00);
  }
  AppendUtf8(out, *unit);
  return true;
}

}  // namespace

size_t ScanString(std::string_view text) {
  const char ends[] = {text[0], '\\', '\0'};
  size_t at = 1;
  while ((at = text.find_first_of(ends, at)) != std::string_view::npos) {
    if (text[at] == text[0]) return at + 1;
    at += 2;
  }
  return std::string_view::npos;
}

std::optional<std::string> UnquoteString(std::string_view literal) {
  std::string_view rest = literal.substr(1, literal.size() - 2);
  std::string content;
  content.reserve(rest.size());
  while (!rest.empty()) {
    const size_t plain = std::min(rest.find('\\'), rest.size());
    content += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    rest.remove_prefix(1);
    if (!TakeEscape(rest, content)) return std::nullopt;
  }
  return content;
}

std::string QuoteString(std::string_view content) {
  std::string literal = "\"";
  literal.reserve(content.size() + 2);
  for (const char c : content) {
    switch (c) {
      case '"':
      case '\\':
        literal += '\\';
        literal += c;
        break;
      case '\n':
        literal += "\\n";
        break;
      case '\r':
        literal += "\\r";
        break;
      case '\t':
        literal += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(literal), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
          literal += c;
        }
    }
  }
  literal += '"';
  return literal;
}

}  // namespace orrery::sql
