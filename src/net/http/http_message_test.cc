#include "net/http/http_message.h"

#include <gtest/gtest.h>

namespace orrery::net {
namespace {

TEST(HttpMessageTest, HeadersAreFoundWithoutRegardToCase) {
  HttpHeaders headers = {{"Content-Type", "text/plain"}, {"x-ms-date", "now"}};
  headers.Add("X-Empty", "");
  headers.Add("content-TYPE", "second");
  EXPECT_EQ(headers.Find("CONTENT-type"), "text/plain");
  EXPECT_EQ(headers.Find("x-empty"), "");
  EXPECT_EQ(headers.Find("x-ms-dat"), std::nullopt);
  EXPECT_EQ(headers.Count("content-type"), 2u);
  ASSERT_EQ(headers.size(), 4u);
  EXPECT_EQ(headers.name(3), "content-TYPE");
  EXPECT_EQ(headers.value(3), "second");
}

TEST(HttpMessageTest, CaseFoldingIsAsciiOnly) {
  EXPECT_TRUE(EqualsIgnoringCase("aZ-9", "Az-9"));
  EXPECT_FALSE(EqualsIgnoringCase("@", "`"));
  EXPECT_FALSE(EqualsIgnoringCase("[", "{"));
  EXPECT_FALSE(EqualsIgnoringCase("\xc4", "\xe4"));
  EXPECT_FALSE(EqualsIgnoringCase("a", "ab"));
}

TEST(HttpMessageTest, QueryFindsTheFirst) {
  HttpRequest request;
  request.query = {{"a", "1"}, {"A", "2"}, {"a", "3"}};
  EXPECT_EQ(request.Query("a"), "1");
  EXPECT_EQ(request.Query("A"), "2");
  EXPECT_EQ(request.Query("b"), std::nullopt);
}

TEST(HttpMessageTest, JsonErrorsAreEscaped) {
  const HttpResponse response = HttpResponse::JsonError(400, "BadRequest", "a \"b\" \\ \n");
  EXPECT_EQ(response.body, "{\"code\":\"BadRequest\",\"message\":\"a \\\"b\\\" \\\\ \\u000a\"}");
  EXPECT_EQ(response.headers.Find("content-type"), "application/json");
}

}  // namespace
}  // namespace orrery::net
