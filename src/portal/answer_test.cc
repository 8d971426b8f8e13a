#include "portal/answer.h"

#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <memory>
#include <utility>

namespace orrery::portal {
namespace {

// Keeps the response for the test.
class Catcher : public net::HttpResponder::Sink {
 public:
  void Deliver(net::HttpResponse response) override { promise_.set_value(std::move(response)); }
  net::HttpResponse Wait() { return promise_.get_future().get(); }

 private:
  std::promise<net::HttpResponse> promise_;
};

TEST(Answer, TurnsErrorsIntoResponses) {
  auto catcher = std::make_shared<Catcher>();
  net::HttpResponder responder(catcher);
  Answer(responder, Fail(Code::kNotFound, "gone"));
  EXPECT_EQ(catcher->Wait().status, 404);
}

TEST(AnswerFromPool, RunsTheWorkThere) {
  ThreadPool pool("test", 1, 4);
  auto catcher = std::make_shared<Catcher>();
  AnswerFromPool(
      pool, Call{{{}, net::HttpResponder(catcher)}, {"x"}},
      [](const Call& call) -> Outcome { return net::HttpResponse::Text(200, call.parameters[0]); });
  EXPECT_EQ(catcher->Wait().body, "x");
}

TEST(AnswerFromPool, AFullPoolAnswersAtOnce) {
  std::latch started(1);
  std::latch release(1);
  ThreadPool pool("test", 1, 1);  // after what its tasks use
  ASSERT_TRUE(pool.Submit([&] {
    started.count_down();
    release.wait();
  }));
  started.wait();
  ASSERT_TRUE(pool.Submit([] {}));
  auto catcher = std::make_shared<Catcher>();
  AnswerFromPool(pool, Call{{{}, net::HttpResponder(catcher)}, {}}, [](const Call&) -> Outcome {
    ADD_FAILURE() << "was run";
    return net::HttpResponse();
  });
  EXPECT_EQ(catcher->Wait().status, 503);
  release.count_down();
}

TEST(AnswerFromPool, NothingIsDoneForAClientThatHasGone) {
  ManualClock clock;
  const auto origin = std::make_shared<RequestOrigin>(clock);
  origin->Cancel(StopReason::kClientGone);
  ThreadPool pool("test", 1, 4);
  auto catcher = std::make_shared<Catcher>();
  Call call{{{}, net::HttpResponder(catcher)}, {}};
  call.request.context = RequestContext(origin);
  AnswerFromPool(pool, std::move(call), [](const Call&) -> Outcome {
    ADD_FAILURE() << "was run";
    return net::HttpResponse();
  });
  EXPECT_EQ(catcher->Wait().status, 503);
}

TEST(JsonBody, EmptyIsAnEmptyObject) {
  net::HttpRequest request;
  EXPECT_TRUE(JsonBody(request)->view().empty());
  request.body = "[1]";
  EXPECT_EQ(JsonBody(request).error().code(), Code::kInvalidArgument);
  request.body = "{\"a\":";
  EXPECT_EQ(JsonBody(request).error().code(), Code::kInvalidArgument);
  request.body = "{\"a\":1}";
  EXPECT_EQ(JsonBody(request)->view().Get("a").AsInteger(), 1);
}

}  // namespace
}  // namespace orrery::portal
