#include "gateway/change_bell.h"

#include <gtest/gtest.h>

namespace orrery::gateway {
namespace {

TEST(ChangeBellTest, CallsThoseThatWaitForTheContainerOnce) {
  ChangeBell bell;
  int first = 0;
  int second = 0;
  bell.Listen({ContainerId(1), ContainerId(2)}, [&] { ++first; });
  bell.Listen({ContainerId(2)}, [&] { ++second; });
  bell.Ring(ContainerId(3));
  EXPECT_EQ(bell.listening(), 2u);
  bell.Ring(ContainerId(1));
  bell.Ring(ContainerId(1));
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
  bell.Ring(ContainerId(2));
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(bell.listening(), 0u);
}

TEST(ChangeBellTest, ForgetsAndRingsAll) {
  ChangeBell bell;
  int called = 0;
  const uint64_t gone = bell.Listen({ContainerId(1)}, [&] { ++called; });
  bell.Listen({}, [&] { called += 10; });
  bell.Forget(gone);
  bell.Ring(ContainerId(1));
  EXPECT_EQ(called, 0);
  bell.RingAll();
  bell.RingAll();
  EXPECT_EQ(called, 10);
}

TEST(ChangeBellTest, AListenerMayListenAgainWhenItIsCalled) {
  ChangeBell bell;
  int called = 0;
  std::function<void()> again = [&] {
    ++called;
    bell.Listen({ContainerId(1)}, again);
  };
  bell.Listen({ContainerId(1)}, again);
  bell.Ring(ContainerId(1));
  bell.Ring(ContainerId(1));
  EXPECT_EQ(called, 2);
}

}  // namespace
}  // namespace orrery::gateway
