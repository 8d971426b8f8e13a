#include "api/sql/function/text/phrase.h"

#include <vector>

namespace orrery::sql {

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
