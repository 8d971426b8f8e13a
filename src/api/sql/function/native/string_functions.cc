// Functions that make strings of strings, and measure them. Positions and lengths are in code
// points (text/code_points.h).
#include <algorithm>

#include "api/sql/function/limits.h"
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/text/code_points.h"
#include "model/expression/character.h"
#include "model/expression/letter_case.h"
#include "model/text/find_text.h"

namespace orrery::sql {
namespace {

Result<Value> Concat(Arguments arguments, const CallContext&) {
  size_t bytes = 0;
  for (const Value& argument : arguments) {
    const std::string* text = TextOf(argument);
    if (text == nullptr) return Value::Undefined();
    bytes += text->size();
  }
  ORRERY_TRY(CheckResultBytes(bytes));
  std::string joined;
  joined.reserve(bytes);
  for (const Value& argument : arguments) joined += *TextOf(argument);
  return Value::String(std::move(joined));
}

Result<Value> Length(const std::string& text) {
  return Value::Int32(static_cast<int32_t>(CountCodePoints(text)));
}

// REQUIRES: start is not negative.
Value Slice(const std::string& text, int64_t start, int64_t length) {
  if (length <= 0) return Value::String("");
  const size_t first = ByteOfCodePoint(text, static_cast<size_t>(start));
  const std::string_view rest = std::string_view(text).substr(first);
  return Value::String(
      std::string(rest.substr(0, ByteOfCodePoint(rest, static_cast<size_t>(length)))));
}

// A start before the text is its beginning.
Result<Value> Substring(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const auto start = IntegerOf(arguments[1]);
  const auto length = IntegerOf(arguments[2]);
  if (text == nullptr || !start || !length) return Value::Undefined();
  return Slice(*text, std::max<int64_t>(*start, 0), *length);
}

Result<Value> Left(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const auto length = IntegerOf(arguments[1]);
  if (text == nullptr || !length) return Value::Undefined();
  return Slice(*text, 0, *length);
}

Result<Value> Right(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const auto length = IntegerOf(arguments[1]);
  if (text == nullptr || !length) return Value::Undefined();
  const auto characters = static_cast<int64_t>(CountCodePoints(*text));
  const int64_t kept = std::clamp<int64_t>(*length, 0, characters);
  return Slice(*text, characters - kept, kept);
}

Result<Value> Reverse(const std::string& text) {
  std::string reversed;
  reversed.reserve(text.size());
  const std::u32string characters = ToCodePoints(text);
  for (auto it = characters.rbegin(); it != characters.rend(); ++it) AppendCodePoint(reversed, *it);
  return Value::String(std::move(reversed));
}

Result<Value> Lower(const std::string& text) { return Value::String(model::ToLowerCase(text)); }
Result<Value> Upper(const std::string& text) { return Value::String(model::ToUpperCase(text)); }

Result<Value> Replicate(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const auto count = NumberOf(arguments[1]);
  // Written so that NaN fails too.
  if (text == nullptr || !count || !(*count >= 0)) return Value::Undefined();
  const size_t characters = CountCodePoints(*text);
  if (characters == 0) return Value::String("");
  if (*count >= static_cast<double>(kReplicatedCharactersMax) + 1) return Value::Undefined();
  const auto times = static_cast<size_t>(*count);
  if (characters * times > kReplicatedCharactersMax) return Value::Undefined();
  std::string repeated;
  repeated.reserve(text->size() * times);
  for (size_t i = 0; i < times; ++i) repeated += *text;
  return Value::String(std::move(repeated));
}

Result<Value> Replace(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const std::string* found = TextOf(arguments[1]);
  const std::string* replacement = TextOf(arguments[2]);
  if (text == nullptr || found == nullptr || replacement == nullptr || found->empty())
    return Value::Undefined();
  std::string replaced;
  size_t from = 0;
  for (size_t at = model::FindText(*text, *found); at != std::string::npos;
       at = model::FindText(*text, *found, from)) {
    ORRERY_TRY(CheckResultBytes(replaced.size() + (at - from) + replacement->size()));
    replaced.append(*text, from, at - from);
    replaced += *replacement;
    from = at + found->size();
  }
  ORRERY_TRY(CheckResultBytes(replaced.size() + text->size() - from));
  replaced.append(*text, from);
  return Value::String(std::move(replaced));
}

Result<Value> StringJoin(Arguments arguments, const CallContext&) {
  const model::Values* elements = ArrayOf(arguments[0]);
  const std::string* separator = TextOf(arguments[1]);
  if (elements == nullptr || separator == nullptr) return Value::Undefined();
  std::string joined;
  for (const Value& element : *elements) {
    const std::string* text = TextOf(element);
    if (text == nullptr) return Value::Undefined();
    if (&element != &elements->front()) joined += *separator;
    joined += *text;
    ORRERY_TRY(CheckResultBytes(joined.size()));
  }
  return Value::String(std::move(joined));
}

// Text that nothing separates is one part.
Result<Value> StringSplit(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const std::string* separator = TextOf(arguments[1]);
  if (text == nullptr || separator == nullptr) return Value::Undefined();
  model::Values parts;
  size_t from = 0;
  if (!separator->empty()) {
    for (size_t at = model::FindText(*text, *separator); at != std::string::npos;
         at = model::FindText(*text, *separator, from)) {
      ORRERY_TRY(CheckResultElements(parts.size() + 2));
      parts.push_back(Value::String(text->substr(from, at - from)));
      from = at + separator->size();
    }
  }
  parts.push_back(Value::String(text->substr(from)));
  return Value::Array(std::move(parts));
}

enum class Side : uint8_t { kLeft = 1, kRight = 2, kBoth = 3 };

constexpr bool Trims(Side side, Side which) {
  return (static_cast<uint8_t>(side) & static_cast<uint8_t>(which)) != 0;
}

// Returns the text without the characters at its ends for which `trimmed` is true.
template <typename Predicate>
Value TrimWhere(const std::string& text, Side side, Predicate trimmed) {
  const std::u32string characters = ToCodePoints(text);
  size_t first = 0;
  size_t last = characters.size();
  if (Trims(side, Side::kLeft)) {
    while (first < last && trimmed(characters[first])) ++first;
  }
  if (Trims(side, Side::kRight)) {
    while (last > first && trimmed(characters[last - 1])) --last;
  }
  const size_t begin = ByteOfCodePoint(text, first);
  return Value::String(text.substr(begin, ByteOfCodePoint(text, last) - begin));
}

template <Side side>
Result<Value> Trim(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  if (text == nullptr) return Value::Undefined();
  if (arguments.size() == 1) return TrimWhere(*text, side, model::IsWhiteSpace);
  const std::string* trimmed = TextOf(arguments[1]);
  if (trimmed == nullptr) return Value::Undefined();
  // Its characters, in any order and number; sorted, so that a long list costs no more per look.
  std::u32string set = ToCodePoints(*trimmed);
  std::ranges::sort(set);
  return TrimWhere(*text, side, [&](char32_t c) { return std::ranges::binary_search(set, c); });
}

constexpr Function kStringFunctions[] = {
    {"CONCAT", 2, kArgumentsUnbounded, Concat},
    {"LEFT", 2, 2, Left},
    {"LENGTH", 1, 1, OfText<Length>},
    {"LOWER", 1, 1, OfText<Lower>},
    {"LTRIM", 1, 2, Trim<Side::kLeft>},
    {"REPLACE", 3, 3, Replace},
    {"REPLICATE", 2, 2, Replicate},
    {"REVERSE", 1, 1, OfText<Reverse>},
    {"RIGHT", 2, 2, Right},
    {"RTRIM", 1, 2, Trim<Side::kRight>},
    {"STRINGJOIN", 2, 2, StringJoin},
    {"STRINGSPLIT", 2, 2, StringSplit},
    {"SUBSTRING", 3, 3, Substring},
    {"TRIM", 1, 2, Trim<Side::kBoth>},
    {"UPPER", 1, 1, OfText<Upper>},
};

}  // namespace

std::span<const Function> StringFunctions() { return kStringFunctions; }

}  // namespace orrery::sql
