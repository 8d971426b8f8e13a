#include "gateway/account/hmac.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "base/check.h"

namespace orrery::gateway {

std::string HmacSha256(std::string_view secret, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned int size = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(text.data());
  // It can only fail for lack of memory or of the algorithm itself.
  ORRERY_CHECK(HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), data, text.size(),
                    bytes.data(), &size) != nullptr);
  return {reinterpret_cast<const char*>(bytes.data()), size};
}

}  // namespace orrery::gateway
