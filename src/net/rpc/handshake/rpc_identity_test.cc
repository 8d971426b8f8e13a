#include "net/rpc/handshake/rpc_identity.h"

#include <gtest/gtest.h>

namespace orrery::net {
namespace {

TEST(RpcIdentityTest, NeedsANameASecretAndAnId) {
  const RpcIdentity good{.cluster = "c", .secret = std::string(16, 's'), .node = NodeId(1)};
  EXPECT_TRUE(CheckRpcIdentity(good).has_value());
  RpcIdentity nameless = good;
  nameless.cluster = "";
  EXPECT_FALSE(CheckRpcIdentity(nameless).has_value());
  RpcIdentity long_named = good;
  long_named.cluster.assign(kClusterNameBytesMax + 1, 'c');
  EXPECT_FALSE(CheckRpcIdentity(long_named).has_value());
  RpcIdentity careless = good;
  careless.secret = "guess me";
  EXPECT_FALSE(CheckRpcIdentity(careless).has_value());
  RpcIdentity nobody = good;
  nobody.node = NodeId();
  EXPECT_FALSE(CheckRpcIdentity(nobody).has_value());
}

}  // namespace
}  // namespace orrery::net
