#include "cli/admin_client.h"

#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

TEST(ErrorFrom, TakesTheServersOwnWords) {
  const Error error = ErrorFrom(net::HttpResponse::JsonError(404, "not_found", "no container 'x'"));
  EXPECT_EQ(error.code(), Code::kNotFound);
  EXPECT_EQ(error.message(), "no container 'x'");
}

TEST(ErrorFrom, KnowsEveryCode) {
  for (int i = 0; i <= static_cast<int>(Code::kInternal); ++i) {
    const Code code = static_cast<Code>(i);
    EXPECT_EQ(ErrorFrom(net::HttpResponse::JsonError(500, CodeName(code), "x")).code(), code);
  }
}

TEST(ErrorFrom, DoubtsStrangers) {
  const Error error = ErrorFrom(net::HttpResponse::Text(502, "<html>Bad Gateway</html>"));
  EXPECT_EQ(error.code(), Code::kInternal);
  EXPECT_NE(error.message().find("502"), std::string::npos);
  EXPECT_NE(error.message().find("is it an Orrery server?"), std::string::npos);
}

TEST(AdminClient, RefusesAddressesThatAreNone) {
  for (const char* url : {"", "localhost:8081", "ftp://x", "http://", "http://user@host"}) {
    const auto client = AdminClient::Create({.url = url, .key = "", .ca_file = ""});
    ASSERT_FALSE(client.has_value()) << url;
    EXPECT_EQ(client.error().code(), Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace orrery::cli
