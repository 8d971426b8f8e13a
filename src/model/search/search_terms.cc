#include "model/search/search_terms.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf8.h>

#include <array>
#include <cstdint>

namespace orrery::model {
namespace {

// The longest decomposition of a character has 18 units of UTF-16.
constexpr int32_t kDecompositionUnitsMax = 32;

// Calls visit(character, begin, end) for each character. Bytes that are not UTF-8 are U+FFFD.
template <typename Visit>
void VisitCharacters(std::string_view text, const Visit& visit) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    if (bytes[at] < 0x80) {
      ++at;
      visit(static_cast<char32_t>(bytes[begin]), begin, at);
      continue;
    }
    UChar32 code = 0;
    U8_NEXT(bytes, at, text.size(), code);
    visit(code < 0 ? U'\uFFFD' : static_cast<char32_t>(code), begin, at);
  }
}

void AppendUtf8(std::string& text, char32_t character) {
  std::array<uint8_t, U8_MAX_LENGTH> bytes;
  int32_t length = 0;
  U8_APPEND_UNSAFE(bytes.data(), length, character);
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(length));
}

// The one character that is left of a character without its marks; 0 for a mark, and the character
// itself where several would be left.
char32_t WithoutDiacritics(char32_t character) {
  if (character < 0x80) return character;
  const auto code = static_cast<UChar32>(character);
  if (u_hasBinaryProperty(code, UCHAR_DIACRITIC) != 0) return 0;
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* const canonical = unorm2_getNFDInstance(&error);
  if (U_FAILURE(error) != 0) return character;
  std::array<UChar, kDecompositionUnitsMax> units;
  const int32_t length =
      unorm2_getDecomposition(canonical, code, units.data(), kDecompositionUnitsMax, &error);
  if (U_FAILURE(error) != 0 || length < 0) return character;
  char32_t left = 0;
  for (int32_t i = 0; i < length;) {
    UChar32 part = 0;
    U16_NEXT(units.data(), i, length, part);
    if (u_hasBinaryProperty(part, UCHAR_DIACRITIC) != 0) continue;
    if (left != 0) return character;
    left = static_cast<char32_t>(part);
  }
  return left == 0 ? character : left;
}

bool IsAscii(std::string_view text) {
  for (const char c : text)
    if (static_cast<uint8_t>(c) >= 0x80) return false;
  return true;
}

std::string LowerText(std::string_view text, const SearchLanguage& language) {
  std::string lower;
  lower.reserve(text.size());
  VisitCharacters(text, [&](char32_t character, size_t, size_t) {
    AppendUtf8(lower, language.Lower(character));
  });
  return lower;
}

std::string TextWithoutDiacritics(std::string_view text) {
  if (IsAscii(text)) return std::string(text);
  std::string bare;
  bare.reserve(text.size());
  VisitCharacters(text, [&](char32_t character, size_t, size_t) {
    if (const char32_t left = WithoutDiacritics(character); left != 0) AppendUtf8(bare, left);
  });
  return bare;
}
}  // namespace

std::vector<std::string> SearchTermsOf(std::string_view text, const SearchLanguage& language,
                                       SearchSensitivity sensitivity) {
  std::vector<std::string> terms;
  const auto add = [&](std::string_view word) {
    std::string lower = LowerText(word, language);
    if (language.IsStopWord(lower)) return;
    // Stems are of words with their diacritics.
    std::string term = language.Stem(sensitivity.to_case ? word : std::string_view(lower));
    if (!sensitivity.to_diacritics) term = TextWithoutDiacritics(term);
    terms.push_back(std::move(term));
  };
  size_t word = std::string_view::npos;  // where one began
  VisitCharacters(text, [&](char32_t character, size_t begin, size_t) {
    if (language.Separates(character)) {
      if (word != std::string_view::npos) add(text.substr(word, begin - word));
      word = std::string_view::npos;
    } else if (word == std::string_view::npos) {
      word = begin;
    }
  });
  if (word != std::string_view::npos) add(text.substr(word));
  return terms;
}

std::string FoldedText(std::string_view text, const SearchLanguage& language,
                       SearchSensitivity sensitivity) {
  std::string folded = sensitivity.to_case ? std::string(text) : LowerText(text, language);
  return sensitivity.to_diacritics ? folded : TextWithoutDiacritics(folded);
}
}  // namespace orrery::model
