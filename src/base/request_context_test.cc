#include "base/request_context.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(RequestContextTest, WithoutAnOriginNothingStopsIt) {
  const RequestContext context;
  EXPECT_EQ(context.stop_reason(), StopReason::kNone);
  EXPECT_TRUE(context.Check().has_value());
  ByteShare share = context.Memory();
  EXPECT_TRUE(share.TryHold(size_t{1} << 40));
}

TEST(RequestContextTest, AllRequestsOfAnOriginAreCancelledTogether) {
  ManualClock clock;
  const auto origin = std::make_shared<RequestOrigin>(clock);
  const RequestContext first(origin);
  const RequestContext second(origin);
  EXPECT_EQ(first.stop_reason(), StopReason::kNone);
  origin->Cancel(StopReason::kClientGone);
  origin->Cancel(StopReason::kServerStopping);
  for (const RequestContext* context : {&first, &second}) {
    EXPECT_EQ(context->Check().error().code(), Code::kCancelled);
    EXPECT_EQ(context->stop_reason(), StopReason::kClientGone) << "the first reason counts";
  }
}

TEST(RequestContextTest, TheEarlierDeadlineCounts) {
  ManualClock clock;
  const auto origin = std::make_shared<RequestOrigin>(clock);
  const Micros start = clock.Monotonic();
  const RequestContext request(origin, start + std::chrono::seconds(10));
  const RequestContext page = request.Until(start + std::chrono::seconds(5));
  EXPECT_EQ(request.Until(start + std::chrono::seconds(20)).deadline(), request.deadline());
  clock.Advance(std::chrono::seconds(5));
  EXPECT_EQ(request.stop_reason(), StopReason::kNone);
  EXPECT_EQ(page.stop_reason(), StopReason::kDeadline);
  EXPECT_EQ(page.Check().error().code(), Code::kCancelled);
  clock.Advance(std::chrono::seconds(5));
  EXPECT_EQ(request.stop_reason(), StopReason::kDeadline);
}

TEST(RequestContextTest, MemoryIsCountedWhereAllRequestsAre) {
  ManualClock clock;
  const auto budget = std::make_shared<ByteBudget>(100);
  const RequestContext context(std::make_shared<RequestOrigin>(clock, budget));
  ByteShare first = context.Memory();
  ASSERT_TRUE(first.TryHold(80));
  ByteShare second = context.Memory();
  EXPECT_FALSE(second.TryHold(30));
  EXPECT_EQ(budget->bytes(), 80u);
}

TEST(StopCheckTest, LooksNowAndThenAndStaysStopped) {
  ManualClock clock;
  const auto origin = std::make_shared<RequestOrigin>(clock);
  const RequestContext context(origin);
  StopCheck stop(context);
  origin->Cancel(StopReason::kClientGone);
  uint32_t steps = 1;
  while (!stop.Step()) ++steps;
  EXPECT_EQ(steps, StopCheck::kStepsPerLook);
  EXPECT_TRUE(stop.Step());

  StopCheck heavy(context);
  EXPECT_TRUE(heavy.Step(StopCheck::kStepsPerLook)) << "much work at once is looked at at once";
}

}  // namespace
}  // namespace orrery
