#include "api/cassandra/parser/token/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/cassandra/parser/token/literal_shape.h"
#include "base/utf8.h"
#include "query/lexer/char_cursor.h"
#include "query/lexer/character_class.h"
#include "query/lexer/number_scanner.h"

namespace orrery::cassandra {
namespace {

using query::IsDigit;
using query::IsLetter;

constexpr size_t kBytesPerToken = 5;  // a guess, for the first allocation

size_t WordLength(std::string_view text) {
  if (text.empty() || !IsLetter(text[0])) return 0;
  size_t length = 1;
  while (length < text.size() && query::IsWordCharacter(text[length])) ++length;
  return length;
}

// One pass over one text.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : cursor_(text) {
    tokens_.reserve(text.size() / kBytesPerToken + 2);
  }

  Parsed<std::vector<Token>> Run() {
    while (SkipBlanksAndComments() && !cursor_.at_end() && LexToken()) {
    }
    if (error_) return std::unexpected(std::move(*error_));
    Emit(TokenKind::kEnd, 0);
    return std::move(tokens_);
  }

 private:
  // False when a comment does not end.
  bool SkipBlanksAndComments() {
    while (true) {
      cursor_.SkipBlanks();
      const char first = cursor_.Peek();
      const char second = cursor_.Peek(1);
      if ((first == '-' && second == '-') || (first == '/' && second == '/')) {
        cursor_.SkipLine();
      } else if (first == '/' && second == '*') {
        cursor_.Advance(2);
        if (!cursor_.SkipPast("*/")) return FailUnterminated("'*/'");
      } else {
        return true;
      }
    }
  }

  bool LexToken() {
    const char first = cursor_.Peek();
    if (IsLetter(first)) return LexWord();
    if (IsDigit(first)) return LexNumber(0);
    switch (first) {
      case '-':
        return LexMinus();
      case '\'':
        return LexQuoted(TokenKind::kString, '\'');
      case '"':
        return LexQuoted(TokenKind::kQuotedName, '"');
      case '$':
        return LexDollars();
      default:
        return LexSymbol();
    }
  }

  bool LexWord() {
    const std::string_view rest = cursor_.rest();
    if (StartsWithUuid(rest)) return Emit(TokenKind::kUuid, kUuidLength);
    const size_t length = WordLength(rest);
    if (rest[0] == 'P') {
      if (const size_t duration = ScanDuration(rest); duration >= length)
        return EmitAnyBytes(TokenKind::kDuration, duration);
    }
    const std::string_view word = rest.substr(0, length);
    if (query::EqualsIgnoringCase(word, "true") || query::EqualsIgnoringCase(word, "false"))
      return Emit(TokenKind::kBoolean, length);
    const Keyword keyword = FindKeyword(word);
    if (keyword == Keyword::kNan) return Emit(TokenKind::kNan, length);
    if (keyword == Keyword::kInfinity) return Emit(TokenKind::kInfinity, length);
    if (keyword == Keyword::kNone) return Emit(TokenKind::kIdentifier, length);
    Emit(TokenKind::kKeyword, length);
    tokens_.back().keyword = keyword;
    return true;
  }

  // `sign` is the length of a minus that was found before the digits.
  bool LexNumber(size_t sign) {
    const std::string_view rest = cursor_.rest().substr(sign);
    if (sign == 0 && StartsWithUuid(rest)) return Emit(TokenKind::kUuid, kUuidLength);
    if (sign == 0 && rest.size() > 1 && rest[0] == '0' && query::ToLower(rest[1]) == 'x')
      return Emit(TokenKind::kHex, 2 + query::CountHexDigits(rest.substr(2)));
    if (const size_t duration = ScanDuration(rest); duration > 0)
      return EmitAnyBytes(TokenKind::kDuration, sign + duration);
    const query::NumberShape number = query::ScanNumber(rest);
    return Emit(number.is_integer ? TokenKind::kInteger : TokenKind::kFloat, sign + number.length);
  }

