#include "gateway/account/accounts.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "gateway/account/base64.h"
#include "gateway/account/hmac.h"

namespace orrery::gateway {
namespace {

constexpr size_t kNewKeyBytes = 64;
constexpr size_t kSignatureBytes = 32;
constexpr std::string_view kSealPurpose = "orrery session seal";

bool SameBytes(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

Result<Accounts> Accounts::Create(AccountKeys keys) {
  if (keys.account.empty()) {
    return Fail(Code::kInvalidArgument,
                "the account has no name: give one, for example 'localhost'");
  }
  if (keys.primary.empty()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("account '{}' has no primary key: give base64 of 64 random bytes",
                            keys.account));
  }
  struct Given {
    std::string_view name;
    const std::string& text;
    Access access;
  };
  const Given given[] = {{"primary key", keys.primary, Access::kReadWrite},
                         {"secondary key", keys.secondary, Access::kReadWrite},
                         {"primary read-only key", keys.primary_read_only, Access::kReadOnly},
                         {"secondary read-only key", keys.secondary_read_only, Access::kReadOnly}};
  std::vector<Credential> credentials;
  for (const Given& key : given) {
    if (key.text.empty()) continue;
    std::string secret;
    // The key itself stays out of the message: messages are logged.
    if (!FromBase64(key.text, secret) || secret.size() < kAccountKeyBytesMin) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("the {} of account '{}' is not base64 of at least {} bytes", key.name,
                              keys.account, kAccountKeyBytesMin));
    }
    credentials.push_back({key.text, std::move(secret), key.access});
  }
  return Accounts(std::move(keys), std::move(credentials));
}

Result<Access> Accounts::CheckKey(std::string_view key) const {
  std::optional<Access> access;
  // Every key is compared, also after a match, so that the time tells nothing.
  for (const Credential& credential : credentials_) {
    if (SameBytes(credential.text, key) && !access.has_value()) access = credential.access;
  }
  if (access.has_value()) return *access;
  return Fail(Code::kUnauthorized, fmt::format("the key given is not one of account '{}'", name()));
}

Result<Access> Accounts::CheckSignature(std::string_view text, std::string_view signature) const {
  std::string given;
  if (!FromBase64(signature, given) || given.size() != kSignatureBytes) {
    return Fail(Code::kUnauthorized, "the signature is not base64 of an HMAC-SHA256");
  }
  std::optional<Access> access;
  for (const Credential& credential : credentials_) {
    if (SameBytes(HmacSha256(credential.secret, text), given) && !access.has_value()) {
      access = credential.access;
    }
  }
  if (access.has_value()) return *access;
  return Fail(
      Code::kUnauthorized,
      fmt::format("the signature does not match: it must be made with a key of account '{}' over "
                  "exactly the text of the request",
                  name()));
}

Result<std::string> Accounts::Seal(std::string_view key, std::string_view text) const {
  ORRERY_TRY(CheckKey(key));
  const auto found = std::ranges::find(credentials_, key, &Credential::text);
  return HmacSha256(HmacSha256(found->secret, kSealPurpose), text);
}

Result<Access> Accounts::CheckSeal(std::string_view text, std::string_view seal) const {
  std::string given;
  std::optional<Access> access;
  if (seal.size() == 2 * kSignatureBytes && FromHex(seal, given)) {
    for (const Credential& credential : credentials_) {
      const std::string expected = HmacSha256(HmacSha256(credential.secret, kSealPurpose), text);
      if (SameBytes(expected, given) && !access.has_value()) access = credential.access;
    }
  }
  if (access.has_value()) return *access;
  return Fail(Code::kUnauthorized,
              fmt::format("the seal was not made with a key of account '{}'", name()));
}

Result<std::string> Accounts::NewKey() {
  std::string bytes(kNewKeyBytes, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(bytes.size())) !=
      1) {
    return Fail(Code::kInternal, "the system's source of random bytes failed");
  }
  return ToBase64(bytes);
}

}  // namespace orrery::gateway
