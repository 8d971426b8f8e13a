// Lists the stop words of languages: words so frequent that a search for them says nothing. They
// are MongoDB's, as its server tells them.
//
// Text indexes leave them out: a change here needs every text index rebuilt.
#pragma once

#include <string_view>
#include <unordered_set>

namespace orrery::model {

using StopWords = std::unordered_set<std::string_view>;

// In lower case, with their diacritics. None for a language without a list.
StopWords StopWordsOf(std::string_view language);

}  // namespace orrery::model
