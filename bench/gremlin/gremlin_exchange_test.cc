#include "gremlin/gremlin_exchange.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "net/websocket/websocket_frame.h"

namespace orrery::bench {
namespace {

class GremlinExchangeTest : public testing::Test {
 protected:
  GremlinExchange Make(GremlinWorkloadKind kind) const {
    return {kind, KeyChooser::Sequence(123, 1), traversals_};
  }
  std::string Sent(GremlinWorkloadKind kind, OperationKind expected) const {
    std::string out;
    EXPECT_EQ(Make(kind).Next(7, out), expected);
    // A masked frame of 16-bit length.
    EXPECT_EQ(static_cast<uint8_t>(out[1]), 0x80 | net::kWebSocketLength16);
    const net::WebSocketMask mask{out[4], out[5], out[6], out[7]};
    std::string payload = out.substr(8);
    net::ApplyWebSocketMask(payload, 0, mask, 0);
    return payload;
  }
  static std::string Answer(int code, uint32_t id, uint64_t number, std::string_view data,
                            std::string_view message = "") {
    std::string frame;
    net::AppendWebSocketFrame(frame, net::WebSocketOpcode::kText,
                              R"({"requestId":")" + RequestIdText(id, number) +
                                  R"(","status":{"message":")" + std::string(message) +
                                  R"(","code":)" + std::to_string(code) + R"(},"result":{"data":)" +
                                  std::string(data) + "}}");
    return frame;
  }
  bool IsGood(GremlinWorkloadKind kind, uint64_t number, std::string_view data) const {
    const std::string frame = Answer(200, 9, number, data);
    EXPECT_FALSE(Make(kind).Take(std::string_view(frame).substr(0, frame.size() - 1)).has_value());
    const auto answer = Make(kind).Take(frame);
    EXPECT_EQ(answer->id, 9u);
    EXPECT_EQ(answer->bytes, frame.size());
    return answer->verdict.good;
  }
  static std::string Count(uint64_t count) {
    return R"({"@type":"g:List","@value":[{"@type":"g:Int64","@value":)" + std::to_string(count) +
           "}]}";
  }

  static GremlinOptions MakeOptions() {
    GremlinOptions options;
    options.vertices = 1'000;
    return options;
  }
  const TraversalMaker traversals_{MakeOptions()};
};

TEST_F(GremlinExchangeTest, SendsWhatItSays) {
  const std::string vertex = Sent(GremlinWorkloadKind::kVertex, OperationKind::kRead);
  EXPECT_TRUE(vertex.starts_with(R"(!application/vnd.gremlin-v3.0+json{"requestId")"));
  EXPECT_TRUE(vertex.contains(R"js("gremlin","g.V(x)")js"));
  EXPECT_TRUE(vertex.contains(R"("bindings",{"@type":"g:Map","@value":["x","v123"]})"));
  EXPECT_TRUE(Sent(GremlinWorkloadKind::kHub, OperationKind::kQuery).contains(R"("x","v1000")"));
  EXPECT_TRUE(Sent(GremlinWorkloadKind::kProperty, OperationKind::kInsert)
                  .contains(R"("n",{"@type":"g:Int64","@value":123})"));
}

TEST_F(GremlinExchangeTest, JudgesAnswers) {
  EXPECT_TRUE(IsGood(GremlinWorkloadKind::kVertex, 5, R"([{"@type":"g:Vertex","id":"v5"}])"));
  EXPECT_FALSE(IsGood(GremlinWorkloadKind::kVertex, 5, R"([{"@type":"g:Vertex","id":"v6"}])"));
  EXPECT_FALSE(IsGood(GremlinWorkloadKind::kVertex, 5, "[]"));
  EXPECT_TRUE(IsGood(GremlinWorkloadKind::kHub, 5, Count(1'000)));
  EXPECT_FALSE(IsGood(GremlinWorkloadKind::kHub, 5, Count(999)));
  std::set<uint64_t> two_hops;
  for (uint64_t i = 0; i < TraversalMaker::kOfOneVertex; ++i) {
    for (uint64_t k = 0; k < TraversalMaker::kOfOneVertex; ++k)
      two_hops.insert(traversals_.Target(traversals_.Target(77, i), k));
  }
  EXPECT_TRUE(IsGood(GremlinWorkloadKind::kTwoHops, 77, Count(two_hops.size())));
  EXPECT_FALSE(IsGood(GremlinWorkloadKind::kTwoHops, 77, Count(two_hops.size() + 1)));
  const std::string refused = Answer(500, 9, 5, "null", "slow down");
  const auto answer = Make(GremlinWorkloadKind::kVertex).Take(refused);
  EXPECT_FALSE(answer->verdict.good);
  EXPECT_EQ(answer->verdict.error, 500);
  EXPECT_EQ(answer->verdict.problem, "slow down");
}

TEST(RequestIdTest, CarriesTheNumber) {
  const auto read = ReadRequestId(RequestIdText(0x89abcdef, 0x123456789abc));
  EXPECT_EQ(read->id, 0x89abcdefu);
  EXPECT_EQ(read->number, 0x123456789abcu);
  EXPECT_FALSE(ReadRequestId("12").has_value());
}

TEST(GremlinOptionsTest, RefusesWhatCannotBe) {
  const auto problem = [](const std::vector<std::string_view>& words) {
    const auto options = ParseGremlinOptions(words);
    return options.has_value() ? std::string() : options.error().message();
  };
  EXPECT_EQ(problem({"--threads", "8", "--connections", "4"}),
            "--connections: every thread needs one");
  EXPECT_EQ(problem({"--vertices", "1001"}), "--vertices: must be a multiple of 20");
  for (const auto kind :
       {GremlinWorkloadKind::kVertex, GremlinWorkloadKind::kHub, GremlinWorkloadKind::kNone}) {
    const std::vector<std::string_view> words = {"--workload", GremlinWorkloadName(kind)};
    EXPECT_EQ(ParseGremlinOptions(words)->workload, kind);
  }
}

}  // namespace
}  // namespace orrery::bench
