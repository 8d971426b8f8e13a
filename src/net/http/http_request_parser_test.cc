#include "net/http/http_request_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::net {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using State = HttpRequestParser::State;

// Feeds `bytes` in pieces of `step`, as a connection does, and returns how many were used.
size_t FeedInSteps(HttpRequestParser& parser, std::string_view bytes, size_t step) {
  size_t begin = 0;
  for (size_t end = 0; end < bytes.size();) {
    end = std::min(end + step, bytes.size());
    begin += parser.Feed(bytes.substr(begin, end - begin));
    if (parser.state() == State::kDone || parser.state() == State::kRefused) break;
  }
  return begin;
}

// The status with which a whole input is refused; 0 if it is not.
int RefusalOf(std::string_view bytes, const HttpParserLimits& limits = {}) {
  int status = -1;
  for (const size_t step : {bytes.size(), size_t{1}}) {
    HttpRequestParser parser(limits);
    FeedInSteps(parser, bytes, step);
    const int found = parser.state() == State::kRefused ? parser.refusal().status : 0;
    EXPECT_TRUE(status == -1 || status == found) << "depends on how the bytes arrive: " << bytes;
    if (found != 0) EXPECT_TRUE(parser.refusal().close);
    status = found;
  }
  return status;
}

std::string WithFields(std::string_view fields, std::string_view body = "") {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n" + std::string(body);
}

TEST(HttpRequestParserTest, ReadsARequestHoweverItIsCut) {
  const std::string bytes =
      "POST /dbs/a%20b?x=1 HTTP/1.1\r\nHost: localhost\r\nX-Odd:  \t a\tb "
      "\r\nEmpty:\r\nContent-Length: 5\r\n\r\nhello";
  for (size_t step = 1; step <= bytes.size(); ++step) {
    HttpRequestParser parser({});
    ASSERT_EQ(FeedInSteps(parser, bytes, step), bytes.size());
    ASSERT_EQ(parser.state(), State::kDone) << step;
    EXPECT_TRUE(parser.keep_alive());
    const HttpRequest request = parser.Take();
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.target, "/dbs/a%20b?x=1");
    EXPECT_THAT(request.segments, ElementsAre("dbs", "a b"));
    EXPECT_EQ(request.Query("x"), "1");
    EXPECT_EQ(request.headers.Find("x-odd"), "a\tb");
    EXPECT_EQ(request.headers.Find("empty"), "");
    EXPECT_EQ(request.body, "hello");
  }
}

TEST(HttpRequestParserTest, ReadsChunksHoweverTheyAreCut) {
  const std::string bytes =
      WithFields("Transfer-Encoding: Chunked\r\n",
                 "5\r\nhello\r\n00A;ext=\"1\"\r\n, chunked!\r\n0\r\nX-Trailer: 1\r\n\r\n");
  for (size_t step = 1; step <= bytes.size(); ++step) {
    HttpRequestParser parser({});
    ASSERT_EQ(FeedInSteps(parser, bytes, step), bytes.size());
    ASSERT_EQ(parser.state(), State::kDone) << step;
    const HttpRequest request = parser.Take();
    EXPECT_EQ(request.body, "hello, chunked!");
    EXPECT_EQ(request.headers.Find("x-trailer"), std::nullopt);
  }
}

TEST(HttpRequestParserTest, LeavesTheNextRequestAlone) {
  const std::string first = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n";
  const std::string second = "\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: te, Close\r\n\r\n";
  HttpRequestParser parser({});
  ASSERT_EQ(parser.Feed(first + second), first.size());
  EXPECT_EQ(parser.Take().path, "/1");
  ASSERT_EQ(parser.Feed(second), second.size());
  EXPECT_FALSE(parser.keep_alive());
  EXPECT_EQ(parser.Take().path, "/2");
}

