// SearchRules say which texts of a document a weighted text index has: by field with a weight, or
// all of them; and in which language each is.
//
// The texts are those of MongoDB's text indexes: strings at the paths, through objects and through
// arrays, but not through arrays in arrays; under a wildcard all strings but those that name the
// language. Pure.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/document/document.h"
#include "model/search/search_language.h"
#include "model/value.h"

namespace orrery::model {

// A text with more terms than this is found by every search (SearchValuesOf).
inline constexpr size_t kSearchTermsMax = 10'000;
// Of one term; longer ones share their beginning.
inline constexpr size_t kSearchTermBytesMax = 128;

struct SearchRules {
  std::map<std::string, double> weights;  // by dotted path
  bool is_wildcard = false;               // all strings; those without a weight have 1
  std::string default_language = "english";
  std::string language_field = "language";  // of a document or an object in it

  friend bool operator==(const SearchRules&, const SearchRules&) = default;
};

struct SearchedText {
  std::string_view text;
  const SearchLanguage& language;
  double weight = 1;
};

// Calls `visit` for each text, in the order of the document. A language that does not exist is the
// default one (FindLanguageMistake tells of it).
void VisitTexts(DocumentView document, const SearchRules& rules,
                const std::function<void(const SearchedText&)>& visit);

// The first field that should name the language of texts and does not: nullopt if there is none.
std::optional<Value> FindLanguageMistake(DocumentView document, const SearchRules& rules);

// Returns the terms that a text index has of a document: sorted, each once; null alone where they
// are too many. None for a document without terms.
std::vector<Value> SearchValuesOf(DocumentView document, const SearchRules& rules);

// The values of which a document has at least one if it has one of the terms: null is among them.
std::vector<Value> SearchValuesToFind(const std::vector<std::string>& terms);

}  // namespace orrery::model
