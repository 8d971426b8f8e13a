#include "api/sql/function/text/bm25.h"

#include <algorithm>
#include <cmath>

namespace orrery::sql {
namespace {

constexpr double kSaturation = 1.2;        // BM25's k1
constexpr double kLengthInfluence = 0.75;  // and b

}  // namespace

double PhraseScore(double hits, double words, double having, const TextStatistics& all) {
  const double rarity = std::log(1 + (all.texts - having + 0.5) / (having + 0.5));
  const double length = 1 - kLengthInfluence + kLengthInfluence * words / all.average_words;
  return rarity * hits * (kSaturation + 1) / (hits + kSaturation * length);
}

size_t CountPhrase(std::span<const std::string> text, std::span<const std::string> phrase) {
  if (phrase.empty() || phrase.size() > text.size()) return 0;
  size_t count = 0;
  for (size_t i = 0; i + phrase.size() <= text.size(); ++i)
    if (std::ranges::equal(phrase, text.subspan(i, phrase.size()))) ++count;
  return count;
}

}  // namespace orrery::sql
