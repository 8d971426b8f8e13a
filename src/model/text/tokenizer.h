// Text as the words that full-text search compares: runs of letters and digits, in lower case.
//
// Whatever else stands between two words only separates them. There are no stop words and no
// stemming: a word is found as it is written. What text indexes have is made of these words, so
// that a change here needs all of them built anew.
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
