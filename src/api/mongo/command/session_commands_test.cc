#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SessionCommandsTest : public CommandTest {
 protected:
  SessionCommandsTest() {
    Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}, {"_id": 2}, {"_id": 3}]})");
  }
  // Opens a cursor in a session and returns its number.
  int64_t Open(char session) {
    CommandReply reply =
        Run(WithSession(session, -1, R"({"find": "c", "$db": "d", "batchSize": 1})"));
    EXPECT_TRUE(reply.has_value());
    const model::Document document = std::move(*reply).Finish();
    return document.view().Find("cursor")->AsDocument().Find("id")->AsInteger();
  }
  std::string More(char session, int64_t id) {
    return InSession(session, -1,
                     R"({"getMore": )" + std::to_string(id) +
                         R"(, "collection": "c", "$db": "d", "batchSize": 1})");
  }
  // {command: [{id: session}]}
  std::string OnSessions(std::string_view command, std::string_view sessions) {
    model::DocumentBuilder body;
    body.OpenArray(command);
    for (size_t i = 0; i < sessions.size(); ++i) {
      body.OpenObject(std::to_string(i));
      body.Append("id", model::Value::Binary(std::string(16, sessions[i]), 4)).Close();
    }
    body.Close().AppendString("$db", "admin");
    CommandReply reply = Run(std::move(body).Finish());
    if (!reply.has_value())
      return std::to_string(reply.error().code) + ": " + reply.error().message;
    return model::ToJson(std::move(*reply).Finish().view());
  }
};

TEST_F(SessionCommandsTest, SessionsAreStarted) {
  EXPECT_THAT(Reply(R"({"startSession": 1, "$db": "admin"})"), HasSubstr(R"("timeoutMinutes":30)"));
  EXPECT_EQ(sessions_.size(), 1u);
  EXPECT_THAT(Reply(R"({"hello": 1, "$db": "admin"})"),
              HasSubstr(R"("logicalSessionTimeoutMinutes":30)"));
}

