#include "api/sql/direct/protocol/guid.h"

#include <string_view>

namespace orrery::sql::direct {

std::string GuidText(const Guid& guid) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  // The position of each byte of the text.
  constexpr std::array<uint8_t, kGuidBytes> kByteOrder = {3, 2, 1,  0,  5,  4,  7,  6,
                                                          8, 9, 10, 11, 12, 13, 14, 15};
  std::string text;
  text.reserve(36);
  for (size_t i = 0; i < kByteOrder.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(guid.bytes[kByteOrder[i]]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xf];
  }
  return text;
}

}  // namespace orrery::sql::direct