  bool LexMinus() {
    const std::string_view rest = cursor_.rest().substr(1);
    if (!rest.empty() && IsDigit(rest[0])) return LexNumber(1);
    const size_t length = WordLength(rest);
    if (rest.starts_with('P')) {
      if (const size_t duration = ScanDuration(rest); duration > 0 && duration >= length)
        return EmitAnyBytes(TokenKind::kDuration, 1 + duration);
    }
    const std::string_view word = rest.substr(0, length);
    if (query::EqualsIgnoringCase(word, "nan")) return Emit(TokenKind::kNan, 1 + length);
    if (query::EqualsIgnoringCase(word, "infinity")) return Emit(TokenKind::kInfinity, 1 + length);
    return LexSymbol();
  }

  // A doubled quote stands for one.
  bool LexQuoted(TokenKind kind, char quote) {
    const std::string_view rest = cursor_.rest();
    size_t end = 1;
    while (true) {
      end = rest.find(quote, end);
      if (end == std::string_view::npos) {
        cursor_.Advance(rest.size());
        return FailUnterminated(quote == '"' ? "'\"'" : "'''");
      }
      if (end + 1 == rest.size() || rest[end + 1] != quote) break;
      end += 2;
    }
    const bool is_empty_name = kind == TokenKind::kQuotedName && end == 1;
    return EmitAnyBytes(is_empty_name ? TokenKind::kEmptyQuotedName : kind, end + 1);
  }

  bool LexDollars() {
    const std::string_view rest = cursor_.rest();
    if (!rest.starts_with("$$")) return FailCharacter();
    const size_t end = rest.find("$$", 2);
    if (end == std::string_view::npos) {
      cursor_.Advance(rest.size());
      return FailUnterminated("'$'");
    }
    return EmitAnyBytes(TokenKind::kString, end + 2);
  }

  bool LexSymbol() {
    const SymbolSpelling spelling = FindSymbol(cursor_.Peek(), cursor_.Peek(1));
    if (spelling.symbol == Symbol::kNone) return FailCharacter();
    Emit(TokenKind::kSymbol, spelling.length);
    tokens_.back().symbol = spelling.symbol;
    return true;
  }

  void Push(TokenKind kind, size_t length) {
    tokens_.push_back({.offset = static_cast<uint32_t>(cursor_.offset()),
                       .length = static_cast<uint32_t>(length),
                       .position = cursor_.position(),
                       .kind = kind});
  }

  bool Emit(TokenKind kind, size_t length) {
    Push(kind, length);
    cursor_.AdvanceWithinLine(length);
    return true;
  }

  bool EmitAnyBytes(TokenKind kind, size_t length) {
    Push(kind, length);
    cursor_.Advance(length);
    return true;
  }

  bool FailCharacter() {
    error_ = ErrorAt(cursor_.position(), fmt::format("no viable alternative at character '{}'",
                                                     FirstUtf8Character(cursor_.rest())));
    return false;
  }

  bool FailUnterminated(std::string_view expected) {
    error_ = ErrorAt(cursor_.position(),
                     fmt::format("mismatched character '<EOF>' expecting {}", expected));
    return false;
  }

  query::CharCursor cursor_;
  std::vector<Token> tokens_;
  std::optional<SyntaxError> error_;
};

}  // namespace

Parsed<std::vector<Token>> Tokenize(std::string_view text, const ParserLimits& limits) {
  const size_t bytes_max = std::min<size_t>(limits.statement_bytes_max, UINT32_MAX - 1);
  if (text.size() > bytes_max)
    return std::unexpected(ErrorAt(
        {},
        fmt::format("the statement has {} bytes, at most {} are allowed", text.size(), bytes_max)));
  if (const size_t bad = FindInvalidUtf8(text); bad != std::string_view::npos) {
    query::CharCursor cursor(text);
    cursor.Advance(bad);
    return std::unexpected(ErrorAt(cursor.position(), "the text is not valid UTF-8"));
  }
  return Lexer(text).Run();
}

}  // namespace orrery::cassandra
