#include "sql/request_maker.h"

#include <gtest/gtest.h>

#include "gateway/account/accounts.h"
#include "net/http/http_request_parser.h"

namespace orrery::bench {
namespace {

constexpr Micros kNow{1'800'000'000'000'000};

class RequestMakerTest : public testing::Test {
 protected:
  RequestMakerTest() { options_.key = gateway::kWellKnownKey; }

  // As a server reads it.
  static net::HttpRequest Parse(const std::string& bytes) {
    net::HttpRequestParser parser(net::HttpParserLimits{});
    EXPECT_EQ(parser.Feed(bytes), bytes.size());
    EXPECT_EQ(parser.state(), net::HttpRequestParser::State::kDone);
    return parser.Take();
  }

  static void ExpectSigned(const net::HttpRequest& request, std::string text) {
    const auto accounts = gateway::Accounts::Create({});
    const auto header = net::PercentDecode(*request.headers.Find("authorization"));
    ASSERT_TRUE(header.has_value());
    const std::string_view before = "type=master&ver=1.0&sig=";
    ASSERT_TRUE(header->starts_with(before));
    text += "\nfri, 15 jan 2027 08:00:00 gmt\n\n";
    EXPECT_TRUE(accounts->CheckSignature(text, header->substr(before.size())).has_value());
  }

  SqlOptions options_;
};

TEST_F(RequestMakerTest, ReadsAreSignedForTheirLink) {
  const auto maker = RequestMaker::Create(options_, 200, kNow);
  ASSERT_TRUE(maker.has_value());
  std::string bytes;
  maker->AppendRead(142, bytes);
  const net::HttpRequest request = Parse(bytes);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.path, "/dbs/orrery_bench_sql/colls/documents/docs/doc-000000000142");
  EXPECT_EQ(request.headers.Find("x-ms-documentdb-partitionkey"), "[\"part-0000000001\"]");
  ExpectSigned(request, "get\ndocs\ndbs/orrery_bench_sql/colls/documents/docs/doc-000000000142");
}

TEST_F(RequestMakerTest, PostsShareASignature) {
  const auto maker = RequestMaker::Create(options_, 0, kNow);
  ASSERT_TRUE(maker.has_value());
  std::string bytes;
  maker->AppendPost(RequestMaker::Post::kQuery, "", "{}", 10, bytes);
  const net::HttpRequest request = Parse(bytes);
  EXPECT_EQ(request.body, "{}");
  EXPECT_EQ(request.headers.Find("x-ms-max-item-count"), "10");
  EXPECT_EQ(request.headers.Find("x-ms-documentdb-isquery"), "True");
  EXPECT_FALSE(request.headers.Find("x-ms-documentdb-partitionkey").has_value());
  ExpectSigned(request, "post\ndocs\ndbs/orrery_bench_sql/colls/documents");
}

TEST_F(RequestMakerTest, AKeyMustBeBase64) {
  options_.key = "not base64";
  EXPECT_EQ(RequestMaker::Create(options_, 0, kNow).error().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace orrery::bench
