#include "api/sql/function/text/tokenizer.h"

#include "api/sql/function/text/code_points.h"
#include "model/expression/character.h"
#include "model/expression/letter_case.h"

namespace orrery::sql {

std::vector<std::string> Tokenize(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) words.push_back(model::ToLowerCase(word));
    word.clear();
  };
  for (const char32_t character : ToCodePoints(text)) {
    if (model::IsLetterOrDigit(character)) {
      AppendCodePoint(word, character);
    } else {
      finish();
    }
  }
  finish();
  return words;
}

bool ContainsPhrase(std::span<const std::string> text, std::span<const std::string> phrase) {
  if (phrase.empty()) return false;
  // Knuth, Morris, Pratt: how much of the phrase is still matched when its next word is another.
  std::vector<size_t> fallback(phrase.size(), 0);
  for (size_t i = 1, matched = 0; i < phrase.size(); ++i) {
    while (matched > 0 && phrase[i] != phrase[matched]) matched = fallback[matched - 1];
    if (phrase[i] == phrase[matched]) ++matched;
    fallback[i] = matched;
  }
  size_t matched = 0;
  for (const std::string& word : text) {
    while (matched > 0 && word != phrase[matched]) matched = fallback[matched - 1];
    if (word == phrase[matched]) ++matched;
    if (matched == phrase.size()) return true;
  }
  return false;
}

}  // namespace orrery::sql
