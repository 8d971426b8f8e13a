#include "cql/wire/session.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "api/cassandra/protocol/request/request_decoder.h"
#include "api/cassandra/protocol/response/error_writer.h"
#include "api/cassandra/protocol/response/response_writer.h"
#include "cql/wire/server_for_test.h"

namespace orrery::bench {
namespace {

using namespace cassandra;

bool AnswerReady(const Envelope& request, ResponseHead head, std::string& out) {
  switch (request.header.opcode) {
    case Opcode::kStartup:
      WriteReady(out, head);
      break;
    case Opcode::kPrepare:
      WritePrepared(out, head, {"id", "mid", ResultColumns(), {}, ResultColumns()});
      break;
    case Opcode::kQuery:
      WriteVoid(out, head);
      break;
    default:
      WriteError(out, head, ProtocolError("not here"));
  }
  return true;
}

// Lets in who brings "cassandra" and "secret" by SASL PLAIN.
bool AnswerPassword(const Envelope& request, ResponseHead head, std::string& out) {
  if (request.header.opcode == Opcode::kStartup) {
    WriteAuthenticate(out, head, "PasswordAuthenticator");
    return true;
  }
  const auto message = DecodeRequest(request);
  if (!message.has_value()) return false;
  const auto* token = std::get_if<AuthResponseRequest>(&message->request);
  if (token != nullptr && token->token == std::string_view("\0cassandra\0secret", 17)) {
    WriteAuthSuccess(out, head, std::nullopt);
  } else {
    WriteError(out, head, {ErrorCode::kBadCredentials, "who are you?", {}});
  }
  return true;
}

class SessionTest : public testing::Test {
 protected:
  Status Open(const Target& target) {
    const auto session = Session::Open(context_, target);
    return session.has_value() ? Status() : Status(std::unexpected(session.error()));
  }

  boost::asio::io_context context_;
};

TEST_F(SessionTest, AsksOneQuestionAfterTheOther) {
  for (const uint64_t protocol : {4u, 5u}) {
    ServerForTest server(AnswerReady);
    Target target = server.target();
    target.protocol = protocol;
    const auto session = Session::Open(context_, target);
    ASSERT_TRUE(session.has_value()) << session.error().message();
    EXPECT_TRUE((*session)->Run("CREATE TABLE t").has_value());
    const auto prepared = (*session)->Prepare("SELECT");
    ASSERT_TRUE(prepared.has_value());
    EXPECT_EQ(prepared->id, "id");
    EXPECT_EQ(prepared->result_metadata_id, protocol == 5 ? "mid" : "");
    EXPECT_TRUE((*session)->Run("again").has_value());
  }
}

TEST_F(SessionTest, AnErrorHasItsCodeAndText) {
  ServerForTest server(AnswerReady);
  const auto session = Session::Open(context_, server.target());
  ASSERT_TRUE(session.has_value());
  const auto answer = (*session)->Ask(RegisterRequest{});
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().message(), "the server answered 0x000a: not here");
}

TEST_F(SessionTest, LeavesNothingUnreadBehindTheHandshake) {
  ServerForTest server(AnswerReady);
  const auto session = Session::Open(context_, server.target());
  ASSERT_TRUE(session.has_value());
  EXPECT_TRUE((*session)->input().empty());
}

TEST_F(SessionTest, Password) {
  ServerForTest server(AnswerPassword);
  Target target = server.target();
  EXPECT_EQ(Open(target).error().code(), Code::kUnauthorized);
  target.user = "cassandra";
  target.password = "wrong";
  EXPECT_EQ(Open(target).error().message(), "the server answered 0x0100: who are you?");
  target.password = "secret";
  EXPECT_TRUE(Open(target).has_value());
}

TEST_F(SessionTest, Tls) {
  const auto directory =
      std::filesystem::temp_directory_path() / ("orrery-bench-tls-" + std::to_string(::getpid()));
  std::filesystem::create_directories(directory);
  const SystemClock clock;
  const auto identity = net::TlsIdentity::LoadOrCreate(directory, {}, clock);
  ASSERT_TRUE(identity.has_value());
  {
    ServerForTest server(AnswerReady, identity->get());
    Target target = server.target();
    target.tls = true;
    const auto session = Session::Open(context_, target);
    ASSERT_TRUE(session.has_value()) << session.error().message();
    EXPECT_TRUE((*session)->Run("CREATE TABLE t").has_value());
  }
  std::filesystem::remove_all(directory);
}

TEST_F(SessionTest, AServerThatClosesOrSpeaksNonsense) {
  ServerForTest closing([](const Envelope&, const ResponseHead&, std::string&) { return false; });
  EXPECT_EQ(Open(closing.target()).error().code(), Code::kUnavailable);
  ServerForTest babbling([](const Envelope&, const ResponseHead&, std::string& out) {
    out = "HTTP/1.1 400 Bad Request\r\n\r\n";
    return true;
  });
  EXPECT_EQ(Open(babbling.target()).error().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace orrery::bench
