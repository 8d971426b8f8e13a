#include "api/cassandra/access/password.h"

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>

#include "base/check.h"

namespace orrery::cassandra {
namespace {

constexpr size_t kSaltBytes = 16;
constexpr size_t kHashChars = 60;
constexpr size_t kBcryptBytesMax = 72;
constexpr std::string_view kVersions = "aby";  // 2a, 2b, 2y: the same for any password of text

bool HasNul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

// Empty when the setting is none that bcrypt takes.
std::string Bcrypt(std::string_view password, const std::string& setting) {
  // crypt_rn fails for passwords of more than 512 bytes, of which bcrypt would look at 72.
  password = password.substr(0, kBcryptBytesMax);
  // Large, and to be wiped: it held the password.
  auto data = std::make_unique<crypt_data>();
  std::string text(password);
  const char* const hash = crypt_rn(text.c_str(), setting.c_str(), data.get(), sizeof *data);
  std::string result = hash == nullptr ? "" : hash;
  OPENSSL_cleanse(text.data(), text.size());
  OPENSSL_cleanse(data.get(), sizeof *data);
  return result;
}

}  // namespace

Result<std::string> HashPassword(std::string_view password, int rounds) {
  ORRERY_CHECK(rounds >= kPasswordRoundsMin && rounds <= kPasswordRoundsMax);
  if (HasNul(password))
    return Fail(Code::kInvalidArgument, "Passwords cannot contain the character NUL");
  std::array<char, kSaltBytes> random{};
  if (RAND_bytes(reinterpret_cast<unsigned char*>(random.data()), kSaltBytes) != 1)
    return Fail(Code::kInternal, "no randomness for a password's salt");
  std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting{};
  if (crypt_gensalt_rn("$2a$", static_cast<unsigned long>(rounds), random.data(), kSaltBytes,
                       setting.data(), static_cast<int>(setting.size())) == nullptr) {
    return Fail(Code::kInternal, "the system's crypt library has no bcrypt");
  }
  std::string hash = Bcrypt(password, setting.data());
  if (!IsPasswordHash(hash)) return Fail(Code::kInternal, "the password could not be hashed");
  return hash;
}

bool IsPasswordHash(std::string_view text) {
  if (text.size() != kHashChars || !text.starts_with("$2") || text[3] != '$' || text[6] != '$')
    return false;
  if (kVersions.find(text[2]) == std::string_view::npos) return false;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!is_digit(text[4]) || !is_digit(text[5])) return false;
  const int rounds = (text[4] - '0') * 10 + (text[5] - '0');
  if (rounds < kPasswordRoundsMin || rounds > kPasswordRoundsMax) return false;
  return std::ranges::all_of(text.substr(7), [](char c) {
    return c == '.' || c == '/' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
}

bool PasswordMatches(std::string_view password, const std::string& salted_hash) {
  if (!IsPasswordHash(salted_hash) || HasNul(password)) return false;
  const std::string hash = Bcrypt(password, salted_hash);
  return hash.size() == salted_hash.size() &&
         CRYPTO_memcmp(hash.data(), salted_hash.data(), hash.size()) == 0;
}

}  // namespace orrery::cassandra
