// The characters that one place of a regular expression stands for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::sql {

enum class CharacterClass : uint8_t { kDigit, kWord, kSpace };

bool IsOfClass(CharacterClass character_class, char32_t character);

// Letters of all scripts, digits and the underscore.
inline bool IsWordCharacter(char32_t character) {
  return IsOfClass(CharacterClass::kWord, character);
}

struct CharacterSet {
  struct Class {
    CharacterClass which;
    bool negated;
  };

  std::vector<std::pair<char32_t, char32_t>> ranges;  // both ends included
  std::vector<Class> classes;
  bool negated = false;
  bool ignore_case = false;

  bool Contains(char32_t character) const;

 private:
  bool Lists(char32_t character) const;
};

}  // namespace orrery::sql
