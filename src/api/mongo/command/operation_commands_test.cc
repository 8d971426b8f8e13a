#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"
#include "api/mongo/command/operation/operation_facts.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class OperationCommandTest : public CommandTest {
 protected:
  std::shared_ptr<CommandContext> Running(std::string_view json) {
    auto message = std::make_unique<Message>();
    message->bytes = gateway::Json(json).view().bson();
    message->body = model::DocumentView::Trusted(message->bytes);
    return std::make_shared<CommandContext>(services_, client_, std::move(message),
                                            RequestContext());
  }
};

TEST_F(OperationCommandTest, CurrentOpShowsWhatRuns) {
  const auto find = Running(R"({"find": "c", "$db": "d", "filter": {"a": 1}})");
  const OperationEntry entry(operations_, find, server_.clock.Monotonic());
  const std::string all = Reply(R"({"currentOp": 1, "$db": "admin"})");
  EXPECT_THAT(all, HasSubstr(R"("op":"query","ns":"d.c")"));
  EXPECT_THAT(all, HasSubstr(R"("command":{"currentOp":1)"));
  const std::string some = Reply(R"({"currentOp": 1, "ns": "d.c", "$db": "admin"})");
  EXPECT_THAT(some, HasSubstr(R"("filter":{"a":1})"));
  EXPECT_THAT(some, Not(HasSubstr("currentOp\":1")));
  EXPECT_THAT(Batch(R"({"aggregate": 1, "$db": "admin", "cursor": {},
                        "pipeline": [{"$currentOp": {"allUsers": true}}, {"$match": {"ns": "d.c"}},
                                     {"$project": {"op": 1}}]})"),
              R"([{"op":"query"}])");
  EXPECT_THAT(Reply(R"({"currentOp": 1, "$db": "d"})"), StartsWith("13: "));
}

TEST_F(OperationCommandTest, KillOpStopsACommand) {
  const auto find = Running(R"({"find": "c", "$db": "d"})");
  const int32_t id = operations_.Add(find, server_.clock.Monotonic());
  EXPECT_EQ(Reply(R"({"killOp": 1, "$db": "admin", "op": )" + std::to_string(id + 1) + "}"),
            R"({"info":"attempting to kill op"})");
  EXPECT_FALSE(find->killed.load());
  Reply(R"({"killOp": 1, "$db": "admin", "op": )" + std::to_string(id) + "}");
  EXPECT_TRUE(find->killed.load());
  RunState state;
  Attach(state, *find);
  EXPECT_EQ(state.Check().error().code, static_cast<int32_t>(ErrorCode::kInterrupted));
  operations_.Remove(id);
  EXPECT_TRUE(operations_.List().empty());
  EXPECT_THAT(Reply(R"({"killOp": 1, "$db": "admin"})"), StartsWith("4: "));
  EXPECT_THAT(Reply(R"({"killOp": 1, "$db": "admin", "op": "x"})"), StartsWith("14: "));
}

TEST_F(OperationCommandTest, AKilledScanEnds) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}]})");
  const auto find = Running(R"({"find": "c", "$db": "d"})");
  find->killed.store(true);
  const auto reply = commands_.Find("find")->handler(*find);
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().code, static_cast<int32_t>(ErrorCode::kInterrupted));
}

TEST_F(OperationCommandTest, KillingASessionKillsItsCommands) {
  const auto find = Running(R"({"find": "c", "$db": "d"})");
  find->session = std::string(16, 's') + UserDigest("");
  const OperationEntry entry(operations_, find, server_.clock.Monotonic());
  model::DocumentBuilder body;
  body.OpenArray("killSessions").OpenObject("0");
  body.Append("id", model::Value::Binary(std::string(16, 's'), 4)).Close().Close();
  body.AppendString("$db", "admin");
  ASSERT_TRUE(Run(std::move(body).Finish()).has_value());
  EXPECT_TRUE(find->killed.load());
}

TEST_F(OperationCommandTest, SessionsAreListed) {
  InSession('s', -1, R"({"find": "c", "$db": "d"})");
  EXPECT_THAT(Batch(R"({"aggregate": 1, "$db": "d", "cursor": {},
                        "pipeline": [{"$listLocalSessions": {}}]})"),
              HasSubstr("lastUse"));
  EXPECT_THAT(Batch(R"({"aggregate": "c", "$db": "d", "cursor": {},
                        "pipeline": [{"$listLocalSessions": {}}]})"),
              StartsWith("73: "));
}

TEST_F(OperationCommandTest, HashesAreThoseOfTheDocumentsInOrder) {
  Reply(R"({"insert": "m", "$db": "d", "documents": [
            {"_id": 3, "k": "b", "v": 4}, {"_id": 1, "k": "a", "v": 1},
            {"_id": 2, "k": "a", "v": 2}]})");
  const std::string reply = Reply(R"({"dbHash": 1, "$db": "d"})");
  // As a genuine mongod answers.
  EXPECT_THAT(reply, HasSubstr(R"("collections":{"m":"ee70c03ce9ef78da03b476b2fb13565a"})"));
  EXPECT_THAT(reply, HasSubstr(R"("md5":"7c14fdd4ec4c4e5b983f3b80dfc7f83c")"));
}

TEST_F(OperationCommandTest, CountersAreSummedOverThreads) {
  counters_.Count(OperationKind::kInsert, 3, "d.c", Micros(5));
  counters_.Count(OperationKind::kQuery, 1, "d.c", Micros(7));
  EXPECT_EQ(counters_.count(OperationKind::kInsert), 3);
  EXPECT_THAT(Reply(R"({"serverStatus": 1, "$db": "admin"})"),
              HasSubstr(R"("insert":3,"query":1)"));
  EXPECT_THAT(Reply(R"({"top": 1, "$db": "admin"})"),
              HasSubstr(R"("d.c":{"total":{"time":12,"count":2},"readLock":{"time":7,"count":1},)"
                        R"("writeLock":{"time":5,"count":1})"));
}

TEST_F(OperationCommandTest, FactsOfCommands) {
  const auto insert = Running(R"({"insert": "c", "$db": "d", "documents": [{}, {}]})");
  EXPECT_EQ(FactsOf(insert->command).operations, 2);
  EXPECT_EQ(FactsOf(insert->command).NamespaceIn("d"), "d.c");
  const auto more = Running(R"({"getMore": 1, "$db": "d", "collection": "c"})");
  EXPECT_EQ(FactsOf(more->command).kind, OperationKind::kGetMore);
  EXPECT_EQ(FactsOf(more->command).collection, "c");
  const auto ping = Running(R"({"ping": 1, "$db": "d"})");
  EXPECT_EQ(FactsOf(ping->command).NamespaceIn("d"), "d.$cmd");
}

}  // namespace
}  // namespace orrery::mongo
