#include "api/mongo/access/scram.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>

#include "base/bytes.h"
#include "gateway/account/base64.h"

namespace orrery::mongo {
namespace {

const EVP_MD* DigestOf(ScramMechanism mechanism) {
  return mechanism == ScramMechanism::kSha1 ? EVP_sha1() : EVP_sha256();
}

std::string Digest(const EVP_MD* digest, std::string_view text) {
  std::string out(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(out.data()), &size, digest,
             nullptr);
  out.resize(size);
  return out;
}

std::string Hmac(const EVP_MD* digest, std::string_view key, std::string_view text) {
  std::string out(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  HMAC(digest, key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
       reinterpret_cast<unsigned char*>(out.data()), &size);
  out.resize(size);
  return out;
}

std::string Xor(std::string a, std::string_view b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<char>(a[i] ^ b[i]);
  return a;
}

// Names stand in messages with "," and "=" as "=2C" and "=3D".
std::optional<std::string> UnescapeName(std::string_view text) {
  std::string name;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') {
      name.push_back(text[i]);
      continue;
    }
    const std::string_view code = text.substr(i, 3);
    if (code != "=2C" && code != "=3D") return std::nullopt;
    name.push_back(code == "=2C" ? ',' : '=');
    i += 2;
  }
  return name;
}

// Takes "x=value" off the head of a list of attributes.
std::optional<std::string_view> TakeAttribute(std::string_view& text, char name) {
  if (text.size() < 2 || text[0] != name || text[1] != '=') return std::nullopt;
  const size_t end = std::min(text.find(','), text.size());
  const std::string_view value = text.substr(2, end - 2);
  text.remove_prefix(std::min(end + 1, text.size()));
  return value;
}

// MongoDB's digest, which SCRAM-SHA-1 proves instead of the password itself.
std::string PasswordDigest(std::string_view user, std::string_view password) {
  return ToHex(Digest(EVP_md5(), fmt::format("{}:mongo:{}", user, password)));
}

}  // namespace

std::optional<ScramMechanism> ScramMechanismNamed(std::string_view name) {
  for (const ScramMechanism one : {ScramMechanism::kSha1, ScramMechanism::kSha256}) {
    if (ScramMechanismName(one) == name) return one;
  }
  return std::nullopt;
}

std::string_view ScramMechanismName(ScramMechanism mechanism) {
  return mechanism == ScramMechanism::kSha1 ? "SCRAM-SHA-1" : "SCRAM-SHA-256";
}

Result<ScramKeys> DeriveScramKeys(ScramMechanism mechanism, std::string_view user,
                                  std::string_view password, std::string_view salt,
                                  uint32_t iterations) {
  const bool has_controls =
      std::ranges::any_of(password, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (mechanism == ScramMechanism::kSha256 && has_controls)
    return Fail(Code::kInvalidArgument, "the password has control characters");
  const EVP_MD* const digest = DigestOf(mechanism);
  const std::string text =
      mechanism == ScramMechanism::kSha1 ? PasswordDigest(user, password) : std::string(password);
  std::string salted(static_cast<size_t>(EVP_MD_get_size(digest)), '\0');
  const int done = PKCS5_PBKDF2_HMAC(text.data(), static_cast<int>(text.size()),
                                     reinterpret_cast<const unsigned char*>(salt.data()),
                                     static_cast<int>(salt.size()), static_cast<int>(iterations),
                                     digest, static_cast<int>(salted.size()),
                                     reinterpret_cast<unsigned char*>(salted.data()));
  if (done != 1) return Fail(Code::kInternal, "the password cannot be derived");
  ScramKeys keys;
  keys.stored_key = Digest(digest, Hmac(digest, salted, "Client Key"));
  keys.server_key = Hmac(digest, salted, "Server Key");
  return keys;
}

std::optional<ScramFirst> ReadScramFirst(std::string_view payload) {
  // No channel binding, or one that the client could do and the server does not offer; and no
  // other identity than the user's own.
  if (!payload.starts_with("n,,") && !payload.starts_with("y,,")) return std::nullopt;
  payload.remove_prefix(3);
  ScramFirst first;
  first.bare = payload;
  const auto user = TakeAttribute(payload, 'n');
  const auto nonce = user.has_value() ? TakeAttribute(payload, 'r') : std::nullopt;
  if (!nonce.has_value() || nonce->empty()) return std::nullopt;
  const auto name = UnescapeName(*user);
  if (!name.has_value()) return std::nullopt;
  first.user = *name;
  first.nonce = *nonce;
  return first;
}

ScramConversation::ScramConversation(ScramMechanism mechanism, const ScramFirst& first,
                                     std::string_view server_nonce, std::string_view salt,
                                     uint32_t iterations)
    : mechanism_(mechanism),
      nonce_(first.nonce + std::string(server_nonce)),
      client_first_(first.bare),
      challenge_(fmt::format("r={},s={},i={}", nonce_, gateway::ToBase64(salt), iterations)) {}

std::optional<std::string> ScramConversation::Verify(std::string_view payload,
                                                     const ScramSecret& secret) const {
  const size_t proof_at = payload.rfind(",p=");
  if (proof_at == std::string_view::npos) return std::nullopt;
  const std::string_view without_proof = payload.substr(0, proof_at);
  std::string_view rest = without_proof;
  const auto binding = TakeAttribute(rest, 'c');
  const auto nonce = binding.has_value() ? TakeAttribute(rest, 'r') : std::nullopt;
  // "n,," and "y,," in base64.
  if (!nonce.has_value() || (*binding != "biws" && *binding != "eSws") || *nonce != nonce_)
    return std::nullopt;
  std::string proof;
  if (!gateway::FromBase64(payload.substr(proof_at + 3), proof)) return std::nullopt;
  const EVP_MD* const digest = DigestOf(mechanism_);
  const std::string text = fmt::format("{},{},{}", client_first_, challenge_, without_proof);
  for (const ScramKeys& keys : secret.keys) {
    const std::string signature = Hmac(digest, keys.stored_key, text);
    if (proof.size() != signature.size()) continue;
    const std::string client_key = Digest(digest, Xor(signature, proof));
    if (CRYPTO_memcmp(client_key.data(), keys.stored_key.data(), client_key.size()) != 0) continue;
    return "v=" + gateway::ToBase64(Hmac(digest, keys.server_key, text));
  }
  return std::nullopt;
}

}  // namespace orrery::mongo
