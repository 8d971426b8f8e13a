#include "base/work_scope.h"

#include <gtest/gtest.h>

#include <memory>

namespace orrery {
namespace {

TEST(WorkScopeTest, StopsWhatIsBelowIt) {
  const ManualClock clock;
  const auto origin = std::make_shared<RequestOrigin>(clock);
  const RequestContext context(origin);
  EXPECT_FALSE(WorkScope::Step(1'000'000));
  WorkScope scope(context);
  EXPECT_FALSE(WorkScope::Step(1'000'000));
  origin->Cancel(StopReason::kClientGone);
  EXPECT_FALSE(WorkScope::Step());  // it looks now and then only
  EXPECT_TRUE(WorkScope::Step(StopCheck::kStepsPerLook));
  EXPECT_TRUE(WorkScope::Step());
  EXPECT_EQ(WorkScope::stop_reason(), StopReason::kClientGone);
}

TEST(WorkScopeTest, TheInnermostCounts) {
  ManualClock clock;
  const auto origin = std::make_shared<RequestOrigin>(clock);
  const RequestContext outer(origin, clock.Monotonic() + Micros(10));
  const RequestContext inner;
  WorkScope outside(outer);
  clock.Advance(std::chrono::seconds(1));
  {
    WorkScope inside(inner);
    EXPECT_EQ(WorkScope::stop_reason(), StopReason::kNone);
  }
  EXPECT_EQ(WorkScope::stop_reason(), StopReason::kDeadline);
}

TEST(WorkScopeTest, AnotherFlagEndsItToo) {
  const RequestContext context;
  std::atomic<bool> killed = false;
  WorkScope scope(context, &killed);
  EXPECT_EQ(WorkScope::stop_reason(), StopReason::kNone);
  killed = true;
  EXPECT_TRUE(WorkScope::Step(StopCheck::kStepsPerLook));
}

}  // namespace
}  // namespace orrery
