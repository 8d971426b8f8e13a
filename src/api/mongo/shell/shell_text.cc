#include "api/mongo/shell/shell_text.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>

#include "base/bytes.h"
#include "base/utf8.h"
#include "gateway/account/base64.h"
#include "model/number/decimal128.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;

constexpr int kShellDepthMax = 100;
constexpr uint8_t kUuidSubtype = 4;

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool IsNamePart(char c) { return IsNameStart(c) || (c >= '0' && c <= '9'); }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::optional<int64_t> WholeNumber(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Value NumberValue(int64_t number) {
  if (number >= INT32_MIN && number <= INT32_MAX) return Value::Int32(static_cast<int32_t>(number));
  return Value::Int64(number);
}

// "2026-01-02", "2026-01-02T03:04:05.678Z", with an offset: milliseconds since 1970.
std::optional<int64_t> DateFromText(std::string_view text) {
  const auto digits = [&](size_t count) -> std::optional<int> {
    int number = 0;
    if (text.size() < count) return std::nullopt;
    for (size_t i = 0; i < count; ++i) {
      if (text[i] < '0' || text[i] > '9') return std::nullopt;
      number = number * 10 + (text[i] - '0');
    }
    text.remove_prefix(count);
    return number;
  };
  const auto take = [&](char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
  };
  const auto year = digits(4);
  if (!year.has_value() || !take('-')) return std::nullopt;
  const auto month = digits(2);
  if (!month.has_value() || !take('-')) return std::nullopt;
  const auto day = digits(2);
  if (!day.has_value()) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  int64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::sys_days(date).time_since_epoch())
                   .count();
  if (text.empty()) return ms;
  if (!take('T') && !take(' ')) return std::nullopt;
  const auto hour = digits(2);
  if (!hour.has_value() || *hour > 23 || !take(':')) return std::nullopt;
  const auto minute = digits(2);
  if (!minute.has_value() || *minute > 59) return std::nullopt;
  ms += (*hour * 60 + *minute) * 60'000;
  if (take(':')) {
    const auto second = digits(2);
    if (!second.has_value() || *second > 59) return std::nullopt;
    ms += *second * 1'000;
    if (take('.')) {
      int64_t scale = 100;
      bool any = false;
      while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
        ms += (text[0] - '0') * scale;
        scale /= 10;
        any = true;
        text.remove_prefix(1);
      }
      if (!any) return std::nullopt;
    }
  }
  if (text.empty() || text == "Z") return ms;
  const int sign = text[0] == '-' ? 1 : -1;
  if (!take('+') && !take('-')) return std::nullopt;
  const auto offset_hour = digits(2);
  static_cast<void>(take(':'));
  const auto offset_minute = digits(2);
  if (!offset_hour.has_value() || !offset_minute.has_value() || !text.empty()) return std::nullopt;
  return ms + sign * (*offset_hour * 60 + *offset_minute) * 60'000;
}

std::optional<Value> ObjectIdFromHex(std::string_view hex) {
  std::string bytes;
  model::ObjectIdBytes id{};
  if (!FromHex(hex, bytes) || bytes.size() != id.size()) return std::nullopt;
  std::copy(bytes.begin(), bytes.end(), id.begin());
  return Value::ObjectId(id);
}

std::optional<Value> UuidFromText(std::string_view text) {
  std::string hex;
  for (const char c : text)
    if (c != '-') hex.push_back(c);
  std::string bytes;
  if (!FromHex(hex, bytes) || bytes.size() != 16) return std::nullopt;
  return Value::Binary(std::move(bytes), kUuidSubtype);
}

std::optional<double> DoubleFromText(std::string_view text) {
  if (text == "NaN") return std::nan("");
  if (text == "Infinity") return INFINITY;
  if (text == "-Infinity") return -INFINITY;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const Value* FieldOf(const model::Fields& fields, std::string_view name) {
  for (const auto& [each, value] : fields)
    if (each == name) return &value;
  return nullptr;
}

std::optional<std::string_view> TextOfValue(const Value* value) {
  if (value == nullptr || value->kind() != Kind::kString) return std::nullopt;
  return value->AsString();
}

std::optional<int64_t> IntegerOfValue(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->kind() == Kind::kInt32 || value->kind() == Kind::kInt64) return value->AsInteger();
  if (value->kind() == Kind::kString) return WholeNumber(value->AsString());
  return std::nullopt;
}

