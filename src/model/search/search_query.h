// A SearchQuery is what a person types to search for texts: words of which one must be there,
// "phrases" in quotes that must all be there, and -words and -"phrases" that must not.
//
// It decides by itself whether a document matches, and how well; an index only finds candidates
// (terms()). Immutable, so thread-safe.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/document/document.h"
#include "model/search/search_rules.h"
#include "model/search/search_terms.h"

namespace orrery::model {

class SearchQuery {
 public:
  static SearchQuery Parse(std::string_view text, const SearchLanguage& language,
                           SearchSensitivity sensitivity);

  // Returns the score of a document, the greater the better; nullopt if it does not match.
  //
  // The score is the sum over the terms. That of a term is the sum over the texts of the document:
  // the text's weight, times 1 + 1/2 + 1/4 ... for each time that it occurs there, times one half
  // and one half of its share of the text's terms, times 1.1 if the text is the term and nothing
  // else.
  std::optional<double> ScoreOf(DocumentView document, const SearchRules& rules) const;

  // A document that matches has one of these terms. Sorted.
  const std::vector<std::string>& terms() const { return terms_; }

  // As they are compared: with upper case and diacritics if these count.
  const std::set<std::string>& wanted_terms() const { return wanted_terms_; }
  const std::set<std::string>& refused_terms() const { return refused_terms_; }
  const std::vector<std::string>& wanted_phrases() const { return wanted_phrases_; }
  const std::vector<std::string>& refused_phrases() const { return refused_phrases_; }
  const SearchLanguage& language() const { return *language_; }

 private:
  const SearchLanguage* language_ = nullptr;
  SearchSensitivity sensitivity_;
  std::vector<std::string> terms_;
  std::set<std::string> wanted_terms_;
  std::set<std::string> refused_terms_;
  std::vector<std::string> wanted_phrases_;
  std::vector<std::string> refused_phrases_;
};

}  // namespace orrery::model
