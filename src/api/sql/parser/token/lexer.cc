#include "api/sql/parser/token/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/sql/parser/token/string_literal.h"
#include "base/utf8.h"
#include "query/lexer/char_cursor.h"
#include "query/lexer/character_class.h"
#include "query/lexer/number_scanner.h"

namespace orrery::sql {
namespace {

using query::IsDigit;
using query::IsWordCharacter;

constexpr size_t kBytesPerToken = 5;  // a guess, for the first allocation
constexpr size_t kUtf8BytesMax = 3;   // of one UTF-16 code unit
constexpr std::string_view kPlaceholderStart = "{documentdb-";

size_t CountWordCharacters(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if_not(text, IsWordCharacter) - text.begin());
}

// The length of an unsigned number at the start of `text`, 0 when there is none.
size_t ScanUnsigned(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && query::ToLower(text[1]) == 'x') {
    const size_t digits = query::CountHexDigits(text.substr(2));
    return digits == 0 ? 0 : 2 + digits;
  }
  if (text[0] != '.') return query::ScanNumber(text).length;
  const std::string_view fraction = text.substr(1);
  const size_t digits = query::CountDigits(fraction);
  if (digits == 0) return 0;
  // The scanner wants a digit first: the last one will do to find an exponent behind it.
  const query::NumberShape tail = query::ScanNumber(fraction.substr(digits - 1));
  const bool has_exponent = !tail.is_integer && query::ToLower(fraction[digits]) == 'e';
  return 1 + digits + (has_exponent ? tail.length - 1 : 0);
}

// The length of "{documentdb-...}" at the start of `text`, 0 when it is something else.
size_t ScanPlaceholder(std::string_view text) {
  if (!text.starts_with(kPlaceholderStart)) return 0;
  size_t at = kPlaceholderStart.size();
  while (at < text.size() && (IsWordCharacter(text[at]) || text[at] == '-')) ++at;
  const bool is_named = at > kPlaceholderStart.size();
  return is_named && at < text.size() && text[at] == '}' ? at + 1 : 0;
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
      if (cursor_.rest().starts_with("--")) {
        cursor_.SkipLine();
      } else if (cursor_.rest().starts_with("/*")) {
        const size_t start = cursor_.offset();
        cursor_.Advance(2);
        if (!cursor_.SkipPast("*/"))
          return Fail(RangeAt(start, cursor_.text().size() - start), kInvalidTokenCode, "comment");
      } else {
        return true;
      }
    }
  }

  bool LexToken() {
    const std::string_view rest = cursor_.rest();
    const char first = rest[0];
    if (IsDigit(first) || (first == '.' && IsDigit(cursor_.Peek(1)))) return LexNumber();
    if (IsWordCharacter(first)) return LexWord();
    if (first == '\'' || first == '"') return LexString();
    if (first == '@') return LexParameter();
    if (const size_t length = ScanPlaceholder(rest); length > 0)
      return Emit(TokenKind::kPlaceholder, length);
    return LexSymbol();
  }

  bool LexWord() {
    const std::string_view rest = cursor_.rest();
    const size_t length = CountWordCharacters(rest);
    const Keyword keyword = FindKeyword(rest.substr(0, length));
    Emit(TokenKind::kWord, length);
    tokens_.back().keyword = keyword;
    return true;
  }

  bool LexNumber() {
    const std::string_view rest = cursor_.rest();
    const size_t length = ScanUnsigned(rest);
    const size_t glued = CountWordCharacters(rest.substr(length));
    if (length == 0 || glued > 0)
      return Fail(RangeAt(cursor_.offset(), length + glued), kInvalidTokenCode, "number");
    return Emit(TokenKind::kNumber, length);
  }

  bool LexString() {
    const std::string_view rest = cursor_.rest();
    const size_t length = ScanString(rest);
    if (length == std::string_view::npos)
      return Fail(RangeAt(cursor_.offset(), rest.size()), kInvalidStringCode,
                  "string literal token");
    const SourceRange range = RangeAt(cursor_.offset(), length);
    tokens_.push_back({.range = range, .kind = TokenKind::kString});
    cursor_.Advance(length);
    return true;
  }

  bool LexParameter() {
    const size_t length = CountWordCharacters(cursor_.rest().substr(1));
    if (length == 0) return FailCharacter();
    return Emit(TokenKind::kParameter, 1 + length);
  }

  bool LexSymbol() {
    const Symbol symbol = FindSymbol(cursor_.rest());
    if (symbol == Symbol::kNone) return FailCharacter();
    Emit(TokenKind::kSymbol, SymbolText(symbol).size());
    tokens_.back().symbol = symbol;
    return true;
  }

  static SourceRange RangeAt(size_t offset, size_t length) {
    return {static_cast<uint32_t>(offset), static_cast<uint32_t>(offset + length)};
  }

  bool Emit(TokenKind kind, size_t length) {
    tokens_.push_back({.range = RangeAt(cursor_.offset(), length), .kind = kind});
    cursor_.AdvanceWithinLine(length);
    return true;
  }

  bool FailCharacter() {
    return Fail(RangeAt(cursor_.offset(), FirstUtf8Character(cursor_.rest()).size()),
                kInvalidTokenCode, "token");
  }

  bool Fail(SourceRange range, std::string_view code, std::string_view kind) {
    error_ = InvalidToken(cursor_.text(), range, code, kind);
    return false;
  }

  query::CharCursor cursor_;
  std::vector<Token> tokens_;
  std::optional<QueryError> error_;
};

bool IsTooLong(std::string_view text, size_t characters_max) {
  if (text.size() <= std::min<size_t>(characters_max, UINT32_MAX - 1)) return false;
  // Offsets have 32 bits. Counted only when the bytes alone do not decide.
  return text.size() >= UINT32_MAX || text.size() / kUtf8BytesMax > characters_max ||
         CountUtf16(text) > characters_max;
}

}  // namespace

Parsed<std::vector<Token>> Tokenize(std::string_view text, const ParserLimits& limits) {
  if (IsTooLong(text, limits.query_characters_max)) {
    const auto end = static_cast<uint32_t>(std::min<size_t>(text.size(), UINT32_MAX));
    return std::unexpected(
        ErrorAt(text, {.start = 0, .end = end}, kLimitCode,
                fmt::format("The SQL query text exceeded the maximum limit of {} characters.",
                            limits.query_characters_max)));
  }
  if (const size_t bad = FindInvalidUtf8(text); bad != std::string_view::npos) {
    const auto start = static_cast<uint32_t>(bad);
    return std::unexpected(ErrorAt(text, {.start = start, .end = start + 1}, kInvalidTokenCode,
                                   "Syntax error, the query is not valid UTF-8."));
  }
  return Lexer(text).Run();
}

}  // namespace orrery::sql
