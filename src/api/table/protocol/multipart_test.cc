#include "api/table/protocol/multipart.h"

#include <gtest/gtest.h>

namespace orrery::table {
namespace {

constexpr std::string_view kType = "multipart/mixed; boundary=batch_1";

// As @azure/data-tables writes it.
std::string Body(std::string_view end) {
  std::string body;
  for (const std::string_view line : {"--batch_1",
                                      "content-type: multipart/mixed; boundary=changeset_1",
                                      "",
                                      "--changeset_1",
                                      "content-type: application/http",
                                      "content-transfer-encoding: binary",
                                      "",
                                      "POST http://localhost:8902/People HTTP/1.1",
                                      "accept: application/json",
                                      "x-odd:",
                                      "",
                                      "",
                                      R"({"PartitionKey":"a"})",
                                      "--changeset_1",
                                      "Content-Type: application/http",
                                      "",
                                      "DELETE /People(PartitionKey='a',RowKey='x y') HTTP/1.1",
                                      "If-Match: *",
                                      "",
                                      "--changeset_1--",
                                      "--batch_1--"}) {
    body += line;
    body += end;
  }
  return body;
}

TEST(Multipart, ReadsAnyLineEnd) {
  for (const std::string_view end : {"\r\n", "\n"}) {
    const auto parts = ReadMultipart(kType, Body(end));
    ASSERT_TRUE(parts.has_value()) << parts.error().message;
    ASSERT_EQ(parts->size(), 2u);
    const BatchPart& first = parts->front();
    EXPECT_EQ(first.method, "POST");
    EXPECT_EQ(first.target, "http://localhost:8902/People");
    EXPECT_EQ(first.headers.Find("Accept"), "application/json");
    EXPECT_EQ(first.content, R"({"PartitionKey":"a"})");
    EXPECT_TRUE(first.is_in_changeset);
    EXPECT_EQ(parts->back().target, "/People(PartitionKey='a',RowKey='x y')");
    EXPECT_EQ(parts->back().content, "");
  }
}

TEST(Multipart, AQueryStandsAlone) {
  const auto parts = ReadMultipart(
      "Multipart/Mixed;boundary=\"b\"",
      "--b\r\nContent-Type: application/http\r\n\r\nGET /People() HTTP/1.1\r\n\r\n--b--");
  ASSERT_TRUE(parts.has_value());
  EXPECT_FALSE(parts->front().is_in_changeset);
}

TEST(Multipart, EmptyAndMalformed) {
  EXPECT_TRUE(ReadMultipart("multipart/mixed; boundary=b", "--b--\r\n")->empty());
  for (const auto& [type, body] :
       {std::pair<std::string_view, std::string_view>{"text/plain", "--b--"},
        {"multipart/mixed", "--b--"},
        {"multipart/mixed; boundary=b", ""},
        {"multipart/mixed; boundary=b", "--b\r\n\r\nGET"},
        {"multipart/mixed; boundary=b", "--b\r\nno colon\r\n\r\n--b--"},
        {"multipart/mixed; boundary=b",
         "--b\r\nContent-Type: text/html\r\n\r\nGET / HTTP/1.1\r\n--b--"}})
    EXPECT_FALSE(ReadMultipart(type, body).has_value()) << body;
}

}  // namespace
}  // namespace orrery::table
