// What Unicode says of one character.
#pragma once

namespace orrery::model {

// Letters and marks that go with them, and decimal digits: what words are made of.
bool IsLetterOrDigit(char32_t character);
bool IsDecimalDigit(char32_t character);
bool IsWhiteSpace(char32_t character);

// The form that all cases of a letter have in common, when it is one character ("ß" is itself).
char32_t FoldCase(char32_t character);
// Its upper case, when that is one character.
char32_t ToUpperCase(char32_t character);

}  // namespace orrery::model
