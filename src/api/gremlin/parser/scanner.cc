#include "api/gremlin/parser/scanner.h"

#include <charconv>
#include <limits>

#include "api/gremlin/value/big.h"
#include "base/utf8.h"
#include "query/lexer/character_class.h"
#include "query/lexer/number_scanner.h"

namespace orrery::gremlin {
namespace {

bool IsNameStart(char c) { return query::IsLetter(c) || c == '_' || c == '$'; }
bool IsNamePart(char c) { return query::IsWordCharacter(c) || c == '$'; }

std::string WithoutUnderscores(std::string_view digits) {
  std::string plain;
  for (const char c : digits) {
    if (c != '_') plain += c;
  }
  return plain;
}

void AppendUtf8(std::string& out, uint32_t character) {
  const auto tail = [&](int shift) {
    out += static_cast<char>(0x80 | ((character >> shift) & 0x3f));
  };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | (character >> 6));
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0 | (character >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | (character >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

template <typename T>
std::optional<T> Exactly(std::string_view digits, int base = 10) {
  T value{};
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

template <typename T>
bool Fits(int64_t value) {
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

// A whole number with its suffix; nullopt if it does not fit the type that the suffix names.
std::optional<Value> WholeNumber(const std::string& digits, int base, char suffix) {
  const auto value = Exactly<int64_t>(digits, base);
  switch (suffix) {
    case 'b':
      if (!value.has_value() || !Fits<int8_t>(*value)) return std::nullopt;
      return Value::Byte(static_cast<int8_t>(*value));
    case 's':
      if (!value.has_value() || !Fits<int16_t>(*value)) return std::nullopt;
      return Value::Short(static_cast<int16_t>(*value));
    case 'i':
      if (!value.has_value() || !Fits<int32_t>(*value)) return std::nullopt;
      return Value::Int(static_cast<int32_t>(*value));
    case 'l':
      if (!value.has_value()) return std::nullopt;
      return Value::Long(*value);
    case 'n':
      if (base != 10) {
        if (!value.has_value()) return std::nullopt;
        return ParseBigInteger(std::to_string(*value));
      }
      return ParseBigInteger(digits);
    default:
      break;
  }
  if (value.has_value()) return Value::Whole(*value);
  if (base != 10) return std::nullopt;
  return ParseBigInteger(digits);
}

std::optional<Value> DecimalNumber(const std::string& digits, char suffix) {
  if (suffix == 'm') return ParseBigDecimal(digits);
  std::string_view plain = digits;
  if (plain.starts_with('+')) plain.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc() || end != plain.data() + plain.size()) return std::nullopt;
  return suffix == 'f' ? Value::Float(static_cast<float>(value)) : Value::Double(value);
}

}  // namespace

std::unexpected<Error> ParseFailure(query::TextPosition position, std::string_view message) {
  return Fail(Code::kInvalidArgument,
              "Failed to interpret Gremlin query: Query parsing failed at line " +
                  std::to_string(position.line) + ", character position at " +
                  std::to_string(position.column) + ", error message : " + std::string(message));
}

std::unexpected<Error> Scanner::Failure(std::string_view message) const {
  return ParseFailure(cursor_.position(), message);
}

void Scanner::Skip() {
  while (true) {
    cursor_.SkipBlanks();
    if (cursor_.rest().starts_with("//")) {
      cursor_.SkipLine();
    } else if (cursor_.rest().starts_with("/*")) {
      cursor_.Advance(2);
      if (!cursor_.SkipPast("*/")) return;
    } else {
      return;
    }
  }
}

bool Scanner::Take(std::string_view symbol) {
  if (!cursor_.rest().starts_with(symbol)) return false;
  cursor_.AdvanceWithinLine(symbol.size());
  Skip();
  return true;
}

Status Scanner::Expect(std::string_view symbol) {
  if (Take(symbol)) return {};
  constexpr size_t kShownBytesMax = 20;
  const std::string found =
      at_end() ? "the end of the query"
               : "'" + std::string(Utf8Prefix(cursor_.rest(), kShownBytesMax)) + "'";
  return Failure("expected '" + std::string(symbol) + "', found " + found);
}

bool Scanner::AtName() const { return IsNameStart(Peek()); }

std::string_view Scanner::PeekName() const {
  if (!AtName()) return {};
  size_t length = 1;
  while (IsNamePart(Peek(length))) ++length;
  return cursor_.rest().substr(0, length);
}

std::string_view Scanner::TakeName() {
  const std::string_view name = PeekName();
  cursor_.AdvanceWithinLine(name.size());
  Skip();
  return name;
}

bool Scanner::NameIsFollowedBy(char symbol) const {
  Scanner ahead = *this;
  ahead.TakeName();
  return ahead.Peek() == symbol;
}

Status Scanner::AppendEscape(std::string& text) {
  const char escape = Peek(1);
  switch (escape) {
    case 'b':
      text += '\b';
      break;
    case 't':
      text += '\t';
      break;
    case 'n':
      text += '\n';
      break;
    case 'f':
      text += '\f';
      break;
    case 'r':
      text += '\r';
      break;
    case '"':
    case '\'':
    case '\\':
    case '$':
      text += escape;
      break;
    case '\n':
      break;
    case 'u': {
      const auto unit = [&](size_t at) -> std::optional<uint32_t> {
        if (cursor_.rest().size() < at + 4) return std::nullopt;
        return Exactly<uint32_t>(cursor_.rest().substr(at, 4), 16);
      };
      auto code = unit(2);
      if (!code.has_value()) return Failure("malformed \\u escape in a string");
      size_t length = 6;
      if (*code >= 0xd800 && *code < 0xdc00 && Peek(6) == '\\' && Peek(7) == 'u') {
        const auto low = unit(8);
        if (low.has_value() && *low >= 0xdc00 && *low < 0xe000) {
          code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
          length = 12;
        }
      }
      if (*code >= 0xd800 && *code < 0xe000) return Failure("unpaired surrogate in a string");
      AppendUtf8(text, *code);
      cursor_.AdvanceWithinLine(length);
      return {};
    }
    default:
      return Failure("unknown escape in a string");
  }
  cursor_.Advance(2);
  return {};
}

Result<std::string> Scanner::TakeString() {
  const char quote = Peek();
  std::string text;
  const Scanner start = *this;
  cursor_.AdvanceWithinLine(1);
  while (!cursor_.at_end()) {
    if (Peek() == quote) {
      cursor_.AdvanceWithinLine(1);
      Skip();
      return text;
    }
    if (Peek() == '\\') {
      ORRERY_TRY(AppendEscape(text));
      continue;
    }
    text += Peek();
    cursor_.Advance(1);
  }
  return start.Failure("a string is not closed");
}

bool Scanner::AtNumber() const {
  const size_t at = Peek() == '-' || Peek() == '+' ? 1 : 0;
  return query::IsDigit(Peek(at)) || (Peek(at) == '.' && query::IsDigit(Peek(at + 1)));
}

Result<Value> Scanner::TakeNumber() {
  const std::string_view rest = cursor_.rest();
  size_t length = rest.starts_with('-') || rest.starts_with('+') ? 1 : 0;
  std::string digits = rest.starts_with('-') ? "-" : "";
  int base = 10;
  bool decimal = false;
  const auto take = [&](auto accepts) {
    while (length < rest.size() && (accepts(rest[length]) || rest[length] == '_')) ++length;
  };
  if (rest.substr(length).starts_with("0x") || rest.substr(length).starts_with("0X")) {
    base = 16;
    length += 2;
    const size_t start = length;
    take(query::IsHexDigit);
    digits += WithoutUnderscores(rest.substr(start, length - start));
  } else {
    const size_t start = length;
    take(query::IsDigit);
    // Two dots are a range.
    if (length + 1 < rest.size() && rest[length] == '.' && query::IsDigit(rest[length + 1])) {
      decimal = true;
      ++length;
      take(query::IsDigit);
    }
    if (length < rest.size() && (rest[length] == 'e' || rest[length] == 'E')) {
      const size_t sign =
          length + 1 < rest.size() && (rest[length + 1] == '-' || rest[length + 1] == '+') ? 1 : 0;
      if (length + 1 + sign < rest.size() && query::IsDigit(rest[length + 1 + sign])) {
        decimal = true;
        length += 1 + sign;
        take(query::IsDigit);
      }
    }
    const std::string plain = WithoutUnderscores(rest.substr(start, length - start));
    if (!decimal && plain.size() > 1 && plain.front() == '0') base = 8;
    digits += plain.starts_with('.') ? "0" + plain : plain;
  }
  char suffix = length < rest.size() ? query::ToLower(rest[length]) : '\0';
  const bool known = suffix != '\0' && std::string_view("bsilnfdm").contains(suffix);
  if (known) {
    ++length;
  } else {
    suffix = '\0';
  }
  if (length < rest.size() && IsNamePart(rest[length])) return Failure("malformed number");
  const bool is_decimal = decimal || suffix == 'f' || suffix == 'd' || suffix == 'm';
  const auto value = is_decimal ? DecimalNumber(digits, suffix) : WholeNumber(digits, base, suffix);
  if (!value.has_value()) return Failure("malformed number, or one that does not fit its type");
  cursor_.AdvanceWithinLine(length);
  Skip();
  return *value;
}

}  // namespace orrery::gremlin
