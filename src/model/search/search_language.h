// A SearchLanguage is what weighted text search knows of one language: its names, its stop words,
// the stems of its words and the characters that separate them.
//
// Stems are Snowball's (libstemmer). Immutable, so thread-safe; all of them live as long as the
// process.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/search/stop_words.h"

namespace orrery::model {

class SearchLanguage {
 public:
  // Returns the language by its English name or its ISO 639-1 code, in any case ("French", "fr");
  // "none" has neither stop words nor stems. Null if there is none of that name.
  static const SearchLanguage* Find(std::string_view name);

  std::string_view name() const { return name_; }
  // `word` is in lower case, with its diacritics.
  bool IsStopWord(std::string_view word) const { return stop_words_.contains(word); }
  // Returns the word itself in a language without a stemmer.
  std::string Stem(std::string_view word) const;
  // Returns whether a character of Unicode stands between words.
  bool Separates(char32_t character) const;
  // Folds case: upper to lower, and dotted and dotless i apart where the language does.
  char32_t Lower(char32_t character) const;

 private:
  friend struct SearchLanguages;
  SearchLanguage(std::string_view name, std::string_view code, size_t number);

  std::string_view name_;
  std::string_view code_;
  size_t number_;  // among all languages
  StopWords stop_words_;
};

}  // namespace orrery::model
