// Calls between two ends that do what they should.
#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <thread>

#include "net/rpc/frame/rpc_frame.h"
#include "net/rpc/rpc_fixture_for_test.h"

namespace orrery::net {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class RpcCallsTest : public RpcFixture {};

TEST_F(RpcCallsTest, AreAnswered) {
  Start([](NodeId caller, uint16_t method, const std::string& request, RpcHandler::Answer answer) {
    answer(std::to_string(caller.value()) + "/" + std::to_string(method) + "/" + request);
  });
  EXPECT_EQ(Call(7, "hello").value(), "1/7/hello");
  EXPECT_EQ(Call(65'535, "").value(), "1/65535/");
  EXPECT_EQ(server_->open_connections(), 1u);
}

TEST_F(RpcCallsTest, TenThousandAtOnceFromSeveralThreads) {
  constexpr size_t kThreads = 4;
  constexpr size_t kCallsEach = 2'500;
  Start();
  std::atomic<size_t> right = 0;
  std::latch answered(kThreads * kCallsEach);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < kCallsEach; ++i) {
        const std::string text = std::to_string(t * kCallsEach + i);
        client_->Call(3, text, kLong, [&, text](const Result<std::string>& answer) {
          if (answer && *answer == "3:" + text) ++right;
          answered.count_down();
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  answered.wait();
  EXPECT_EQ(right, kThreads * kCallsEach);
}

TEST_F(RpcCallsTest, AreAnsweredInAnyOrder) {
  Start([this](NodeId, uint16_t, std::string request, RpcHandler::Answer answer) {
    held_.Add([request, answer = std::move(answer)](const Result<std::string>&) mutable {
      answer(request);
    });
  });
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 10; ++i) outcomes.push_back(Begin(1, std::to_string(i)));
  held_.WaitFor(outcomes.size());
  auto answers = held_.Take();
  for (size_t i = answers.size(); i-- > 1;) answers[i]("");
  for (size_t i = 1; i < outcomes.size(); ++i)
    EXPECT_EQ(outcomes[i].get().value(), std::to_string(i));
  answers[0]("");
  EXPECT_EQ(outcomes[0].get().value(), "0");
}

TEST_F(RpcCallsTest, CarryAsMuchAsAFrameMay) {
  Start([](NodeId, uint16_t method, std::string request, RpcHandler::Answer answer) {
    if (method == 2) request += "x";
    answer(std::move(request));
  });
  std::string text(kRpcPayloadBytesMax, 'x');
  for (size_t i = 0; i < text.size(); i += 4'093) text[i] = static_cast<char>(i);
  Outcome large = Begin(1, text);
  EXPECT_EQ(Call(1, "small").value(), "small");
  EXPECT_TRUE(large.get().value() == text);
  EXPECT_EQ(Call(2, text).error().code(), Code::kTooLarge);
  EXPECT_EQ(Call(1, text + "x").error().code(), Code::kTooLarge);
}

TEST_F(RpcCallsTest, BringBackTheCalleesErrors) {
  Start([](NodeId, uint16_t method, const std::string&, RpcHandler::Answer answer) {
    if (method == 0) return answer(Fail(Error::Throttled("slow down", 42)));
    answer(Fail(static_cast<Code>(method), "why"));
  });
  for (const Code code : {Code::kMoved, Code::kFenced, Code::kPreconditionFailed}) {
    const auto answer = Call(std::to_underlying(code), "");
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code(), code);
    EXPECT_EQ(answer.error().message(), "why");
  }
  const auto throttled = Call(0, "");
  ASSERT_FALSE(throttled.has_value());
  EXPECT_EQ(throttled.error().code(), Code::kThrottled);
  EXPECT_EQ(throttled.error().retry_after_ms(), 42u);
}

TEST_F(RpcCallsTest, AMethodThatForgetsToAnswerIsAnError) {
  Start([](NodeId, uint16_t, const std::string&, const RpcHandler::Answer&) {});
  EXPECT_EQ(Call(1, "").error().code(), Code::kInternal);
}

TEST_F(RpcCallsTest, EndAtTheirDeadline) {
  Start(Hold());
  Outcome patient = Begin(1, "");
  Outcome impatient = Begin(1, "", milliseconds(5));
  held_.WaitFor(2);
  clock_.Advance(milliseconds(5));
  const auto outcome = impatient.get();
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(outcome.error().code(), Code::kUnavailable);
  EXPECT_THAT(outcome.error().message(), HasSubstr("no answer came in time"));
  // The late answer goes nowhere, the other to whom it belongs.
  for (RpcHandler::Answer& answer : held_.Take()) answer("late");
  EXPECT_EQ(patient.get().value(), "late");
}

TEST_F(RpcCallsTest, TooManyAtOnceAreRefusedAtOnce) {
  client_options_.calls_max = 3;
  Start(Hold());
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 3; ++i) outcomes.push_back(Begin(1, ""));
  EXPECT_EQ(Call(1, "").error().code(), Code::kOverloaded);
  held_.WaitFor(3);
  for (RpcHandler::Answer& answer : held_.Take()) answer("done");
  for (Outcome& outcome : outcomes) EXPECT_TRUE(outcome.get().has_value());
  Outcome next = Begin(1, "");
  held_.WaitFor(1);
  for (RpcHandler::Answer& answer : held_.Take()) answer("done");
  EXPECT_TRUE(next.get().has_value());
}

TEST_F(RpcCallsTest, TheServerTakesNoMoreThanItsLimitAtOnce) {
  server_options_.limits.requests_max = 2;
  std::atomic<int> under_way = 0;
  std::atomic<int> most = 0;
  Start([&](NodeId, uint16_t, const std::string&, RpcHandler::Answer answer) {
    most = std::max<int>(most, ++under_way);
    held_.Add([&, answer = std::move(answer)](const Result<std::string>& text) mutable {
      --under_way;
      answer(text);
    });
  });
  std::vector<Outcome> outcomes;
  for (int i = 0; i < 20; ++i) outcomes.push_back(Begin(1, ""));
  for (size_t given = 0; given < outcomes.size(); given += 2) {
    held_.WaitFor(2);
    for (RpcHandler::Answer& answer : held_.Take()) answer("done");
  }
  for (Outcome& outcome : outcomes) EXPECT_TRUE(outcome.get().has_value());
  EXPECT_EQ(most, 2);
}

TEST_F(RpcCallsTest, ServersThatStopAnswerWhatTheyHave) {
  Start(Hold());
  Outcome outcome = Begin(1, "");
  held_.WaitFor(1);
  std::thread stop([this] { server_->Stop(kLong); });
  for (RpcHandler::Answer& answer : held_.Take()) answer("last words");
  stop.join();
  EXPECT_EQ(outcome.get().value(), "last words");
}

TEST_F(RpcCallsTest, ClientsThatStopAnswerAll) {
  Start(Hold());
  Outcome sent = Begin(1, "");
  held_.WaitFor(1);
  Outcome waiting = Begin(1, "");
  client_->Stop();
  EXPECT_EQ(sent.get().error().code(), Code::kUnavailable);
  EXPECT_EQ(waiting.get().error().code(), Code::kUnavailable);
  EXPECT_EQ(Call(1, "").error().code(), Code::kUnavailable);
  for (RpcHandler::Answer& answer : held_.Take()) answer("to nobody");
}

TEST_F(RpcCallsTest, FollowTheCalleeToAnotherAddress) {
  FunctionHandler other_handler([](NodeId, uint16_t, const std::string&,
                                   RpcHandler::Answer answer) { answer("from the new place"); });
  Start(Hold());
  auto other = RpcServer::Start(loops_, server_options_, *tls_, clock_, metrics_, other_handler);
  ASSERT_TRUE(other.has_value());
  Outcome left_behind = Begin(1, "");
  held_.WaitFor(1);
  client_->MoveTo({"localhost", (*other)->port()});
  EXPECT_EQ(left_behind.get().error().code(), Code::kUnavailable);
  EXPECT_EQ(PassUntil(Begin(1, "")).value(), "from the new place");
}

}  // namespace
}  // namespace orrery::net
