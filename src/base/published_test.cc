#include "base/published.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace orrery {
namespace {

TEST(PublishedTest, IsEmptyAtFirst) {
  const Published<int> published;
  EXPECT_EQ(published.Load(), nullptr);
  EXPECT_TRUE(published.IsNewest(nullptr));
}

TEST(PublishedTest, HandsOutTheNewest) {
  Published<int> published(std::make_shared<int>(1));
  const auto first = published.Load();
  EXPECT_EQ(*first, 1);
  EXPECT_TRUE(published.IsNewest(first.get()));
  published.Store(std::make_shared<int>(2));
  EXPECT_EQ(*published.Load(), 2);
  EXPECT_FALSE(published.IsNewest(first.get()));
}

TEST(PublishedTest, TheLastReaderOfAnOldSnapshotEndsIt) {
  auto snapshot = std::make_shared<int>(1);
  const std::weak_ptr<int> alive = snapshot;
  Published<int> published(snapshot);
  auto reader = published.Load();
  snapshot.reset();
  published.Store(std::make_shared<int>(2));
  EXPECT_FALSE(alive.expired());
  reader.reset();
  EXPECT_TRUE(alive.expired());
}

TEST(PublishedTest, NobodySeesAnOlderOneAfterANewer) {
  constexpr int kSnapshots = 2'000;
  Published<int> published(std::make_shared<int>(0));
  std::atomic<int> seen = 0;
  std::vector<std::thread> readers;
  std::atomic<bool> wrong = false;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      for (int last = 0; last < kSnapshots;) {
        const int at_least = seen.load();
        last = *published.Load();
        if (last < at_least) wrong = true;
        for (int known = at_least; known < last && !seen.compare_exchange_weak(known, last);) {
        }
      }
    });
  }
  for (int i = 1; i <= kSnapshots; ++i) published.Store(std::make_shared<int>(i));
  for (std::thread& reader : readers) reader.join();
  EXPECT_FALSE(wrong);
}

}  // namespace
}  // namespace orrery
