// Properties of one character, as Unicode defines them.
#pragma once

namespace orrery::model {

// Letters and marks that go with them, and decimal digits: what words are made of.
bool IsLetterOrDigit(char32_t character);
bool IsWhiteSpace(char32_t character);

}  // namespace orrery::model
