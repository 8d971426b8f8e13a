#include "model/search/search_language.h"

#include <libstemmer.h>
#include <unicode/uchar.h>

#include <array>
#include <vector>

#include "base/check.h"

namespace orrery::model {
namespace {

struct NamedLanguage {
  std::string_view name;  // as the stemmer knows it
  std::string_view code;
};
constexpr std::string_view kNoLanguage = "none";
constexpr std::array<NamedLanguage, 16> kNamedLanguages = {{{kNoLanguage, kNoLanguage},
                                                            {"danish", "da"},
                                                            {"dutch", "nl"},
                                                            {"english", "en"},
                                                            {"finnish", "fi"},
                                                            {"french", "fr"},
                                                            {"german", "de"},
                                                            {"hungarian", "hu"},
                                                            {"italian", "it"},
                                                            {"norwegian", "nb"},
                                                            {"portuguese", "pt"},
                                                            {"romanian", "ro"},
                                                            {"russian", "ru"},
                                                            {"spanish", "es"},
                                                            {"swedish", "sv"},
                                                            {"turkish", "tr"}}};

struct StemmerDeleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};
using StemmerPtr = std::unique_ptr<sb_stemmer, StemmerDeleter>;

// Stemmers have state while they work: each thread has its own.
sb_stemmer* StemmerOf(size_t number) {
  thread_local std::array<StemmerPtr, kNamedLanguages.size()> stemmers;
  StemmerPtr& stemmer = stemmers[number];
  if (stemmer == nullptr)
    stemmer.reset(sb_stemmer_new(std::string(kNamedLanguages[number].name).c_str(), "UTF_8"));
  return stemmer.get();
}

bool EqualsInAnyCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const char lower = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i];
    if (lower != b[i]) return false;
  }
  return true;
}

}  // namespace

struct SearchLanguages {
  std::vector<SearchLanguage> all;

  SearchLanguages() {
    all.reserve(kNamedLanguages.size());
    for (size_t i = 0; i < kNamedLanguages.size(); ++i)
      all.push_back(SearchLanguage(kNamedLanguages[i].name, kNamedLanguages[i].code, i));
  }
};

SearchLanguage::SearchLanguage(std::string_view name, std::string_view code, size_t number)
    : name_(name), code_(code), number_(number), stop_words_(StopWordsOf(name)) {}

const SearchLanguage* SearchLanguage::Find(std::string_view name) {
  static const SearchLanguages languages;
  for (const SearchLanguage& language : languages.all) {
    if (EqualsInAnyCase(name, language.name_) || EqualsInAnyCase(name, language.code_))
      return &language;
  }
  return nullptr;
}

std::string SearchLanguage::Stem(std::string_view word) const {
  if (name_ == kNoLanguage) return std::string(word);
  sb_stemmer* const stemmer = StemmerOf(number_);
  ORRERY_CHECK(stemmer != nullptr);
  const sb_symbol* const stem = sb_stemmer_stem(
      stemmer, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  if (stem == nullptr) return std::string(word);  // out of memory
  return {reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(stemmer))};
}

bool SearchLanguage::Separates(char32_t character) const {
  if (character == U'\'') return name_ != "english";
  const auto code = static_cast<UChar32>(character);
  for (const UProperty property :
       {UCHAR_WHITE_SPACE, UCHAR_PATTERN_SYNTAX, UCHAR_DASH, UCHAR_HYPHEN, UCHAR_QUOTATION_MARK,
        UCHAR_TERMINAL_PUNCTUATION}) {
    if (u_hasBinaryProperty(code, property) != 0) return true;
  }
  return false;
}

char32_t SearchLanguage::Lower(char32_t character) const {
  const uint32_t mode = name_ == "turkish" ? U_FOLD_CASE_EXCLUDE_SPECIAL_I : U_FOLD_CASE_DEFAULT;
  return static_cast<char32_t>(u_foldCase(static_cast<UChar32>(character), mode));
}

}  // namespace orrery::model
