// Requests from their arguments to their answers, over a real store.
#include "api/gremlin/server/request_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "api/gremlin/server/gremlin_http.h"
#include "api/gremlin/value/text.h"
#include "gateway/test_server.h"

namespace orrery::gremlin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Answered {
  std::vector<int> codes{};  // of all messages
  std::vector<std::string> items{};
  std::string message{};
  ValueMap attributes{};  // of the last
};

class RequestRunnerTest : public testing::Test {
 protected:
  Answered Run(std::string script, ValueMap args = {}, Login login = {}) {
    return Send(std::move(script), std::move(args),
                [&](const Request& request, const RequestContext& context, AnswerSender& sender) {
                  runner_.Run(request, login, context, sender);
                });
  }
  // Nullopt if it was not answered.
  std::optional<Answered> TryPoint(std::string script, ValueMap args = {}) {
    bool done = false;
    Answered answered =
        Send(std::move(script), std::move(args),
             [&](const Request& request, const RequestContext& context, AnswerSender& sender) {
               done = runner_.TryPoint(request, {}, context, sender);
             });
    EXPECT_EQ(done, !answered.codes.empty());
    return done ? std::optional(std::move(answered)) : std::nullopt;
  }
  template <typename Runs>
  Answered Send(std::string script, ValueMap args, const Runs& runs) {
    Request request{.id = "r", .op = "eval", .processor = {}, .args = std::move(args)};
    request.args.Set("gremlin", Value::String(std::move(script)));
    Answered answered;
    AnswerSender sender({.request_id = "r",
                         .activity_id = "a",
                         .host = "h",
                         .clock = clock_,
                         .send = [&](const Response& response, const EncodeOptions&) -> Status {
                           answered.codes.push_back(static_cast<int>(response.code));
                           for (const ResultItem& item : response.data)
                             answered.items.insert(answered.items.end(),
                                                   static_cast<size_t>(item.bulk),
                                                   ToText(item.value));
                           answered.message = response.message;
                           answered.attributes = response.attributes;
                           return {};
                         }});
    runs(request, RequestContext(std::make_shared<RequestOrigin>(clock_)), sender);
    return answered;
  }
  int64_t CosmosCode(const Answered& answered) {
    return answered.attributes.Find("x-ms-status-code")->AsInteger();
  }

  gateway::TestServer server_;
  SystemClock clock_;
  std::atomic<uint64_t> last_{0};
  RequestRunner runner_{{.gateway = *server_.gateway, .clock = clock_, .random = [this] {
                           return ++last_ * 0x9E3779B97F4A7C15ULL;
                         }}};
};

TEST_F(RequestRunnerTest, TheDefaultGraphIsMadeAtItsFirstUse) {
  EXPECT_THAT(Run("g.V().count()").items, ElementsAre("0"));
  EXPECT_TRUE(server_.catalog->FindContainer("graphs", "g").has_value());
}

TEST_F(RequestRunnerTest, OneVertexIsAnsweredWithoutAThread) {
  EXPECT_FALSE(TryPoint("g.V(1)").has_value());
  EXPECT_FALSE(server_.catalog->FindContainer("graphs", "g").has_value());
  Run("g.addV('x').property(T.id, 1)");
  const auto found = TryPoint("g.V(x)", {{"bindings", Value::Map({{"x", Value::Int(1)}})}});
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(found->codes, ElementsAre(200));
  EXPECT_EQ(found->items, Run("g.V(1)").items);
  EXPECT_EQ(found->attributes.Find("x-ms-total-request-charge")->AsFloating(),
            Run("g.V(1)").attributes.Find("x-ms-total-request-charge")->AsFloating());
  EXPECT_THAT(TryPoint("g.V(2)").value().codes, ElementsAre(204));
  for (const char* other : {"g.V()", "g.V([1, 2])", "g.V(1, 2)", "g.V(1).out()", "g.V(1).drop()",
                            "g.V(1).next()", "g.V(y)", "g.V(1", "g.V(null)", "g.E(1)"})
    EXPECT_FALSE(TryPoint(other).has_value()) << other;
}

TEST_F(RequestRunnerTest, PagesAndEmptyAnswers) {
  EXPECT_THAT(Run("g.V()").codes, ElementsAre(204));
  EXPECT_THAT(Run("g.inject(1, 2, 3, 4)", {{"batchSize", Value::Int(2)}}).codes,
              ElementsAre(206, 200));
  EXPECT_THAT(Run("g.inject(1, 2, 3)", {{"batchSize", Value::Int(2)}}).codes,
              ElementsAre(206, 200));
  EXPECT_THAT(Run("").codes, ElementsAre(204));
  EXPECT_THAT(Run("g.addV('x').iterate()").codes, ElementsAre(204));
}

