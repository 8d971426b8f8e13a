#include "api/sql/function/text/phrase.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "api/sql/function/text/code_points.h"

namespace orrery::sql {
namespace {

// Returns whether Levenshtein's distance is at most that. Of its table only the diagonals are
// computed on which it can be: time in proportion to the words' length times that distance.
bool IsNear(std::u32string_view a, std::u32string_view b, size_t distance_max) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > distance_max) return false;
  constexpr size_t kFar = SIZE_MAX / 2;
  const size_t width = 2 * distance_max + 1;
  // of_row[k]: how far the first characters of a, as many as the row's number, are from the first
  // number + k - distance_max of b.
  std::vector<size_t> before(width, kFar);
  std::vector<size_t> of_row(width, kFar);
  for (size_t k = distance_max; k < width; ++k) before[k] = k - distance_max;
  for (size_t row = 1; row <= a.size(); ++row) {
    for (size_t k = 0; k < width; ++k) {
      of_row[k] = kFar;
      if (row + k < distance_max || row + k - distance_max > b.size()) continue;
      const size_t column = row + k - distance_max;
      if (column == 0) {
        of_row[k] = row;
        continue;
      }
      of_row[k] = before[k] + (a[row - 1] == b[column - 1] ? 0 : 1);
      if (k + 1 < width) of_row[k] = std::min(of_row[k], before[k + 1] + 1);
      if (k > 0) of_row[k] = std::min(of_row[k], of_row[k - 1] + 1);
    }
    before.swap(of_row);
  }
  return before[b.size() + distance_max - a.size()] <= distance_max;
}

std::vector<std::u32string> CodePointsOf(std::span<const std::string> words) {
  std::vector<std::u32string> points;
  for (const std::string& word : words) points.push_back(ToCodePoints(word));
  return points;
}

}  // namespace

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

bool ContainsLike(std::span<const std::string> text, std::span<const std::string> phrase,
                  size_t distance_max) {
  if (distance_max == 0) return ContainsPhrase(text, phrase);
  if (phrase.empty() || phrase.size() > text.size()) return false;
  const std::vector<std::u32string> words = CodePointsOf(text);
  const std::vector<std::u32string> wanted = CodePointsOf(phrase);
  for (size_t at = 0; at + wanted.size() <= words.size(); ++at) {
    const auto is_near = [&](const std::u32string& word, const std::u32string& other) {
      return IsNear(word, other, distance_max);
    };
    if (std::equal(wanted.begin(), wanted.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                   is_near))
      return true;
  }
  return false;
}

}  // namespace orrery::sql
