// An RpcIdentity is a node's identity to the other nodes of its cluster, and the secret that they
// share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"

namespace orrery::net {

// Nodes talk only to nodes of the same version. Raised when frames or handshake change their
// meaning; what payloads mean is versioned by their methods.
inline constexpr uint16_t kRpcVersion = 1;
// The beginning of the error of a caller that was not let in: a retry does not help.
inline constexpr std::string_view kRefusedByPeer = "refused by the peer";
// One reason for it: the address is another node's by now. What is known of it is old, which
// passes.
inline constexpr std::string_view kAnotherIsHere = "the caller looks for node";
inline constexpr size_t kClusterNameBytesMax = 64;
inline constexpr size_t kClusterSecretBytesMin = 16;

struct RpcIdentity {
  std::string cluster;  // 1 to kClusterNameBytesMax bytes; said to anybody who asks
  // The same on all nodes of the cluster, and told to nobody. At least kClusterSecretBytesMin
  // bytes, and random ones: whoever takes a node's place can try guesses on the proofs it gets.
  std::string secret;
  NodeId node;
  uint16_t version = kRpcVersion;
};

// kInvalidArgument tells what nobody may call himself, or take for a secret.
Status CheckRpcIdentity(const RpcIdentity& identity);

}  // namespace orrery::net
