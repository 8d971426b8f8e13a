// Cuts text into words as they are written, for those who tell upper from lower case and want the
// words that people would count: "don't", "3.14" and "foo_bar" are one each.
//
// Differs from tokenizer.h, whose words are runs of letters and digits in lower case and stand in
// stored indexes. The rules are a subset of Unicode's word boundaries (UAX 29): letters, digits and
// underscores make words; an apostrophe, full stop or colon joins letters, and an apostrophe, full
// stop, comma or semicolon digits; a Han or Hiragana character is a word of its own.
//
// Pure. Bytes that are not UTF-8 separate words.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace orrery::model {

// In the order of the text, without those of more than `characters_max` characters.
std::vector<std::string_view> WordsOf(std::string_view text, size_t characters_max);

// Returns the pieces between delimiters; none between two in a row.
std::vector<std::string_view> SplitAt(std::string_view text, char32_t delimiter);

// The first character of a text that is not empty; U+FFFD when it is not UTF-8.
char32_t FirstCharacter(std::string_view text);

}  // namespace orrery::model
