#include "gateway/account/hmac.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/check.h"

namespace orrery::gateway {
namespace {

constexpr size_t kBlockBytes = 64;
constexpr size_t kDigestBytes = 32;
constexpr unsigned char kInnerPad = 0x36;
constexpr unsigned char kOuterPad = 0x5c;

using Block = std::array<unsigned char, kBlockBytes>;
using Digest = std::array<unsigned char, kDigestBytes>;
using DigestContext =
    std::unique_ptr<EVP_MD_CTX, decltype([](EVP_MD_CTX* context) { EVP_MD_CTX_free(context); })>;

// Looked up once: by name it costs more than the hashing of a short text. Never freed.
const EVP_MD* Sha256() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm;
}

// It can only fail for lack of memory or of the algorithm itself.
Digest HashOf(EVP_MD_CTX* context, const void* first, size_t first_size, const void* second,
              size_t second_size) {
  Digest digest;
  ORRERY_CHECK(EVP_DigestInit_ex2(context, Sha256(), nullptr) == 1 &&
               EVP_DigestUpdate(context, first, first_size) == 1 &&
               EVP_DigestUpdate(context, second, second_size) == 1 &&
               EVP_DigestFinal_ex(context, digest.data(), nullptr) == 1);
  return digest;
}

Block Padded(const Block& key, unsigned char pad) {
  Block block = key;
  for (unsigned char& byte : block) byte ^= pad;
  return block;
}

}  // namespace

// RFC 2104. OpenSSL's own HMAC() looks up the algorithms and makes contexts on each call, which for
// a text as short as a request's takes three times as long.
std::string HmacSha256(std::string_view secret, std::string_view text) {
  const DigestContext context(EVP_MD_CTX_new());
  ORRERY_CHECK(context != nullptr);
  Block key{};
  if (secret.size() > kBlockBytes) {
    std::ranges::copy(HashOf(context.get(), secret.data(), secret.size(), nullptr, 0), key.begin());
  } else {
    std::ranges::copy(secret, key.begin());
  }
  const Block inner = Padded(key, kInnerPad);
  const Block outer = Padded(key, kOuterPad);
  const Digest hashed = HashOf(context.get(), inner.data(), inner.size(), text.data(), text.size());
  const Digest digest =
      HashOf(context.get(), outer.data(), outer.size(), hashed.data(), hashed.size());
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace orrery::gateway
