#include "model/expression/letter_case.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>

#include <algorithm>

#include "base/check.h"

namespace orrery::model {
namespace {

// No language's own rules, such as the Turkish dotless i.
constexpr const char* kRootLocale = "";

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Most text is ASCII, which needs no tables.
std::string MapAscii(std::string_view text, char first, char last, int shift) {
  std::string mapped(text);
  for (char& c : mapped) {
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  }
  return mapped;
}

using Mapping = void (*)(const char* locale, uint32_t options, icu::StringPiece text,
                         icu::ByteSink& sink, icu::Edits* edits, UErrorCode& error);

std::string MapUnicode(std::string_view text, Mapping mapping) {
  std::string mapped;
  icu::StringByteSink<std::string> sink(&mapped, static_cast<int32_t>(text.size()));
  UErrorCode error = U_ZERO_ERROR;
  mapping(kRootLocale, 0, icu::StringPiece(text.data(), static_cast<int32_t>(text.size())), sink,
          nullptr, error);
  ORRERY_CHECK(U_SUCCESS(error));
  return mapped;
}

}  // namespace

std::string ToLowerCase(std::string_view text) {
  return IsAscii(text) ? MapAscii(text, 'A', 'Z', 'a' - 'A')
                       : MapUnicode(text, icu::CaseMap::utf8ToLower);
}

std::string ToUpperCase(std::string_view text) {
  return IsAscii(text) ? MapAscii(text, 'a', 'z', 'A' - 'a')
                       : MapUnicode(text, icu::CaseMap::utf8ToUpper);
}

}  // namespace orrery::model