// The value that an object in extended JSON means; nullopt: it is an object like others.
std::optional<Value> FromExtendedJson(const model::Fields& fields) {
  if (fields.empty() || !fields.front().name.starts_with('$')) return std::nullopt;
  const std::string& name = fields.front().name;
  const Value& inner = fields.front().value;
  const auto text = TextOfValue(&inner);
  if (fields.size() == 1) {
    if (name == "$oid" && text.has_value()) return ObjectIdFromHex(*text);
    if (name == "$uuid" && text.has_value()) return UuidFromText(*text);
    if (name == "$minKey") return Value::MinKey();
    if (name == "$maxKey") return Value::MaxKey();
    if (name == "$numberLong") {
      const auto number = IntegerOfValue(&inner);
      return number.has_value() ? std::optional(Value::Int64(*number)) : std::nullopt;
    }
    if (name == "$numberInt") {
      const auto number = IntegerOfValue(&inner);
      const bool fits = number.has_value() && *number >= INT32_MIN && *number <= INT32_MAX;
      return fits ? std::optional(Value::Int32(static_cast<int32_t>(*number))) : std::nullopt;
    }
    if (name == "$numberDouble" && text.has_value()) {
      const auto number = DoubleFromText(*text);
      return number.has_value() ? std::optional(Value::Double(*number)) : std::nullopt;
    }
    if (name == "$numberDecimal" && text.has_value()) {
      const auto bits = model::Decimal128FromText(*text);
      return bits.has_value() ? std::optional(Value::Decimal128(*bits)) : std::nullopt;
    }
    if (name == "$date") {
      std::optional<int64_t> ms = text.has_value() ? DateFromText(*text) : IntegerOfValue(&inner);
      return ms.has_value() ? std::optional(Value::DateTime(*ms)) : std::nullopt;
    }
    if (inner.kind() != Kind::kObject) return std::nullopt;
    const model::Fields& parts = inner.AsFields();
    if (name == "$timestamp") {
      const auto seconds = IntegerOfValue(FieldOf(parts, "t"));
      const auto step = IntegerOfValue(FieldOf(parts, "i"));
      if (!seconds.has_value() || !step.has_value()) return std::nullopt;
      return Value::Timestamp({static_cast<uint32_t>(*seconds), static_cast<uint32_t>(*step)});
    }
    if (name == "$regularExpression") {
      const auto pattern = TextOfValue(FieldOf(parts, "pattern"));
      if (!pattern.has_value()) return std::nullopt;
      return Value::Regex(*pattern, TextOfValue(FieldOf(parts, "options")).value_or(""));
    }
    if (name == "$binary") {
      const auto base64 = TextOfValue(FieldOf(parts, "base64"));
      const auto subtype = TextOfValue(FieldOf(parts, "subType")).value_or("00");
      std::string bytes;
      unsigned kind = 0;
      const auto [end, error] =
          std::from_chars(subtype.data(), subtype.data() + subtype.size(), kind, 16);
      if (!base64.has_value() || !gateway::FromBase64(*base64, bytes) || error != std::errc() ||
          end != subtype.data() + subtype.size() || kind > 255)
        return std::nullopt;
      return Value::Binary(std::move(bytes), static_cast<uint8_t>(kind));
    }
  }
  return std::nullopt;
}

class ShellParser {
 public:
  explicit ShellParser(std::string_view text) : text_(text) {}

