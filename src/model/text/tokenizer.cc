#include "model/text/tokenizer.h"

#include <unicode/utf8.h>

#include <cstdint>

#include "model/expression/character.h"
#include "model/expression/letter_case.h"

namespace orrery::model {

std::vector<std::string> Tokenize(std::string_view text) {
  std::vector<std::string> words;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  size_t word = 0;  // where it begins
  const auto finish = [&](size_t end) {
    if (end > word) words.push_back(ToLowerCase(text.substr(word, end - word)));
  };
  for (size_t i = 0; i < text.size();) {
    const size_t at = i;
    UChar32 character = 0;
    U8_NEXT(bytes, i, text.size(), character);
    if (character >= 0 && IsLetterOrDigit(static_cast<char32_t>(character))) continue;
    finish(at);
    word = i;
  }
  finish(text.size());
  return words;
}

}  // namespace orrery::model
