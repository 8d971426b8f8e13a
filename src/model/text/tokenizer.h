// Text as the words that full-text search compares: runs of letters and digits, in lower case.
//
// Other characters between two words only separate them. There are no stop words and no stemming: a
// word is found as it is written. Text indexes store these words, so that a change here needs all
// of them rebuilt.
//
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery::model {

// In the order of the text. Bytes that are not UTF-8 separate words.
std::vector<std::string> Tokenize(std::string_view text);

}  // namespace orrery::model