  Value ReadValue(int depth = 0) {
    SkipSpace();
    if (depth > kShellDepthMax) return Wrong("the value is nested too deep");
    if (at_ >= text_.size()) return Wrong("a value is missing");
    const char c = text_[at_];
    if (c == '{') return ReadObject(depth);
    if (c == '[') return ReadArray(depth);
    if (c == '"' || c == '\'') return Value::String(ReadString());
    if (c == '/') return ReadRegex();
    if (c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9')) return ReadNumber();
    if (IsNameStart(c)) return ReadWord(depth);
    return Wrong(fmt::format("'{}' is not the beginning of a value", c));
  }

  ShellStatement ReadStatement() {
    ShellStatement statement;
    if (ReadName() != "db") {
      at_ = 0;
      Wrong("a statement begins with db");
      return statement;
    }
    std::vector<std::string> path;
    while (!error_.has_value()) {
      SkipSpace();
      if (Take('[')) {
        SkipSpace();
        path.push_back(ReadString());
        Expect(']');
        continue;
      }
      if (!Take('.')) break;
      std::string name = ReadName();
      SkipSpace();
      if (Peek() != '(') {
        path.push_back(std::move(name));
        continue;
      }
      model::Values arguments = ReadArguments();
      const bool names_collection = name == "getCollection" && path.empty() &&
                                    statement.calls.empty() && arguments.size() == 1 &&
                                    arguments[0].kind() == Kind::kString;
      if (names_collection) {
        path.push_back(arguments[0].AsString());
      } else {
        statement.calls.push_back({std::move(name), std::move(arguments)});
      }
    }
    for (const std::string& part : path)
      statement.collection += (statement.collection.empty() ? "" : ".") + part;
    if (statement.calls.empty()) Wrong("a call is missing, such as db.orders.find({})");
    SkipSpace();
    static_cast<void>(Take(';'));
    return statement;
  }

  // Returns whether all was read, and read well.
  std::optional<ShellError> Finish() {
    SkipSpace();
    if (!error_.has_value() && at_ < text_.size()) Wrong("more follows than was expected");
    return error_;
  }

 private:
  Value Wrong(std::string message) {
    if (!error_.has_value()) error_ = ShellError{std::move(message), at_};
    at_ = text_.size();
    return {};
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char c) {
    if (Peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    SkipSpace();
    if (!Take(c)) Wrong(fmt::format("'{}' is missing", c));
  }

  void SkipSpace() {
    while (at_ < text_.size()) {
      if (IsSpace(text_[at_])) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_).starts_with("/*")) {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          Wrong("a comment has no end");
          return;
        }
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  std::string ReadName() {
    SkipSpace();
    const size_t begin = at_;
    if (at_ < text_.size() && IsNameStart(text_[at_])) {
      while (at_ < text_.size() && IsNamePart(text_[at_])) ++at_;
    }
    if (begin == at_) Wrong("a name is missing");
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string ReadString() {
    const char quote = Peek();
    if (quote != '"' && quote != '\'') {
      Wrong("a string is missing");
      return {};
    }
    ++at_;
    std::string text;
    while (at_ < text_.size() && text_[at_] != quote) {
      const char c = text_[at_++];
      if (c == '\n') break;
      if (c != '\\') {
        text.push_back(c);
        continue;
      }
      ReadEscape(text);
    }
    if (!Take(quote)) Wrong("a string has no end");
    if (!error_.has_value() && !IsUtf8(text)) Wrong("a string is not UTF-8");
    return text;
  }

  void ReadEscape(std::string& text) {
    const char c = Peek();
    ++at_;
    switch (c) {
      case 'n':
        text.push_back('\n');
        return;
      case 't':
        text.push_back('\t');
        return;
      case 'r':
        text.push_back('\r');
        return;
      case 'b':
        text.push_back('\b');
        return;
      case 'f':
        text.push_back('\f');
        return;
      case '0':
        text.push_back('\0');
        return;
      case 'u': {
        uint32_t unit = ReadUnit();
        // A pair of surrogates is one character.
        if (unit >= 0xD800 && unit < 0xDC00 &&
            text_.substr(std::min(at_, text_.size())).starts_with("\\u")) {
          at_ += 2;
          const uint32_t low = ReadUnit();
          if (low < 0xDC00 || low > 0xDFFF) {
            Wrong("a surrogate stands alone");
            return;
          }
          unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        } else if (unit >= 0xD800 && unit <= 0xDFFF) {
          Wrong("a surrogate stands alone");
          return;
        }
        AppendCharacter(text, unit);
        return;
      }
      default:
        text.push_back(c);
    }
  }

  uint32_t ReadUnit() {
    uint32_t unit = 0;
    const std::string_view digits = text_.substr(std::min(at_, text_.size())).substr(0, 4);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.size() != 4)
      Wrong("\\u needs four hex digits");
    at_ = std::min(at_ + 4, text_.size());
    return unit;
  }

  static void AppendCharacter(std::string& text, uint32_t character) {
    const auto put = [&](uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (character < 0x80) {
      put(character);
    } else if (character < 0x800) {
      put(0xC0 | character >> 6);
      put(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
      put(0xE0 | character >> 12);
      put(0x80 | (character >> 6 & 0x3F));
      put(0x80 | (character & 0x3F));
    } else {
      put(0xF0 | character >> 18);
      put(0x80 | (character >> 12 & 0x3F));
      put(0x80 | (character >> 6 & 0x3F));
      put(0x80 | (character & 0x3F));
    }
  }

  Value ReadRegex() {
    const size_t begin = ++at_;
    bool in_class = false;
    while (at_ < text_.size() && text_[at_] != '\n' && (in_class || text_[at_] != '/')) {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size() && text_[at_] == '[') in_class = true;
      if (at_ < text_.size() && text_[at_] == ']') in_class = false;
      ++at_;
    }
    if (at_ >= text_.size()) return Wrong("a regular expression has no end");
    const std::string pattern(text_.substr(begin, at_ - begin));
    if (!Take('/')) return Wrong("a regular expression has no end");
    const size_t flags = at_;
    while (at_ < text_.size() && IsNamePart(text_[at_])) ++at_;
    if (pattern.find('\0') != std::string::npos) return Wrong("a regular expression has a NUL");
    return Value::Regex(pattern, text_.substr(flags, at_ - flags));
  }

  Value ReadNumber() {
    const size_t begin = at_;
    if (Peek() == '+') ++at_;
    const size_t digits = at_;
    while (at_ < text_.size() &&
           (IsNamePart(text_[at_]) || text_[at_] == '.' || text_[at_] == '-' || text_[at_] == '+'))
      ++at_;
    const std::string_view text = text_.substr(digits, at_ - digits);
    if (const auto whole = WholeNumber(text); whole.has_value()) return NumberValue(*whole);
    const auto number = DoubleFromText(text);
    if (number.has_value()) return Value::Double(*number);
    at_ = begin;
    return Wrong(fmt::format("'{}' is not a number", text));
  }

  Value ReadArray(int depth) {
    ++at_;
    model::Values elements;
    SkipSpace();
    while (!error_.has_value() && Peek() != ']') {
      elements.push_back(ReadValue(depth + 1));
      SkipSpace();
      if (!Take(',')) break;
      SkipSpace();
    }
    Expect(']');
    return Value::Array(std::move(elements));
  }

  Value ReadObject(int depth) {
    ++at_;
    model::Fields fields;
    SkipSpace();
    while (!error_.has_value() && Peek() != '}') {
      const bool is_quoted = Peek() == '"' || Peek() == '\'';
      std::string name = is_quoted ? ReadString() : ReadKey();
      if (name.find('\0') != std::string::npos) return Wrong("a name has a NUL");
      Expect(':');
      fields.push_back({std::move(name), ReadValue(depth + 1)});
      SkipSpace();
      if (!Take(',')) break;
      SkipSpace();
    }
    Expect('}');
    if (auto meant = FromExtendedJson(fields); meant.has_value()) return *std::move(meant);
    return Value::Object(std::move(fields));
  }

  // Without quotes keys may be numbers, too.
  std::string ReadKey() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsNamePart(text_[at_])) ++at_;
    if (begin == at_) Wrong("the name of a field is missing");
    return std::string(text_.substr(begin, at_ - begin));
  }

  model::Values ReadArguments() {
    model::Values arguments;
    Expect('(');
    SkipSpace();
    while (!error_.has_value() && Peek() != ')') {
      arguments.push_back(ReadValue());
      SkipSpace();
      if (!Take(',')) break;
      SkipSpace();
    }
    Expect(')');
    return arguments;
  }

  Value ReadWord(int depth) {
    const size_t begin = at_;
    std::string word = ReadName();
    if (word == "true" || word == "false") return Value::Bool(word == "true");
    if (word == "null") return Value::Null();
    if (word == "undefined") return Value::Null();
    if (word == "NaN" || word == "Infinity") return Value::Double(*DoubleFromText(word));
    if (word == "MinKey" || word == "MaxKey") {
      SkipSpace();
      if (Peek() == '(') static_cast<void>(ReadArguments());
      return word == "MinKey" ? Value::MinKey() : Value::MaxKey();
    }
    if (word == "new") word = ReadName();
    SkipSpace();
    if (depth > kShellDepthMax || Peek() != '(') {
      at_ = begin;
      return Wrong(fmt::format("'{}' is not a value; strings need quotes", word));
    }
    const model::Values arguments = ReadArguments();
    if (error_.has_value()) return {};
    if (auto made = Make(word, arguments); made.has_value()) return *std::move(made);
    at_ = begin;
    return Wrong(fmt::format("{}(..) is not a value that can be read", word));
  }

  static std::optional<Value> Make(std::string_view word, const model::Values& arguments) {
    const Value* const given = arguments.size() == 1 ? &arguments[0] : nullptr;
    const auto text = TextOfValue(given);
    const auto whole = IntegerOfValue(given);
    if (word == "ObjectId" && text.has_value()) return ObjectIdFromHex(*text);
    if ((word == "UUID") && text.has_value()) return UuidFromText(*text);
    if ((word == "ISODate" || word == "Date") && text.has_value()) {
      const auto ms = DateFromText(*text);
      return ms.has_value() ? std::optional(Value::DateTime(*ms)) : std::nullopt;
    }
    if (word == "Date" && whole.has_value()) return Value::DateTime(*whole);
    if ((word == "NumberLong" || word == "Long") && whole.has_value()) return Value::Int64(*whole);
    if ((word == "NumberInt" || word == "Int32") && whole.has_value() && *whole >= INT32_MIN &&
        *whole <= INT32_MAX)
      return Value::Int32(static_cast<int32_t>(*whole));
    if ((word == "NumberDecimal" || word == "Decimal128") && given != nullptr) {
      const std::string digits = text.has_value()    ? std::string(*text)
                                 : whole.has_value() ? std::to_string(*whole)
                                                     : std::string();
      const auto bits = model::Decimal128FromText(digits);
      return bits.has_value() ? std::optional(Value::Decimal128(*bits)) : std::nullopt;
    }
    if (word == "Timestamp" && arguments.size() == 2) {
      const auto seconds = IntegerOfValue(&arguments[0]);
      const auto step = IntegerOfValue(&arguments[1]);
      if (seconds.has_value() && step.has_value())
        return Value::Timestamp({static_cast<uint32_t>(*seconds), static_cast<uint32_t>(*step)});
    }
    return std::nullopt;
  }

  const std::string_view text_;
  size_t at_ = 0;
  std::optional<ShellError> error_;
};

}  // namespace

ShellParsed<Value> ParseShellValue(std::string_view text) {
  ShellParser parser(text);
  Value value = parser.ReadValue();
  if (auto error = parser.Finish(); error.has_value()) return std::unexpected(*std::move(error));
  return value;
}

ShellParsed<ShellStatement> ParseShellStatement(std::string_view text) {
  ShellParser parser(text);
  ShellStatement statement = parser.ReadStatement();
  if (auto error = parser.Finish(); error.has_value()) return std::unexpected(*std::move(error));
  return statement;
}

}  // namespace orrery::mongo
