// The terms of a text, as weighted text search compares them: its words without the stop words, in
// lower case, as stems, without diacritics.
//
// Differs from text/tokenizer.h, whose words are as they are written. Text indexes store these
// terms: a change here needs all of them rebuilt. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/search/search_language.h"

namespace orrery::model {

// SearchSensitivity says what terms, and texts in which phrases are searched, keep of a text.
struct SearchSensitivity {
  bool to_case = false;
  bool to_diacritics = false;

  bool any() const { return to_case || to_diacritics; }
};

// In the order of the text, as often as they occur in it.
std::vector<std::string> SearchTermsOf(std::string_view text, const SearchLanguage& language,
                                       SearchSensitivity sensitivity = {});

// The text with upper and lower case as one, and without diacritics, unless they count.
std::string FoldedText(std::string_view text, const SearchLanguage& language,
                       SearchSensitivity sensitivity = {});

}  // namespace orrery::model
