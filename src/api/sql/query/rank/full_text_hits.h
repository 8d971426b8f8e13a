// Counts how often phrases stand in a text, and how long it is: the input of a full-text score.
//
//   hits := [length of the text (stop_words.h), times that the first phrase stands in it, the
//   second, ..]
//
// Undefined when the text is no string.
#pragma once

#include <string>
#include <vector>

#include "api/sql/evaluate/bound_expression.h"

namespace orrery::sql {

// Words of one phrase, and phrases of one score.
inline constexpr size_t kPhraseWordsMax = 32;
inline constexpr size_t kPhrasesMax = 64;

using Phrase = std::vector<std::string>;  // its words (model/text/tokenizer.h)

BoundExpressionPtr FullTextHits(BoundExpressionPtr text, std::vector<Phrase> phrases);

}  // namespace orrery::sql
