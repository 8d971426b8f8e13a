#include "model/text/word_breaks.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <cstdint>
#include <optional>

#include "model/expression/character.h"

namespace orrery::model {
namespace {

struct Character {
  char32_t code = 0;
  size_t begin = 0;
  size_t end = 0;
};

constexpr char32_t kReplacement = 0xFFFD;

std::optional<Character> CharacterAt(std::string_view text, size_t at) {
  if (at >= text.size()) return std::nullopt;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  size_t next = at;
  UChar32 code = 0;
  U8_NEXT(bytes, next, text.size(), code);
  return Character{code < 0 ? kReplacement : static_cast<char32_t>(code), at, next};
}

bool IsDigit(char32_t code) { return u_isdigit(static_cast<UChar32>(code)) != 0; }
bool IsWordPart(char32_t code) {
  return code == U'_' || IsLetterOrDigit(code) ||
         u_charType(static_cast<UChar32>(code)) == U_NON_SPACING_MARK;
}
bool IsAlone(char32_t code) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(code), &error);
  return U_SUCCESS(error) != 0 && (script == USCRIPT_HAN || script == USCRIPT_HIRAGANA);
}

bool Joins(char32_t between, char32_t before, char32_t after) {
  if (!IsWordPart(before) || !IsWordPart(after) || IsAlone(after)) return false;
  const bool either = between == U'\'' || between == U'.' || between == 0x2019;
  if (IsDigit(before) && IsDigit(after)) return either || between == U',' || between == U';';
  if (IsDigit(before) || IsDigit(after)) return false;
  return either || between == U':' || between == 0xB7;
}

// The end of the word that begins at `first`, and its number of characters.
struct WordEnd {
  size_t at = 0;
  size_t characters = 0;
};
WordEnd EndOfWord(std::string_view text, const Character& first) {
  WordEnd end{first.end, 1};
  if (IsAlone(first.code)) return end;
  for (char32_t last = first.code;;) {
    const auto next = CharacterAt(text, end.at);
    if (!next.has_value()) return end;
    if (IsWordPart(next->code) && !IsAlone(next->code)) {
      last = next->code;
      end = {next->end, end.characters + 1};
      continue;
    }
    const auto after = CharacterAt(text, next->end);
    if (!after.has_value() || !Joins(next->code, last, after->code)) return end;
    last = after->code;
    end = {after->end, end.characters + 2};
  }
}

}  // namespace

std::vector<std::string_view> WordsOf(std::string_view text, size_t characters_max) {
  std::vector<std::string_view> words;
  for (auto here = CharacterAt(text, 0); here.has_value();) {
    if (!IsWordPart(here->code)) {
      here = CharacterAt(text, here->end);
      continue;
    }
    const WordEnd end = EndOfWord(text, *here);
    if (end.characters <= characters_max)
      words.push_back(text.substr(here->begin, end.at - here->begin));
    here = CharacterAt(text, end.at);
  }
  return words;
}

std::vector<std::string_view> SplitAt(std::string_view text, char32_t delimiter) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  const auto finish = [&](size_t end) {
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
  };
  for (auto here = CharacterAt(text, 0); here.has_value(); here = CharacterAt(text, here->end)) {
    if (here->code != delimiter) continue;
    finish(here->begin);
    begin = here->end;
  }
  finish(text.size());
  return parts;
}

char32_t FirstCharacter(std::string_view text) {
  const auto first = CharacterAt(text, 0);
  return first.has_value() ? first->code : kReplacement;
}

}  // namespace orrery::model
