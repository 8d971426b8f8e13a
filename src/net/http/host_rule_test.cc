#include "net/http/host_rule.h"

#include <gtest/gtest.h>

namespace orrery::net {
namespace {

TEST(HostRuleTest, NamesThatNoWebSiteCanHaveAreAllowed) {
  const HostRule rule({"db.example.com"});
  for (const char* host :
       {"localhost", "localhost:8081", "LocalHost:1", "account.table.localhost:10002", "127.0.0.1",
        "127.0.0.2:8081", "192.0.2.7:8081", "[::1]:8081", "[2001:db8::1]", "orrery:8081",
        "host.docker.internal:8081", "orrery.default.svc.cluster.local", "cosmos.test",
        "db.example.com:443", "DB.Example.com.", ""}) {
    EXPECT_TRUE(rule.Allows(host)) << host;
  }
}

TEST(HostRuleTest, OtherNamesAreRefused) {
  const HostRule rule({"db.example.com"});
  for (const char* host :
       {"evil.com", "evil.com:8081", "127.0.0.1.evil.com", "localhost.evil.com", "x.db.example.com",
        "example.com", "notlocalhost.com", "evillocalhost.evil", "internal.evil.com"}) {
    EXPECT_FALSE(rule.Allows(host)) << host;
  }
}

TEST(HostRuleTest, AStarOrNoRuleAllowsAll) {
  EXPECT_TRUE(HostRule({"*"}).Allows("evil.com"));
  EXPECT_TRUE(HostRule().Allows("evil.com"));
  EXPECT_FALSE(HostRule(std::vector<std::string>()).Allows("evil.com"));
}

TEST(HostRuleTest, OriginsAreComparedByHost) {
  EXPECT_TRUE(IsSameOrigin("http://localhost:3000", "localhost:8182"));
  EXPECT_FALSE(IsSameOrigin("http://evil.example", "localhost:8182"));
  EXPECT_FALSE(IsSameOrigin("null", "localhost:8182"));
}

}  // namespace
}  // namespace orrery::net
