#include "api/cassandra/types/native/inet.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>

#include "base/bytes.h"

namespace orrery::cassandra {

Result<std::string> ParseInet(std::string_view text) {
  std::string address(text);
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  // inet_pton would stop at a NUL and take what is before it.
  if (address.find('\0') == std::string::npos) {
    char bytes[16];
    if (inet_pton(AF_INET, address.c_str(), bytes) == 1) return std::string(bytes, 4);
    if (inet_pton(AF_INET6, address.c_str(), bytes) == 1) {
      constexpr std::string_view kMapped("\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
      if (std::string_view(bytes, 12) == kMapped) return std::string(bytes + 12, 4);
      return std::string(bytes, 16);
    }
  }
  return Fail(Code::kInvalidArgument, fmt::format("Unable to make inet address from '{}'", text));
}

std::string InetText(std::string_view bytes) {
  std::string text;
  if (bytes.size() == 4) {
    for (const char c : bytes) {
      if (!text.empty()) text += '.';
      text += fmt::format("{}", static_cast<uint8_t>(c));
    }
    return text;
  }
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    if (!text.empty()) text += ':';
    text += fmt::format("{:x}", LoadBigEndian<uint16_t>(bytes.data() + i));
  }
  return text;
}

}  // namespace orrery::cassandra
