#include "api/cassandra/types/json/json_value.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

#include "base/utf8.h"

namespace orrery::cassandra {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<JsonValue> Read() {
    JsonValue value;
    ORRERY_TRY(ReadValue(value, /*depth=*/1));
    SkipBlanks();
    if (at_ != text_.size()) return Bad("something follows the value");
    return value;
  }

 private:
  std::unexpected<Error> Bad(std::string_view what) const {
    return Fail(Code::kInvalidArgument, fmt::format("invalid JSON at byte {}: {}", at_, what));
  }

  void SkipBlanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool Take(char c) {
    SkipBlanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool TakeWord(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Status ReadValue(JsonValue& value, int depth) {
    if (depth > kJsonDepthMax) return Bad("nested too deep");
    SkipBlanks();
    switch (Peek()) {
      case '{':
        return ReadObject(value, depth);
      case '[':
        return ReadArray(value, depth);
      case '"':
        value.kind = JsonValue::Kind::kString;
        return ReadString(value.text);
      case 'n':
        if (!TakeWord("null")) return Bad("unexpected word");
        return {};
      case 't':
      case 'f':
        value.kind = JsonValue::Kind::kBoolean;
        value.boolean = Peek() == 't';
        if (!TakeWord(value.boolean ? "true" : "false")) return Bad("unexpected word");
        return {};
      default:
        value.kind = JsonValue::Kind::kNumber;
        return ReadNumber(value.text);
    }
  }

  Status ReadArray(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::kArray;
    ++at_;
    if (Take(']')) return {};
    do {
      ORRERY_TRY(ReadValue(value.items.emplace_back(), depth + 1));
    } while (Take(','));
    if (!Take(']')) return Bad("expecting ',' or ']'");
    return {};
  }

  Status ReadObject(JsonValue& value, int depth) {
    value.kind = JsonValue::Kind::kObject;
    ++at_;
    if (Take('}')) return {};
    std::unordered_map<std::string, size_t> places;
    do {
      SkipBlanks();
      std::string name;
      if (Peek() != '"') return Bad("expecting a name");
      ORRERY_TRY(ReadString(name));
      if (!Take(':')) return Bad("expecting ':'");
      JsonValue member;
      ORRERY_TRY(ReadValue(member, depth + 1));
      const auto [place, is_new] = places.try_emplace(name, value.members.size());
      if (is_new) {
        value.members.push_back({std::move(name), std::move(member)});
      } else {
        value.members[place->second].value = std::move(member);
      }
    } while (Take(','));
    if (!Take('}')) return Bad("expecting ',' or '}'");
    return {};
  }

  Status ReadNumber(std::string& text) {
    const size_t begin = at_;
    const auto digits = [&] {
      const size_t first = at_;
      while (Peek() >= '0' && Peek() <= '9') ++at_;
      return at_ - first;
    };
    if (Peek() == '-') ++at_;
    const char first = Peek();
    const size_t whole = digits();
    if (whole == 0) return Bad("expecting a value");
    if (first == '0' && whole > 1) return Bad("a number with leading zeros");
    if (Peek() == '.') {
      ++at_;
      if (digits() == 0) return Bad("expecting digits");
    }
    if (Peek() == 'e' || Peek() == 'E') {
      ++at_;
      if (Peek() == '-' || Peek() == '+') ++at_;
      if (digits() == 0) return Bad("expecting digits");
    }
    text = text_.substr(begin, at_ - begin);
    return {};
  }

  Status ReadString(std::string& out) {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return {};
      if (static_cast<uint8_t>(c) < 0x20) return Bad("a control character in a string");
      if (c == '\\') {
        ORRERY_TRY(ReadEscape(out));
      } else {
        out.push_back(c);
      }
    }
    return Bad("a string without end");
  }

  Status ReadEscape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = Peek();
    ++at_;
    if (letter == 'u') return ReadUnicode(out);
    const size_t place = kLetters.find(letter);
    if (letter == '\0' || place == std::string_view::npos) return Bad("unknown escape");
    out.push_back(kMeanings[place]);
    return {};
  }

  bool ReadHex4(uint32_t& code) {
    if (text_.size() - at_ < 4) return false;
    code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[at_++];
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9') {
        code = code * 16 + static_cast<uint32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        code = code * 16 + static_cast<uint32_t>(lower - 'a' + 10);
      } else {
        return false;
      }
    }
    return true;
  }

  Status ReadUnicode(std::string& out) {
    uint32_t code = 0;
    if (!ReadHex4(code)) return Bad("expecting four hex digits");
    if (code >= 0xd800 && code <= 0xdfff) {
      uint32_t low = 0;
      if (code > 0xdbff || !TakeWord("\\u") || !ReadHex4(low) || low < 0xdc00 || low > 0xdfff)
        return Bad("half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code < 0x80) {
      out.push_back(static_cast<char>(code));
      return {};
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const uint32_t lead = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
    out.push_back(static_cast<char>(lead | code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i)
      out.push_back(static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f)));
    return {};
  }

  const std::string_view text_;
  size_t at_ = 0;
};

void AppendText(std::string& out, const JsonValue& value, size_t bytes_max) {
  if (out.size() >= bytes_max) return;
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      out += "null";
      return;
    case JsonValue::Kind::kBoolean:
      out += value.boolean ? "true" : "false";
      return;
    case JsonValue::Kind::kNumber:
    case JsonValue::Kind::kString:
      out += value.text;
      return;
    case JsonValue::Kind::kArray:
      out += '[';
      for (size_t i = 0; i < value.items.size() && out.size() < bytes_max; ++i) {
        if (i > 0) out += ", ";
        AppendText(out, value.items[i], bytes_max);
      }
      out += ']';
      return;
    case JsonValue::Kind::kObject:
      out += '{';
      for (size_t i = 0; i < value.members.size() && out.size() < bytes_max; ++i) {
        if (i > 0) out += ", ";
        out += value.members[i].name + "=";
        AppendText(out, value.members[i].value, bytes_max);
      }
      out += '}';
      return;
  }
}

}  // namespace

bool JsonValue::IsInteger() const {
  return kind == Kind::kNumber && text.find_first_of(".eE") == std::string::npos;
}

Result<JsonValue> ParseJson(std::string_view text) {
  if (!IsUtf8(text)) return Fail(Code::kInvalidArgument, "invalid JSON: not UTF-8");
  return Reader(text).Read();
}

std::string JsonText(const JsonValue& value, size_t bytes_max) {
  std::string text;
  AppendText(text, value, bytes_max);
  if (text.size() > bytes_max) {
    // Not in the middle of a character.
    while (bytes_max > 0 && (text[bytes_max] & 0xc0) == 0x80) --bytes_max;
    text.resize(bytes_max);
    text += "...";
  }
  return text;
}

void AppendJsonString(std::string& out, std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  out.push_back('"');
  for (const char c : text) {
    if (const size_t place = kEscaped.find(c); place != std::string_view::npos) {
      out.push_back('\\');
      out.push_back(kLetters[place]);
    } else if (static_cast<uint8_t>(c) < 0x20) {
      out += fmt::format("\\u{:04X}", static_cast<uint8_t>(c));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

}  // namespace orrery::cassandra
