// Okapi BM25 with k1 = 1.2 and b = 0.75: how well a text answers one phrase.
//
// Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace orrery::sql {

// Statistics over all texts that are compared.
struct TextStatistics {
  double texts = 0;          // how many
  double average_words = 1;  // of one
};

// `hits`: how often the phrase stands in the text of `words` words; `having`: in how many of the
// texts it stands.
double PhraseScore(double hits, double words, double having, const TextStatistics& all);

// Returns how often the words of the phrase stand in the text side by side, in their order.
size_t CountPhrase(std::span<const std::string> text, std::span<const std::string> phrase);

}  // namespace orrery::sql
