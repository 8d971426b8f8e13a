// Phrases in texts, both as the words that they are made of (model/text/tokenizer.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace orrery::sql {

// Returns whether the words of the phrase stand in the text side by side, in their order. A phrase
// without words is in no text. Takes time in proportion to the sum of both.
bool ContainsPhrase(std::span<const std::string> text, std::span<const std::string> phrase);

// The same where each word of the text may differ from that of the phrase by so many characters
// that are added, left out or replaced.
bool ContainsLike(std::span<const std::string> text, std::span<const std::string> phrase,
                  size_t distance_max);

}  // namespace orrery::sql