TEST_F(SessionCommandsTest, AClientThatOpensTooManyCursorsIsTold) {
  std::string refused;
  int opened = 0;
  while (refused.empty() && opened <= 2'000) {
    const std::string reply = Reply(R"({"find": "c", "$db": "d", "batchSize": 1})");
    if (reply.starts_with("16500: ")) refused = reply;
    opened += refused.empty() ? 1 : 0;
  }
  EXPECT_EQ(opened, 1'000);
  EXPECT_THAT(refused, HasSubstr("RetryAfterMs=1"));
  EXPECT_THAT(refused, HasSubstr("cursors"));
  EXPECT_THAT(Reply(R"({"find": "c", "$db": "d"})"), HasSubstr(R"("id":0)"))
      << "what fits in one batch needs no cursor";
}

TEST_F(SessionCommandsTest, CursorsBelongToTheirSession) {
  const int64_t cursor = Open('s');
  EXPECT_THAT(More('t', cursor), StartsWith("50738: Cannot run getMore on cursor"));
  EXPECT_THAT(
      Reply(R"({"getMore": )" + std::to_string(cursor) + R"(, "collection": "c", "$db": "d"})"),
      StartsWith("50737: "));
  EXPECT_THAT(More('s', cursor), HasSubstr(R"("nextBatch":[{"_id":2}])"));
  Batch(R"({"find": "c", "$db": "d", "batchSize": 1})");
  EXPECT_THAT(More('s', last_cursor_), StartsWith("50736: "));
}

TEST_F(SessionCommandsTest, CursorsEndWithTheirSession) {
  for (const char* const command : {"endSessions", "killSessions"}) {
    const int64_t cursor = Open('s');
    const int64_t other = Open('t');
    EXPECT_EQ(OnSessions(command, "s"), "{}");
    EXPECT_THAT(More('s', cursor), StartsWith("43: "));
    EXPECT_THAT(More('t', other), HasSubstr("nextBatch"));
  }
}

TEST_F(SessionCommandsTest, AllSessionsAreKilledAtOnce) {
  const int64_t cursor = Open('s');
  Batch(R"({"find": "c", "$db": "d", "batchSize": 1})");
  EXPECT_EQ(Reply(R"({"killAllSessions": [{"user": "x", "db": "y"}], "$db": "admin"})"), "{}");
  EXPECT_THAT(More('s', cursor), HasSubstr("nextBatch"));
  EXPECT_EQ(Reply(R"({"killAllSessions": [], "$db": "admin"})"), "{}");
  EXPECT_THAT(More('s', cursor), StartsWith("43: "));
  EXPECT_EQ(sessions_.size(), 1u);  // that of the last command
  EXPECT_THAT(Reply(R"({"getMore": )" + std::to_string(last_cursor_) +
                    R"(, "collection": "c", "$db": "d"})"),
              HasSubstr("nextBatch"));
  EXPECT_EQ(Reply(R"({"killAllSessionsByPattern": [{}], "$db": "admin"})"), "{}");
  EXPECT_EQ(sessions_.size(), 0u);
}

TEST_F(SessionCommandsTest, SessionsAreForgottenUnlessTheyAreRefreshed) {
  InSession('s', -1, R"({"ping": 1, "$db": "d"})");
  InSession('s', -1, R"({"find": "c", "$db": "d"})");
  InSession('t', -1, R"({"find": "c", "$db": "d"})");
  server_.clock.Advance(std::chrono::minutes(20));
  EXPECT_EQ(OnSessions("refreshSessions", "s"), "{}");
  server_.clock.Advance(std::chrono::minutes(10));
  EXPECT_EQ(sessions_.Expire().size(), 1u);
  EXPECT_EQ(sessions_.size(), 1u);
}

TEST_F(SessionCommandsTest, IdleCursorsTimeOutUnlessTheyMayNot) {
  const auto more = [this](int64_t id) {
    return Reply(R"({"getMore": )" + std::to_string(id) +
                 R"(, "collection": "c", "$db": "d", "batchSize": 1})");
  };
  Batch(R"({"find": "c", "$db": "d", "batchSize": 1})");
  const int64_t idle = last_cursor_;
  Batch(R"({"find": "c", "$db": "d", "batchSize": 1, "noCursorTimeout": true})");
  const int64_t kept = last_cursor_;
  server_.clock.Advance(std::chrono::minutes(11));
  cursors_.Expire();
  EXPECT_THAT(more(idle), StartsWith("43: cursor id "));
  EXPECT_THAT(more(kept), HasSubstr(R"("nextBatch":[{"_id":2}])"));
}

TEST_F(SessionCommandsTest, CursorsThatMayNotTimeOutEndWithTheirSession) {
  CommandReply reply = Run(WithSession(
      's', -1, R"({"find": "c", "$db": "d", "batchSize": 1, "noCursorTimeout": true})"));
  ASSERT_TRUE(reply.has_value());
  const model::Document document = std::move(*reply).Finish();
  const int64_t id = document.view().Find("cursor")->AsDocument().Find("id")->AsInteger();
  server_.clock.Advance(std::chrono::minutes(kSessionTimeoutMinutes));
  EndCursors(services_, sessions_.Expire());
  EXPECT_THAT(More('s', id), StartsWith("43: "));
}

TEST_F(SessionCommandsTest, UsersMayKillCursorsOfTheirOtherSessions) {
  const int64_t cursor = Open('s');
  EXPECT_THAT(
      InSession('t', -1,
                R"({"killCursors": "c", "$db": "d", "cursors": [)" + std::to_string(cursor) + "]}"),
      HasSubstr(R"("cursorsKilled":[)" + std::to_string(cursor)));
  EXPECT_THAT(More('s', cursor), StartsWith("43: "));
}

TEST_F(SessionCommandsTest, MalformedSessionsAreRefused) {
  EXPECT_THAT(Reply(R"({"find": "c", "$db": "d", "lsid": 1})"), StartsWith("14: "));
  EXPECT_THAT(Reply(R"({"find": "c", "$db": "d", "lsid": {}})"), StartsWith("40414: "));
  EXPECT_THAT(Reply(R"({"find": "c", "$db": "d", "lsid": {"id": 1}})"), StartsWith("14: "));
  EXPECT_THAT(Reply(R"({"find": "c", "$db": "d", "lsid": {"x": 1}})"), StartsWith("40415: "));
  EXPECT_THAT(Reply(R"({"endSessions": 1, "$db": "admin"})"), StartsWith("14: "));
  model::DocumentBuilder body;
  body.AppendString("insert", "c").AppendString("$db", "d").AppendInt64("txnNumber", 1);
  const CommandReply reply = Run(std::move(body).Finish());
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().message, "Transaction number requires a session ID to also be specified");
}

TEST(RetryableWriteErrorTest, IsOfAnotherNodeOrALaterTime) {
  const auto code = [](ErrorCode code) { return MongoError{static_cast<int32_t>(code), ""}; };
  EXPECT_TRUE(IsRetryableWriteError(code(ErrorCode::kHostUnreachable)));
  EXPECT_TRUE(IsRetryableWriteError(code(ErrorCode::kPrimarySteppedDown)));
  EXPECT_FALSE(IsRetryableWriteError(code(ErrorCode::kDuplicateKey)));
  EXPECT_FALSE(IsRetryableWriteError(code(ErrorCode::kTransactionTooOld)));
}

TEST(SessionRegistryTest, IsBounded) {
  ManualClock clock;
  SessionRegistry registry(clock, 2);
  EXPECT_TRUE(registry.Use("a", std::nullopt).has_value());
  EXPECT_TRUE(registry.Use("b", 3).has_value());
  EXPECT_TRUE(registry.Use("a", 1).has_value());
  EXPECT_EQ(registry.Use("c", std::nullopt).error().code, 261);
  EXPECT_EQ(registry.Use("b", 2).error().code, 225);
  EXPECT_TRUE(registry.Use("b", 3).has_value());
  EXPECT_TRUE(registry.End("a"));
  EXPECT_FALSE(registry.End("a"));
  EXPECT_TRUE(registry.Use("c", std::nullopt).has_value());
}

}  // namespace
}  // namespace orrery::mongo
