#include "model/text/text_collator.h"

#include <fmt/format.h>
#include <unicode/ucol.h>
#include <unicode/uloc.h>
#include <unicode/unistr.h>

#include <string_view>

namespace orrery::model {
namespace {

struct CollatorCloser {
  void operator()(UCollator* collator) const { ucol_close(collator); }
};

// REQUIRES: `language` as ICU canonicalizes it. ICU answers its root's rules with a warning both
// for languages that it does not know and for those, as English, that have no rules of their own.
bool IsKnownLanguage(std::string_view language) {
  for (int32_t i = 0; i < uloc_countAvailable(); ++i) {
    char known[ULOC_LANG_CAPACITY] = {};
    UErrorCode status = U_ZERO_ERROR;
    uloc_getLanguage(uloc_getAvailable(i), known, sizeof(known), &status);
    if (U_SUCCESS(status) && language == known) return true;
  }
  return false;
}

bool IsKnownLocale(const std::string& locale) {
  if (locale == "root") return true;
  char language[ULOC_LANG_CAPACITY] = {};
  UErrorCode status = U_ZERO_ERROR;
  uloc_getLanguage(locale.c_str(), language, sizeof(language), &status);
  return U_SUCCESS(status) && status != U_STRING_NOT_TERMINATED_WARNING &&
         IsKnownLanguage(language);
}

}  // namespace

struct TextCollator::Impl {
  std::unique_ptr<UCollator, CollatorCloser> collator;
};

TextCollator::TextCollator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TextCollator::~TextCollator() = default;

Result<std::unique_ptr<const TextCollator>> TextCollator::Make(const CollationRules& rules) {
  UErrorCode status = U_ZERO_ERROR;
  auto impl = std::make_unique<Impl>();
  impl->collator.reset(ucol_open(rules.locale.c_str(), &status));
  const bool is_unknown = status == U_USING_DEFAULT_WARNING && !IsKnownLocale(rules.locale);
  if (U_FAILURE(status) || impl->collator == nullptr || is_unknown)
    return Fail(Code::kInvalidArgument, fmt::format("there is no locale '{}'", rules.locale));
  UCollator* const collator = impl->collator.get();
  const auto set = [&](UColAttribute attribute, UColAttributeValue value) {
    ucol_setAttribute(collator, attribute, value, &status);
  };
  constexpr UColAttributeValue kStrengths[] = {UCOL_PRIMARY, UCOL_SECONDARY, UCOL_TERTIARY,
                                               UCOL_QUATERNARY, UCOL_IDENTICAL};
  status = U_ZERO_ERROR;
  set(UCOL_STRENGTH, kStrengths[rules.strength - 1]);
  set(UCOL_CASE_LEVEL, rules.case_level ? UCOL_ON : UCOL_OFF);
  set(UCOL_CASE_FIRST, rules.case_first == CollationRules::CaseFirst::kUpper   ? UCOL_UPPER_FIRST
                       : rules.case_first == CollationRules::CaseFirst::kLower ? UCOL_LOWER_FIRST
                                                                               : UCOL_OFF);
  set(UCOL_NUMERIC_COLLATION, rules.numeric ? UCOL_ON : UCOL_OFF);
  set(UCOL_ALTERNATE_HANDLING, rules.shifted ? UCOL_SHIFTED : UCOL_NON_IGNORABLE);
  set(UCOL_FRENCH_COLLATION, rules.backwards ? UCOL_ON : UCOL_OFF);
  set(UCOL_NORMALIZATION_MODE, rules.normalizes ? UCOL_ON : UCOL_OFF);
  if (rules.shifted) {
    ucol_setMaxVariable(
        collator,
        rules.shifts_spaces_only ? UCOL_REORDER_CODE_SPACE : UCOL_REORDER_CODE_PUNCTUATION,
        &status);
  }
  if (U_FAILURE(status))
    return Fail(Code::kInvalidArgument,
                fmt::format("ICU refuses the rules: {}", u_errorName(status)));
  return std::unique_ptr<const TextCollator>(new TextCollator(std::move(impl)));
}

std::string TextCollator::Key(std::string_view text) const {
  const icu::UnicodeString wide =
      icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  std::string key(static_cast<size_t>(wide.length()) * 4 + 16, '\0');
  const auto fill = [&] {
    return ucol_getSortKey(impl_->collator.get(), wide.getBuffer(), wide.length(),
                           reinterpret_cast<uint8_t*>(key.data()),
                           static_cast<int32_t>(key.size()));
  };
  int32_t size = fill();
  if (static_cast<size_t>(size) > key.size()) {
    key.resize(static_cast<size_t>(size));
    size = fill();
  }
  key.resize(static_cast<size_t>(size > 0 ? size - 1 : 0));  // without the 00 at its end
  return key;
}

}  // namespace orrery::model
