// Functions that look for one string in another. "Ignoring case" compares both in lower case.
#include <algorithm>

#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/operator/truth.h"
#include "api/sql/function/text/code_points.h"
#include "model/expression/letter_case.h"
#include "model/text/find_text.h"

namespace orrery::sql {
namespace {

bool ContainsText(std::string_view text, std::string_view part) {
  return model::FindText(text, part) != std::string_view::npos;
}
bool StartsWith(std::string_view text, std::string_view prefix) { return text.starts_with(prefix); }
bool EndsWith(std::string_view text, std::string_view suffix) { return text.ends_with(suffix); }
bool Equals(std::string_view text, std::string_view other) { return text == other; }

// bool F(text, other); the third argument says whether case is ignored.
template <auto F>
Result<Value> OfTwoTexts(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const std::string* other = TextOf(arguments[1]);
  const auto ignore_case = FlagAt(arguments, 2);
  if (text == nullptr || other == nullptr || !ignore_case) return Value::Undefined();
  if (*ignore_case) return Value::Bool(F(model::ToLowerCase(*text), model::ToLowerCase(*other)));
  return Value::Bool(F(*text, *other));
}

enum class ListQuantifier : uint8_t { kAll, kAny };
enum class LetterCase : uint8_t { kSensitive, kIgnored };

// CONTAINS of each, joined by AND or OR: so an argument that is no string leaves it undefined
// unless another decides.
template <ListQuantifier quantifier, LetterCase letter_case>
Result<Value> ContainsEach(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const auto cased = [](const std::string& string) {
    return letter_case == LetterCase::kIgnored ? model::ToLowerCase(string) : string;
  };
  const std::string searched = text == nullptr ? "" : cased(*text);
  Truth result = TruthOf(quantifier == ListQuantifier::kAll);
  for (const Value& argument : arguments.subspan(1)) {
    const std::string* part = TextOf(argument);
    const Truth found = text == nullptr || part == nullptr
                            ? Truth::kUndefined
                            : TruthOf(ContainsText(searched, cased(*part)));
    result = quantifier == ListQuantifier::kAll ? And(result, found) : Or(result, found);
  }
  return ToValue(result);
}

Value CharacterAt(const std::string& text, size_t byte) {
  if (byte == std::string::npos) return Value::Int32(-1);
  const size_t characters = CountCodePoints(std::string_view(text).substr(0, byte));
  return Value::Int32(static_cast<int32_t>(characters));
}

Result<Value> IndexOf(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const std::string* part = TextOf(arguments[1]);
  if (text == nullptr || part == nullptr) return Value::Undefined();
  size_t from = 0;
  if (arguments.size() == 3) {
    const auto start = IntegerOf(arguments[2]);
    if (!start) return Value::Undefined();
    from = ByteOfCodePoint(*text, static_cast<size_t>(std::max<int64_t>(*start, 0)));
  }
  return CharacterAt(*text, model::FindText(*text, *part, from));
}

// The third argument is the last character that a match may cover.
Result<Value> LastIndexOf(Arguments arguments, const CallContext&) {
  const std::string* text = TextOf(arguments[0]);
  const std::string* part = TextOf(arguments[1]);
  if (text == nullptr || part == nullptr) return Value::Undefined();
  std::string_view searched = *text;
  if (arguments.size() == 3) {
    const auto last = IntegerOf(arguments[2]);
    if (!last) return Value::Undefined();
    if (*last < 0) return Value::Int32(-1);
    searched = searched.substr(0, ByteOfCodePoint(searched, static_cast<size_t>(*last) + 1));
  }
  return CharacterAt(*text, model::FindLastText(searched, *part));
}

constexpr Function kStringSearchFunctions[] = {
    {"CONTAINS", 2, 3, OfTwoTexts<ContainsText>},
    {"CONTAINS_ALL_CI", 2, kArgumentsUnbounded,
     ContainsEach<ListQuantifier::kAll, LetterCase::kIgnored>},
    {"CONTAINS_ALL_CS", 2, kArgumentsUnbounded,
     ContainsEach<ListQuantifier::kAll, LetterCase::kSensitive>},
    {"CONTAINS_ANY_CI", 2, kArgumentsUnbounded,
     ContainsEach<ListQuantifier::kAny, LetterCase::kIgnored>},
    {"CONTAINS_ANY_CS", 2, kArgumentsUnbounded,
     ContainsEach<ListQuantifier::kAny, LetterCase::kSensitive>},
    {"ENDSWITH", 2, 3, OfTwoTexts<EndsWith>},
    {"INDEX_OF", 2, 3, IndexOf},
    {"LASTINDEXOF", 2, 3, LastIndexOf},
    {"STARTSWITH", 2, 3, OfTwoTexts<StartsWith>},
    {"STRINGEQUALS", 2, 3, OfTwoTexts<Equals>},
};

}  // namespace

std::span<const Function> StringSearchFunctions() { return kStringSearchFunctions; }

}  // namespace orrery::sql
