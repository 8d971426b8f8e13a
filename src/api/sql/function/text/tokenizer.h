// Text as the words that full-text search compares: runs of letters and digits, in lower case.
//
// Whatever else stands between two words only separates them. There are no stop words and no
// stemming: a word is found as it is written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::sql {

std::vector<std::string> Tokenize(std::string_view text);

// Whether the words of the phrase stand in the text side by side, in their order. A phrase without
// words is in no text. Takes time in proportion to the sum of both.
bool ContainsPhrase(std::span<const std::string> text, std::span<const std::string> phrase);

}  // namespace orrery::sql
