// Bytes as text: base64 for keys and signatures, base64url without padding for tokens that travel
// in headers and links.
#pragma once

#include <string>
#include <string_view>

namespace orrery::gateway {

std::string ToBase64(std::string_view bytes);
// False unless `text` is whole groups of four with right padding and no other characters.
[[nodiscard]] bool FromBase64(std::string_view text, std::string& bytes);

std::string ToBase64Url(std::string_view bytes);
// False for padding, for characters of the other alphabet and for bits that no byte uses: one byte
// string has exactly one text.
[[nodiscard]] bool FromBase64Url(std::string_view text, std::string& bytes);

}  // namespace orrery::gateway
