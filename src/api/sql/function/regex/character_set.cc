#include "api/sql/function/regex/character_set.h"

#include <algorithm>

#include "model/expression/character.h"

namespace orrery::sql {

bool IsOfClass(CharacterClass character_class, char32_t character) {
  switch (character_class) {
    case CharacterClass::kDigit:
      return model::IsDecimalDigit(character);
    case CharacterClass::kWord:
      return character == U'_' || model::IsLetterOrDigit(character);
    case CharacterClass::kSpace:
      return model::IsWhiteSpace(character);
  }
  return false;
}

bool CharacterSet::Lists(char32_t character) const {
  return std::ranges::any_of(ranges,
                             [&](const auto& range) {
                               return character >= range.first && character <= range.second;
                             }) ||
         std::ranges::any_of(classes, [&](const Class& listed) {
           return IsOfClass(listed.which, character) != listed.negated;
         });
}

bool CharacterSet::Contains(char32_t character) const {
  bool listed = Lists(character);
  if (!listed && ignore_case)
    listed = Lists(model::FoldCase(character)) || Lists(model::ToUpperCase(character));
  return listed != negated;
}

}  // namespace orrery::sql