TEST(HttpRequestParserTest, Http10ClosesUnlessAskedNotTo) {
  HttpRequestParser parser({});
  parser.Feed("GET / HTTP/1.0\r\n\r\n");
  ASSERT_EQ(parser.state(), State::kDone);
  EXPECT_TRUE(parser.is_http_1_0());
  EXPECT_FALSE(parser.keep_alive());
  parser.Take();
  parser.Feed("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_TRUE(parser.keep_alive());
}

TEST(HttpRequestParserTest, ExpectationIsOverOnceTheBodyComes) {
  HttpRequestParser parser({});
  parser.Feed(WithFields("Expect: 100-Continue\r\nContent-Length: 2\r\n"));
  ASSERT_EQ(parser.state(), State::kBody);
  EXPECT_TRUE(parser.expects_continue());
  parser.Feed("h");
  EXPECT_FALSE(parser.expects_continue());
  EXPECT_EQ(RefusalOf(WithFields("Expect: a pony\r\n")), 417);
}

TEST(HttpRequestParserTest, RefusesWhatCouldBeReadTwoWays) {
  for (const std::string_view fields : {
           "Content-Length: 1\r\nContent-Length: 1\r\n",
           "Content-Length: 1\r\nContent-Length: 2\r\n",
           "Content-Length: 1, 1\r\n",
           "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
           "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
           "Content-Length: +1\r\n",
           "Content-Length: -1\r\n",
           "Content-Length: 0x1\r\n",
           "Content-Length: 1 1\r\n",
           "Content-Length:\r\n",
           "Content-Length: 99999999999999999999\r\n",
           "Content-Length : 1\r\n",
           " Content-Length: 1\r\n",
           "X: 1\r\n folded\r\n",
           "X: 1\nContent-Length: 1\r\n",
           "X: 1\rContent-Length: 1\r\n",
           "X\r\n",
           ": 1\r\n",
           "Host: b\r\n",
       }) {
    EXPECT_EQ(RefusalOf(WithFields(fields)), 400) << fields;
  }
  for (const std::string_view fields : {
           "Transfer-Encoding: gzip\r\n",
           "Transfer-Encoding: gzip, chunked\r\n",
           "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
           "Transfer-Encoding: xchunked\r\n",
           "Transfer-Encoding:\r\n",
       }) {
    EXPECT_EQ(RefusalOf(WithFields(fields)), 501) << fields;
  }
  EXPECT_EQ(RefusalOf("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
}

TEST(HttpRequestParserTest, RefusesMalformedRequestLines) {
  for (const std::string_view line :
       {"GET", "GET /", "GET  HTTP/1.1", " GET / HTTP/1.1", "GET / x HTTP/1.1", "GET / http/1.1",
        "GET / HTTPS", "G@T / HTTP/1.1", "GET a HTTP/1.1", "GET /%0 HTTP/1.1", "GET /\x01 HTTP/1.1",
        "GET / HTTP/1.1 ", "AMETHODOFMORETHANTHIRTYTWOLETTERS / HTTP/1.1"}) {
    EXPECT_EQ(RefusalOf(std::string(line) + "\r\nHost: a\r\n\r\n"), 400) << line;
  }
  EXPECT_EQ(RefusalOf("PRI * HTTP/2.0\r\n\r\n"), 505);
  EXPECT_EQ(RefusalOf("GET / HTTP/1.1\r\n\r\n"), 400) << "no Host";
}

TEST(HttpRequestParserTest, RefusesMalformedChunks) {
  for (const std::string_view body :
       {"x\r\n", "\r\n", "-1\r\n", "1 \r\n", " 1\r\n", "0x1\r\n", "1\nA\r\n", "1\r\nAB\r\n",
        "1\r\nA\n0\r\n", "11111111111111111\r\n"}) {
    EXPECT_EQ(RefusalOf(WithFields("Transfer-Encoding: chunked\r\n", body)), 400) << body;
  }
  EXPECT_EQ(RefusalOf(WithFields("Transfer-Encoding: chunked\r\n", "1;" + std::string(5000, 'x'))),
            400);
}

TEST(HttpRequestParserTest, LimitsAreExact) {
  const HttpParserLimits limits{
      .header_bytes_max = 100, .header_count_max = 3, .body_bytes_max = 10};
  EXPECT_EQ(RefusalOf(WithFields("Content-Length: 10\r\n"), limits), 0);
  EXPECT_EQ(RefusalOf(WithFields("Content-Length: 11\r\n"), limits), 413);
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  EXPECT_EQ(RefusalOf(WithFields(chunked, "5\r\nhello\r\n5\r\nhello\r\n0\r\n\r\n"), limits), 0);
  EXPECT_EQ(RefusalOf(WithFields(chunked, "5\r\nhello\r\n6\r\n"), limits), 413);
  EXPECT_EQ(RefusalOf(WithFields(chunked, "ffffffffffffffff\r\n"), limits), 413);
  EXPECT_EQ(RefusalOf(WithFields(chunked, "0\r\n" + std::string(110, 'x')), limits), 400);
  EXPECT_EQ(RefusalOf(WithFields("A: 1\r\nB: 2\r\n"), limits), 0);
  EXPECT_EQ(RefusalOf(WithFields("A: 1\r\nB: 2\r\nC: 3\r\n"), limits), 431);

  const std::string start = "GET / HTTP/1.1\r\nHost: ";
  EXPECT_EQ(RefusalOf(start + std::string(100 - start.size(), 'a') + "\r\n\r\n", limits), 0);
  EXPECT_EQ(RefusalOf(start + std::string(101 - start.size(), 'a') + "\r\n\r\n", limits), 431);
}

TEST(HttpRequestParserTest, RefusalIsJson) {
  HttpRequestParser parser({.body_bytes_max = 7});
  parser.Feed(WithFields("Content-Length: 8\r\n"));
  ASSERT_EQ(parser.state(), State::kRefused);
  EXPECT_THAT(parser.refusal().body, HasSubstr("{\"code\":\"RequestEntityTooLarge\",\"message\":"));
  EXPECT_THAT(parser.refusal().body, HasSubstr("7 bytes"));
}

}  // namespace
}  // namespace orrery::net
