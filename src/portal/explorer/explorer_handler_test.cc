#include "portal/explorer/explorer_handler.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>

#include "base/bytes.h"

namespace orrery::portal {
namespace {

// "Hello, Orrery!" by gzip -n.
std::string PackedHello() {
  std::string bytes;
  EXPECT_TRUE(
      FromHex("1f8b0800000000000203f348cdc9c9d751f02f2a4a2daa5404003ce3ece40e000000", bytes));
  return bytes;
}

class KeptAnswer final : public net::HttpResponder::Sink {
 public:
  void Deliver(net::HttpResponse response) override { answer = std::move(response); }
  std::optional<net::HttpResponse> answer;
};

class ExplorerHandlerTest : public testing::Test {
 protected:
  ExplorerHandlerTest()
      : accounts_(*gateway::Accounts::Create({})), door_({}, accounts_, clock_, [] { return 7; }) {
    AddExplorerRoutes(router_, {.door = door_, .assets = assets_, .account = "a", .version = "1"});
  }

  net::HttpResponse Get(std::string path, net::HttpHeaders headers = {}) {
    net::HttpRequest request;
    request.method = "GET";
    const auto target = net::ParseRequestTarget(path);
    EXPECT_TRUE(target.has_value());
    request.path = target->path;
    request.segments = target->segments;
    request.headers = std::move(headers);
    auto match = router_.Find(request);
    if (match.route == nullptr) return {.status = 404};
    EXPECT_EQ(match.route->guard, Guard::kOpen);
    const auto sink = std::make_shared<KeptAnswer>();
    match.route->handler({{std::move(request), net::HttpResponder(sink)}, match.parameters});
    return *sink->answer;
  }

  const std::string packed_ = PackedHello();
  const std::array<ExplorerAsset, 2> assets_ = {
      {{.path = "", .type = "text/html", .etag = "\"1\"", .gzip = packed_, .is_immutable = false},
       {.path = "assets/a-1.js",
        .type = "text/javascript",
        .etag = "\"2\"",
        .gzip = packed_,
        .is_immutable = true}}};
  ManualClock clock_;
  const gateway::Accounts accounts_;
  Door door_;
  Router router_;
};

TEST_F(ExplorerHandlerTest, FilesAreSentAsTheyWerePacked) {
  const net::HttpResponse page = Get("/_explorer/", {{"Accept-Encoding", "br, gzip"}});
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, packed_);
  EXPECT_EQ(page.headers.Find("content-encoding"), "gzip");
  EXPECT_EQ(page.headers.Find("content-type"), "text/html");
  EXPECT_EQ(page.headers.Find("etag"), "\"1\"");
  EXPECT_EQ(page.headers.Find("vary"), "Accept-Encoding");
  EXPECT_EQ(page.headers.Find("cache-control"), "no-cache");
  const net::HttpResponse script = Get("/_explorer/assets/a-1.js", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(script.headers.Find("cache-control"), "public, max-age=31536000, immutable");
}

TEST_F(ExplorerHandlerTest, OthersGetThemUnpackedUnderAnotherEtag) {
  for (const char* takes : {"", "br", "gzip;q=0", "identity, gzip; q=0.0"}) {
    const net::HttpResponse page = Get("/_explorer/", {{"Accept-Encoding", takes}});
    EXPECT_EQ(page.body, "Hello, Orrery!") << takes;
    EXPECT_FALSE(page.headers.Find("content-encoding").has_value());
    EXPECT_EQ(page.headers.Find("etag"), "\"1-plain\"");
  }
}

TEST_F(ExplorerHandlerTest, WhoHasItAlreadyIsTold) {
  for (const char* etags : {"\"1\"", "\"x\", W/\"1\"", "*"}) {
    const net::HttpResponse page =
        Get("/_explorer/", {{"Accept-Encoding", "gzip"}, {"If-None-Match", etags}});
    EXPECT_EQ(page.status, 304) << etags;
    EXPECT_EQ(page.body, "");
    EXPECT_EQ(page.headers.Find("etag"), "\"1\"");
  }
  EXPECT_EQ(Get("/_explorer/", {{"If-None-Match", "\"1\""}}).status, 200);
}

TEST_F(ExplorerHandlerTest, NothingElseIsServed) {
  EXPECT_EQ(Get("/_explorer/assets/").status, 404);
  EXPECT_EQ(Get("/_explorer/assets/..%2fa-1.js").status, 404);
  EXPECT_EQ(Get("/_explorer").status, 308);
}

}  // namespace
}  // namespace orrery::portal
