#include "api/cassandra/function/masking/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace orrery::cassandra {
namespace {

struct Algorithm {
  std::string_view name;  // Java's
  const char* openssl_name;
};

constexpr auto kAlgorithms = std::to_array<Algorithm>({
    {"MD5", "MD5"},
    {"SHA", "SHA1"},
    {"SHA1", "SHA1"},
    {"SHA-1", "SHA1"},
    {"SHA-224", "SHA2-224"},
    {"SHA-256", "SHA2-256"},
    {"SHA-384", "SHA2-384"},
    {"SHA-512", "SHA2-512"},
    {"SHA-512/224", "SHA2-512/224"},
    {"SHA-512/256", "SHA2-512/256"},
    {"SHA3-224", "SHA3-224"},
    {"SHA3-256", "SHA3-256"},
    {"SHA3-384", "SHA3-384"},
    {"SHA3-512", "SHA3-512"},
});

char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool SameName(std::string_view known, std::string_view asked) {
  return std::ranges::equal(known, asked, {}, {}, Upper);
}

}  // namespace

Result<std::string> Digest(std::string_view algorithm, std::string_view bytes) {
  const auto* found = std::ranges::find_if(
      kAlgorithms, [&](const Algorithm& known) { return SameName(known.name, algorithm); });
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  size_t size = 0;
  if (found == kAlgorithms.end() ||
      EVP_Q_digest(nullptr, found->openssl_name, nullptr, bytes.data(), bytes.size(), digest.data(),
                   &size) != 1)
    return Fail(Code::kInvalidArgument, fmt::format("Hash algorithm not found: {}", algorithm));
  return std::string(reinterpret_cast<const char*>(digest.data()), size);
}

}  // namespace orrery::cassandra
