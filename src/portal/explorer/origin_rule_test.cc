#include "portal/explorer/origin_rule.h"

#include <gtest/gtest.h>

#include "base/has_code.h"

namespace orrery::portal {
namespace {

net::HttpRequest RequestWith(net::HttpHeaders headers, std::string method = "GET",
                             std::string path = "/_explorer/") {
  net::HttpRequest request;
  request.method = std::move(method);
  request.path = std::move(path);
  request.headers = std::move(headers);
  return request;
}

TEST(OriginRuleTest, ClientsThatAreNoBrowsersPass) {
  EXPECT_TRUE(OriginRule("").Check(RequestWith({{"Host", "localhost:8081"}})).has_value());
}

TEST(OriginRuleTest, TheOriginIsComparedWithSchemeHostAndPort) {
  const OriginRule rule("");
  const auto check = [&](std::string_view origin) {
    return rule.Check(RequestWith({{"Host", "localhost:8081"}, {"Origin", origin}}, "POST"))
        .has_value();
  };
  EXPECT_TRUE(check("http://localhost:8081"));
  EXPECT_TRUE(check("http://LocalHost:8081"));
  for (const char* origin : {"http://localhost:3000", "http://localhost", "https://localhost:8081",
                             "http://127.0.0.1:8081", "http://localhost:8081.evil.com", "null", ""})
    EXPECT_FALSE(check(origin)) << origin;
}

TEST(OriginRuleTest, OverTlsTheSchemeIsHttps) {
  net::HttpRequest request =
      RequestWith({{"Host", "localhost:8081"}, {"Origin", "https://localhost:8081"}});
  EXPECT_FALSE(OriginRule("").Check(request).has_value());
  request.tls = true;
  EXPECT_TRUE(OriginRule("").Check(request).has_value());
  EXPECT_TRUE(OriginRule("").IsSecure(request));
}

TEST(OriginRuleTest, OnlyRequestsOfTheSameOriginPass) {
  const OriginRule rule("");
  const auto check = [&](std::string_view site, std::string method, std::string path) {
    return rule.Check(RequestWith({{"Sec-Fetch-Site", site}}, std::move(method), std::move(path)))
        .has_value();
  };
  EXPECT_TRUE(check("same-origin", "POST", "/_admin/v1/query"));
  EXPECT_TRUE(check("none", "GET", "/_explorer/"));
  EXPECT_FALSE(check("none", "POST", "/_explorer/session"));
  EXPECT_FALSE(check("none", "GET", "/_admin/v1/status"));
  for (const char* site : {"same-site", "cross-site", "", "SAME-ORIGIN"})
    EXPECT_FALSE(check(site, "GET", "/_explorer/")) << site;
}

TEST(OriginRuleTest, AProxysOriginReplacesTheHost) {
  const OriginRule rule("https://db.example");
  EXPECT_TRUE(rule.Check(RequestWith({{"Host", "orrery:8081"}, {"Origin", "https://db.example"}}))
                  .has_value());
  EXPECT_FALSE(rule.Check(RequestWith({{"Host", "orrery:8081"}, {"Origin", "http://orrery:8081"}}))
                   .has_value());
  EXPECT_TRUE(rule.IsSecure(RequestWith({})));
}

}  // namespace
}  // namespace orrery::portal
