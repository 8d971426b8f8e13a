#include "net/http/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace orrery::net {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(UrlTest, PercentEncodingRoundTripsEveryByte) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  EXPECT_EQ(PercentDecode(PercentEncode(all)).value(), all);
  EXPECT_EQ(PercentEncode("a/b c~\xc3\xa9"), "a%2Fb%20c~%C3%A9");
  EXPECT_EQ(PercentDecode("a+b%2fc").value(), "a+b/c");
}

TEST(UrlTest, DecodingRefusesCutEscapes) {
  for (const std::string_view bad : {"%", "%4", "a%", "%g0", "%0g", "%%41"}) {
    EXPECT_FALSE(PercentDecode(bad).has_value()) << bad;
    EXPECT_FALSE(ParseQuery(bad).has_value()) << bad;
  }
}

TEST(UrlTest, QueryKeepsOrderAndDuplicates) {
  using P = QueryParameter;
  EXPECT_THAT(
      ParseQuery("$filter=a+eq%201&&b&c=&a=x=y&a=2").value(),
      ElementsAre(P{"$filter", "a eq 1"}, P{"b", ""}, P{"c", ""}, P{"a", "x=y"}, P{"a", "2"}));
  EXPECT_THAT(ParseQuery("").value(), IsEmpty());
  std::string many;
  for (size_t i = 0; i <= kQueryParametersMax; ++i) many += "a&";
  EXPECT_FALSE(ParseQuery(many).has_value());
}

TEST(UrlTest, TargetSegmentsAreDecodedOneByOne) {
  const RequestTarget target = ParseRequestTarget("/dbs/a%2Fb/colls/?x=1").value();
  EXPECT_EQ(target.path, "/dbs/a%2Fb/colls/");
  EXPECT_THAT(target.segments, ElementsAre("dbs", "a/b", "colls"));
  EXPECT_THAT(target.query, ElementsAre(QueryParameter{"x", "1"}));

  EXPECT_THAT(ParseRequestTarget("/").value().segments, IsEmpty());
  EXPECT_THAT(ParseRequestTarget("//a/../b").value().segments, ElementsAre("", "a", "..", "b"));
}

TEST(UrlTest, TargetForms) {
  EXPECT_EQ(ParseRequestTarget("*").value().path, "*");
  EXPECT_EQ(ParseRequestTarget("HTTP://localhost:8081/a?b").value().path, "/a");
  EXPECT_EQ(ParseRequestTarget("http://localhost?b=1").value().path, "/");
  for (const std::string_view bad : {"", "a", "http:///a", "/a#b", "/%zz", "ftp://x/"}) {
    EXPECT_FALSE(ParseRequestTarget(bad).has_value()) << bad;
  }
}

TEST(UrlTest, HostPort) {
  EXPECT_EQ(ParseHostPort("localhost:8081").value(), (HostPort{"localhost", 8081}));
  EXPECT_EQ(ParseHostPort("[::1]:0").value(), (HostPort{"::1", 0}));
  EXPECT_EQ(ParseHostPort("[fe80::1%eth0]", 80).value(), (HostPort{"fe80::1%eth0", 80}));
  EXPECT_EQ(ParseHostPort("127.0.0.1", 9042).value(), (HostPort{"127.0.0.1", 9042}));
  for (const std::string_view bad : {"", ":1", "a", "a:", "a:65536", "a:-1", "a:1x", "::1",
                                     "::1:80", "[::1", "[::1]80", "[]:1", "a:+1"}) {
    EXPECT_FALSE(ParseHostPort(bad).has_value()) << bad;
  }
  for (const std::string_view good : {"[::1]:8081", "name:1"}) {
    EXPECT_EQ(FormatHostPort(ParseHostPort(good).value()), good);
  }
}

TEST(UrlTest, Url) {
  const Url url = ParseUrl("https://[::1]/a?b#c").value();
  EXPECT_TRUE(url.tls);
  EXPECT_EQ(url.address, (HostPort{"::1", 443}));
  EXPECT_EQ(url.target, "/a?b");
  EXPECT_EQ(ParseUrl("HTTP://h:81").value().target, "/");
  EXPECT_EQ(ParseUrl("http://h?x").value().target, "/?x");
  for (const std::string_view bad :
       {"", "localhost", "ws://a", "http://", "http://u:p@h/", "https://h:x"}) {
    EXPECT_FALSE(ParseUrl(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace orrery::net
