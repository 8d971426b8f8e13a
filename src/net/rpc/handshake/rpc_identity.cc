#include "net/rpc/handshake/rpc_identity.h"

#include <fmt/format.h>

namespace orrery::net {

Status CheckRpcIdentity(const RpcIdentity& identity) {
  if (identity.cluster.empty() || identity.cluster.size() > kClusterNameBytesMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a cluster's name has 1 to {} bytes", kClusterNameBytesMax));
  }
  if (identity.secret.size() < kClusterSecretBytesMin) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a cluster's secret has at least {} bytes", kClusterSecretBytesMin));
  }
  if (identity.node == NodeId()) return Fail(Code::kInvalidArgument, "no node has the id 0");
  return {};
}

}  // namespace orrery::net
