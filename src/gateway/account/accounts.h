// Accounts holds the keys that let clients in. One account with four keys, as the originals have:
// primary and secondary, each read-write and read-only. Keys are base64 of 64 random bytes; the
// emulator's well-known key is the default only while every listener is on loopback (the server
// decides that).
//
// Immutable after construction; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::gateway {

inline constexpr std::string_view kWellKnownAccount = "localhost";
inline constexpr std::string_view kWellKnownKey =
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
inline constexpr size_t kAccountKeyBytesMin = 32;

enum class Access { kReadOnly, kReadWrite };

struct AccountKeys {
  std::string account{kWellKnownAccount};
  std::string primary{kWellKnownKey};
  std::string secondary;          // empty = none
  std::string primary_read_only;  // empty = none
  std::string secondary_read_only;
};

class Accounts {
 public:
  // kInvalidArgument when a key is not base64 of at least kAccountKeyBytesMin bytes.
  static Result<Accounts> Create(AccountKeys keys);

  const std::string& name() const { return keys_.account; }
  // For connection strings that the server prints.
  const std::string& primary_key() const { return keys_.primary; }

  // Returns the access that this key grants; kUnauthorized for an unknown key. Takes the same time
  // for each wrong key of a length.
  Result<Access> CheckKey(std::string_view key) const;
  // Checks that `signature` (base64) is HMAC-SHA256 of `text` under one of the keys.
  Result<Access> CheckSignature(std::string_view text, std::string_view signature) const;

  // Seals `text` (HMAC-SHA256, 32 bytes) with a secret that is derived from this key and serves
  // nothing but sessions. kUnauthorized for an unknown key.
  Result<std::string> Seal(std::string_view key, std::string_view text) const;
  // Returns the access of the key under which `text` was sealed; `seal` is in hex. kUnauthorized
  // if none was.
  Result<Access> CheckSeal(std::string_view text, std::string_view seal) const;

  // A fresh random key.
  static Result<std::string> NewKey();

 private:
  struct Credential {
    std::string text;    // base64
    std::string secret;  // the bytes
    Access access;
  };

  Accounts(AccountKeys keys, std::vector<Credential> credentials)
      : keys_(std::move(keys)), credentials_(std::move(credentials)) {}

  AccountKeys keys_;
  std::vector<Credential> credentials_;
};

}  // namespace orrery::gateway
