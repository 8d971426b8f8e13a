#include "net/http/http_response_writer.h"

#include <gtest/gtest.h>

#include "net/http/http_date.h"

namespace orrery::net {
namespace {

constexpr Micros kResponseTime = std::chrono::seconds(784111777);

TEST(HttpResponseWriterTest, DatesAreWrittenAsHttpHasThem) {
  EXPECT_EQ(FormatHttpDate(kResponseTime), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(FormatHttpDate(Micros(0)), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(FormatHttpDate(std::chrono::seconds(1709251199) + Micros(999'999)),
            "Thu, 29 Feb 2024 23:59:59 GMT");
}

TEST(HttpResponseWriterTest, WritesLengthAndDate) {
  const HttpResponse response{
      .status = 404, .headers = {{"x-a", "1"}, {"Content-Length", "99"}}, .body = "gone"};
  EXPECT_EQ(FormatResponseHead(response, {.now = kResponseTime}),
            "HTTP/1.1 404 Not Found\r\n"
            "x-a: 1\r\n"
            "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
            "Content-Length: 4\r\n"
            "\r\n");
}

TEST(HttpResponseWriterTest, HeadTellsTheLengthWithoutTheBody) {
  const HttpResponse response{.body = "four"};
  const HttpResponseFraming framing{.head_request = true, .now = kResponseTime};
  EXPECT_FALSE(HasBody(response, framing));
  EXPECT_NE(FormatResponseHead(response, framing).find("Content-Length: 4\r\n"), std::string::npos);
}

TEST(HttpResponseWriterTest, SomeStatusesHaveNoBody) {
  for (const int status : {204, 304}) {
    const HttpResponse response{.status = status, .body = "dropped"};
    EXPECT_FALSE(HasBody(response, {}));
    EXPECT_EQ(FormatResponseHead(response, {.now = kResponseTime}).find("Content-Length"),
              std::string::npos);
  }
}

TEST(HttpResponseWriterTest, SaysWhatBecomesOfTheConnection) {
  const auto head = [](bool keep_alive, bool is_http_1_0) {
    return FormatResponseHead(
        {}, {.keep_alive = keep_alive, .is_http_1_0 = is_http_1_0, .now = kResponseTime});
  };
  EXPECT_EQ(head(true, false).find("Connection"), std::string::npos);
  EXPECT_NE(head(true, true).find("Connection: keep-alive\r\n"), std::string::npos);
  EXPECT_NE(head(false, false).find("Connection: close\r\n"), std::string::npos);
}

TEST(HttpResponseWriterTest, AHeaderValueCannotSplitTheResponse) {
  HttpResponse response;
  response.headers.Add("x-id", "a\r\nSet-Cookie: b\r\n\r\nHTTP/1.1 200 OK");
  const std::string head = FormatResponseHead(response, {.now = kResponseTime});
  EXPECT_NE(head.find("x-id: a  Set-Cookie: b    HTTP/1.1 200 OK\r\n"), std::string::npos);
}

TEST(HttpResponseWriterTest, AHandlersDateIsKept) {
  HttpResponse response;
  response.headers.Add("date", "then");
  const std::string head = FormatResponseHead(response, {.now = kResponseTime});
  EXPECT_NE(head.find("date: then\r\n"), std::string::npos);
  EXPECT_EQ(head.find("Date:"), std::string::npos);
}

}  // namespace
}  // namespace orrery::net
