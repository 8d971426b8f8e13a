// The terms that a text index stores for a text, and those that a query for words reads.
//
//   values := word* | null     strings, each word of the text once | the text has too many
//   word   := lower case, cut after kIndexedTermBytesMax bytes
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

inline constexpr size_t kIndexedTermBytesMax = 128;
// Of one text. A novel has more, what people write into one item hardly ever.
inline constexpr size_t kIndexedTermsMax = 2'000;

// The values that an index has of the text: sorted, each once. None for a text without words.
std::vector<Value> IndexedTermsOf(std::string_view text);

// The values of which a text has at least one if it has one of the words (text/tokenizer.h): null
// is among them. Each once.
std::vector<Value> IndexedTermsToFind(std::span<const std::string> words);

}  // namespace orrery::model
