#include "model/expression/character.h"

#include <unicode/uchar.h>

namespace orrery::model {

bool IsLetterOrDigit(char32_t character) {
  constexpr uint32_t kWord = U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK;
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & kWord) != 0;
}

bool IsWhiteSpace(char32_t character) {
  return u_isUWhiteSpace(static_cast<UChar32>(character)) != 0;
}

}  // namespace orrery::model