TEST_F(RequestRunnerTest, TheLastQueryOfAScriptAnswers) {
  EXPECT_THAT(Run("g.addV('x').property(T.id, 1); g.V().count()").items, ElementsAre("1"));
}

TEST_F(RequestRunnerTest, ErrorsHaveCodes) {
  Run("g.addV('x').property(T.id, 1)");
  const Answered twice = Run("g.addV('x').property(T.id, 1)");
  EXPECT_THAT(twice.codes, ElementsAre(500));
  EXPECT_EQ(CosmosCode(twice), 409);
  EXPECT_THAT(twice.message, HasSubstr("Vertex with id already exists: 1"));
  EXPECT_THAT(Run("g.V().nope()").codes, ElementsAre(597));
  EXPECT_THAT(Run("g.V(1).fail('stop')").codes, ElementsAre(595));
  EXPECT_THAT(Run("g.V().match(out())").message, HasSubstr("match"));
  EXPECT_THAT(Run("g.tx().commit()").message, HasSubstr("not supported"));
  EXPECT_THAT(Run("g.V(x)", {{"bindings", Value::Map({{"id", Value::Int(1)}})}}).codes,
              ElementsAre(499));
}

TEST_F(RequestRunnerTest, ExplainsAndMeasures) {
  EXPECT_THAT(Run("g.V().has('person', 'name', 'x').out().explain()").items,
              ElementsAre(HasSubstr("label = person")));
  EXPECT_THAT(Run("g.V().out('knows').toString()").items, ElementsAre("[V(), out(knows)]"));
  EXPECT_THAT(Run("g.inject(1, 2).profile()").items, ElementsAre(HasSubstr("elementCount=2")));
}

TEST_F(RequestRunnerTest, RefusalsSayWhy) {
  EXPECT_THAT(Run("g.V().pageRank()").message, HasSubstr("GraphComputer"));
  EXPECT_THAT(Run("g.io('x').read()").message, HasSubstr("no files"));
  EXPECT_THAT(Run("g.call('x')").message, HasSubstr("Unrecognized service: x"));
  EXPECT_THAT(Run(std::string(65 << 10, ' ')).message, HasSubstr("the Gremlin script has"));
  EXPECT_THAT(Run("g.V().\nouut()").message, HasSubstr("line 2, character position at 0"));
}

TEST_F(RequestRunnerTest, EndlessTraversalsEnd) {
  Run("g.addV('x').property(T.id, 1).as('a').addE('self').to('a')");
  const Answered late =
      Run("g.V(1).repeat(out()).until(has('never'))", {{"evaluationTimeout", Value::Int(50)}});
  EXPECT_THAT(late.codes, ElementsAre(598));
  EXPECT_EQ(CosmosCode(late), 1009);
}

TEST_F(RequestRunnerTest, AliasesNameGraphs) {
  server_.MakeContainer("people");
  Run("g.addV('x').property('pk', 'a')",
      {{"aliases", Value::Map({{"g", Value::String("db.people")}})}});
  EXPECT_THAT(Run("g.V().count()").items, ElementsAre("0"));
  EXPECT_THAT(Run("g.V().count()", {}, {.graph = "/dbs/db/colls/people"}).items, ElementsAre("1"));
  EXPECT_THAT(Run("g.V()", {{"aliases", Value::Map({{"g", Value::String("nothing")}})}}).message,
              HasSubstr("Could not alias [g] to [nothing]"));
  const Answered missing = Run("g.V()", {}, {.graph = "/dbs/db/colls/none"});
  EXPECT_EQ(CosmosCode(missing), 404);
  EXPECT_THAT(Run("g.addV('x')", {}, {.graph = "/dbs/db/colls/people"}).message,
              HasSubstr("partition key"));
}

TEST_F(RequestRunnerTest, ReadOnlyKeysDoNotWrite) {
  const Login reader{.access = gateway::Access::kReadOnly};
  EXPECT_THAT(Run("g.V().count()", {}, reader).items, ElementsAre("0"));
  EXPECT_EQ(CosmosCode(Run("g.addV('x')", {}, reader)), 403);
}

TEST_F(RequestRunnerTest, WritersOfOneVertexLoseNothing) {
  Run("g.addV('x').property(T.id, 1)");
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([this, w] {
      for (int n = 0; n < 5; ++n) {
        EXPECT_THAT(Run("g.V(1).property(list, 'n', " + std::to_string(w * 5 + n) + ")").codes,
                    ElementsAre(200));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_THAT(Run("g.V(1).values('n').dedup().count()").items, ElementsAre("20"));
}

}  // namespace
}  // namespace orrery::gremlin
