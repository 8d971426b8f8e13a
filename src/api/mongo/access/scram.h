// The server's side of SCRAM (RFC 5802, RFC 7677) as MongoDB's drivers speak it: SCRAM-SHA-256, and
// SCRAM-SHA-1 over MongoDB's digest of name and password.
//
// Pure: secrets and nonces come in. No password is kept, only what proves that a client knows it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::mongo {

enum class ScramMechanism : uint8_t { kSha1, kSha256 };

// "SCRAM-SHA-256"; nullopt for a name of another mechanism.
std::optional<ScramMechanism> ScramMechanismNamed(std::string_view name);
std::string_view ScramMechanismName(ScramMechanism mechanism);

inline constexpr uint32_t kScramIterationsMin = 4'096;
inline constexpr size_t kScramSaltBytes = 28;  // of SHA-256; SHA-1 has 16

// The keys that a server keeps of one password.
struct ScramKeys {
  std::string stored_key;
  std::string server_key;
  friend bool operator==(const ScramKeys&, const ScramKeys&) = default;
};

// The keys that a user proves to know one of, all made with one salt.
struct ScramSecret {
  std::string salt;
  uint32_t iterations = kScramIterationsMin;
  std::vector<ScramKeys> keys = {};  // none: nobody can prove anything
};

// Derives the keys of a password. Takes milliseconds. kInvalidArgument for a password that
// SCRAM-SHA-256 does not allow (control characters).
Result<ScramKeys> DeriveScramKeys(ScramMechanism mechanism, std::string_view user,
                                  std::string_view password, std::string_view salt,
                                  uint32_t iterations);

// The client's first message: "n,,n=user,r=nonce".
struct ScramFirst {
  std::string user;
  std::string nonce;
  std::string bare;  // without the GS2 header
};
std::optional<ScramFirst> ReadScramFirst(std::string_view payload);

// A ScramConversation is one client's attempt, after its first message.
class ScramConversation {
 public:
  // `server_nonce` is printable and random.
  ScramConversation(ScramMechanism mechanism, const ScramFirst& first,
                    std::string_view server_nonce, std::string_view salt, uint32_t iterations);

  ScramMechanism mechanism() const { return mechanism_; }
  // The server's first message.
  const std::string& challenge() const { return challenge_; }
  // Returns the server's final message if the client's last one proves one of the keys; nullopt if
  // it does not.
  std::optional<std::string> Verify(std::string_view payload, const ScramSecret& secret) const;

 private:
  const ScramMechanism mechanism_;
  std::string nonce_;
  std::string client_first_;
  std::string challenge_;
};

}  // namespace orrery::mongo
