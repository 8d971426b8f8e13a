// The messages by which two nodes make themselves known, as bytes. rpc_handshake.h has their order.
//
//   message   := size:uint16 kind:uint8 body          size counts kind and body
//   hello     := "orrery-rpc" version:uint16 caller:uint64 callee:uint64 nonce[32] cluster
//   challenge := nonce[32]
//   proof     := mac[32]
//   rejection := reason                                text for people
//
// Numbers are big-endian. Sizes, kinds, the rejection and how a hello begins stay as they are in
// all versions, so that nodes of two versions can tell each other so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/ids.h"
#include "base/status.h"

namespace orrery::net {

inline constexpr size_t kHandshakeSizeBytes = 2;
// Of kind and body: what a stranger can make a node keep.
inline constexpr size_t kHandshakeMessageBytesMax = 512;

using Nonce = std::array<char, 32>;
using Mac = std::array<char, 32>;  // HMAC-SHA-256

struct Hello {
  uint16_t version = 0;
  // The rest is empty if `version` is not the reader's.
  NodeId caller;
  NodeId callee;  // whom the caller wants to talk to
  Nonce nonce{};
  std::string cluster;
  friend bool operator==(const Hello&, const Hello&) = default;
};
struct Challenge {
  Nonce nonce{};
  friend bool operator==(const Challenge&, const Challenge&) = default;
};
struct Proof {
  Mac mac{};
  friend bool operator==(const Proof&, const Proof&) = default;
};
struct Rejection {
  std::string reason;  // printable ASCII
  friend bool operator==(const Rejection&, const Rejection&) = default;
};
using HandshakeMessage = std::variant<Hello, Challenge, Proof, Rejection>;

// With its size in front. A reason that is too long is cut.
// REQUIRES: a cluster has at most kClusterNameBytesMax bytes.
std::string EncodeHandshake(const HandshakeMessage& message);

// Decodes the first kHandshakeSizeBytes bytes. kInvalidArgument: more than a message may have.
Result<size_t> DecodeHandshakeSize(std::string_view bytes);
// Kind and body. `version` is the reader's own.
Result<HandshakeMessage> DecodeHandshake(std::string_view bytes, uint16_t version);

}  // namespace orrery::net
