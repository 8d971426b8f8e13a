// Text in lower and upper case by Unicode's full mappings, the same for every language: one letter
// may become several ("ß" is "SS" in upper case), and a final sigma is told from others.
//
// Pure. Bytes that are not UTF-8 stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace orrery::model {

std::string ToLowerCase(std::string_view text);
std::string ToUpperCase(std::string_view text);

}  // namespace orrery::model
