// What an index of words has of a text, and where a query for words looks.
//
//   values := word* | null     strings, each word of the text once | the text has too many
//   word   := lower case, cut after kIndexedWordBytesMax bytes
//
// A text with too many words has null alone: it may have any word, so that whoever looks for one
// reads null as well and looks at the text. Words are stored: no bound may change without a new
// kind of index.
//
// Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace orrery::model {

inline constexpr size_t kIndexedWordBytesMax = 128;
// Of one text. A novel has more, what people write into one item hardly ever.
inline constexpr size_t kIndexedWordsMax = 2'000;

// The values that an index has of the text: sorted, each once. None for a text without words.
std::vector<Value> IndexedWordsOf(std::string_view text);

// The values of which a text has at least one if it has one of the words (text/tokenizer.h): null
// is among them. Each once.
std::vector<Value> IndexedWordsToFind(std::span<const std::string> words);

}  // namespace orrery::model
