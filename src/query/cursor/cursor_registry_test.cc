#include "query/cursor/cursor_registry.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>

namespace orrery::query {
namespace {

using std::chrono::minutes;

// Tells when it is destroyed.
class CountedRun final : public KeptRun {
 public:
  explicit CountedRun(int& alive, size_t size = 10) : size(size), alive_(alive) { ++alive_; }
  ~CountedRun() override { --alive_; }
  size_t bytes() const override { return size; }

  size_t size;

 private:
  int& alive_;
};

class CursorRegistryTest : public testing::Test {
 protected:
  CursorRegistry& registry() {
    if (!registry_.has_value())
      registry_.emplace(CursorRegistry::Parts{.clock = clock,
                                              .metrics = metrics,
                                              .random = [this] { return next_random++; },
                                              .api = "test",
                                              .limits = limits});
    return *registry_;
  }
  Result<CursorId> Add(std::string owner, size_t bytes = 10) {
    return registry().Add(std::make_unique<CountedRun>(alive, bytes), {.owner = std::move(owner)});
  }
  double Counted(std::string_view name) {
    return static_cast<double>(metrics.GetCounter(name, "", {{"api", "test"}}).value());
  }
  double Gauged(std::string_view name) {
    return metrics.GetGauge(name, "", {{"api", "test"}}).value();
  }

  ManualClock clock;
  MetricsRegistry metrics;
  uint64_t next_random = 1;
  CursorLimits limits{.cursors_max = 4,
                      .cursors_of_owner_max = 3,
                      .bytes_max = 100,
                      .bytes_of_owner_max = 60,
                      .idle_max = minutes(10)};
  int alive = 0;

 private:
  std::optional<CursorRegistry> registry_;
};

TEST_F(CursorRegistryTest, KeepsARunBetweenUses) {
  const auto id = Add("ann");
  ASSERT_TRUE(id.has_value());
  for (int i = 0; i < 3; ++i) {
    auto use = registry().CheckOut(*id, "ann");
    ASSERT_TRUE(use.has_value());
    EXPECT_EQ(use->run().bytes(), 10);
    EXPECT_TRUE((*std::move(use)).Return().has_value());
  }
  EXPECT_EQ(alive, 1);
}

TEST_F(CursorRegistryTest, AUseThatIsNotReturnedEndsTheCursor) {
  const auto id = Add("ann");
  {
    const auto use = registry().CheckOut(*id, "ann");
  }
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(registry().CheckOut(*id, "ann").error(), CursorRefusal::kNotFound);
  EXPECT_EQ(Gauged("orrery_cursors_open"), 0);
}

TEST_F(CursorRegistryTest, TellsInUseFromForeignFromNotFound) {
  const auto id = Add("ann");
  const auto use = registry().CheckOut(*id, "ann");
  ASSERT_TRUE(use.has_value());
  EXPECT_EQ(registry().CheckOut(*id, "ann").error(), CursorRefusal::kInUse);
  EXPECT_EQ(registry().CheckOut(*id, "bob").error(), CursorRefusal::kForeign);
  EXPECT_EQ(registry().CheckOut(CursorId(99), "ann").error(), CursorRefusal::kNotFound);
  EXPECT_EQ(registry().Kill(*id, "bob").error(), CursorRefusal::kForeign);
  EXPECT_EQ(registry().Kill(CursorId(99), "ann").error(), CursorRefusal::kNotFound);
}

TEST_F(CursorRegistryTest, IdsArePositiveAndUnique) {
  next_random = uint64_t{1} << 63;  // without its sign bit: 0, which is no id
  EXPECT_EQ(Add("ann"), CursorId(1));
  next_random = (uint64_t{1} << 63) + 1;  // taken
  EXPECT_EQ(Add("ann"), CursorId(2));
  next_random = UINT64_MAX;
  EXPECT_EQ(Add("ann"), CursorId(INT64_MAX));
}

TEST_F(CursorRegistryTest, IdleCursorsTimeOut) {
  const auto old = Add("ann");
  clock.Advance(minutes(6));
  const auto young = Add("ann");
  clock.Advance(minutes(4));
  EXPECT_EQ(alive, 2);
  registry().Expire();
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(registry().CheckOut(*old, "ann").error(), CursorRefusal::kNotFound);
  EXPECT_TRUE(registry().CheckOut(*young, "ann").has_value());
  EXPECT_EQ(Counted("orrery_cursors_timed_out_total"), 1);
}

TEST_F(CursorRegistryTest, AnExpiredCursorIsNotUsedEvenIfNobodyRemovedIt) {
  const auto id = Add("ann");
  clock.Advance(minutes(10));
  EXPECT_TRUE(registry().List().empty());
  EXPECT_EQ(registry().CheckOut(*id, "ann").error(), CursorRefusal::kNotFound);
}

TEST_F(CursorRegistryTest, EachUseBeginsTheIdleTimeAnew) {
  const auto id = Add("ann");
  for (int i = 0; i < 3; ++i) {
    clock.Advance(minutes(9));
    auto use = registry().CheckOut(*id, "ann");
    ASSERT_TRUE(use.has_value());
    clock.Advance(minutes(30));  // a cursor in use does not time out
    registry().Expire();
    ASSERT_TRUE((*std::move(use)).Return().has_value());
  }
}

TEST_F(CursorRegistryTest, ACursorMayNeverTimeOut) {
  const auto id = registry().Add(std::make_unique<CountedRun>(alive),
                                 {.owner = "ann", .never_times_out = true});
  clock.Advance(minutes(10'000));
  registry().Expire();
  EXPECT_TRUE(registry().CheckOut(*id, "ann").has_value());
}

TEST_F(CursorRegistryTest, RefusesWhatIsPastALimit) {
  const auto refused = [&](std::string owner, size_t bytes) {
    const auto id = Add(std::move(owner), bytes);
    return !id.has_value() && id.error().code() == Code::kResourceExhausted;
  };
  EXPECT_TRUE(refused("ann", 61));
  ASSERT_TRUE(Add("ann", 60).has_value());
  EXPECT_TRUE(refused("ann", 1));
  EXPECT_TRUE(refused("bob", 41));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Add("bob", 1).has_value());
  EXPECT_TRUE(refused("bob", 1));  // three of one owner
  EXPECT_TRUE(refused("eve", 1));  // four in all
  EXPECT_EQ(alive, 4);
  EXPECT_EQ(Counted("orrery_cursors_refused_total"), 5);
  EXPECT_EQ(Gauged("orrery_cursor_bytes"), 63);
}

TEST_F(CursorRegistryTest, ExpiredCursorsMakeRoom) {
  ASSERT_TRUE(Add("ann", 60).has_value());
  clock.Advance(minutes(10));
  EXPECT_TRUE(Add("ann", 60).has_value());
  EXPECT_EQ(alive, 1);
}

TEST_F(CursorRegistryTest, BytesAreCountedAnewAtEachReturn) {
  const auto id = Add("ann", 60);
  auto use = registry().CheckOut(*id, "ann");
  dynamic_cast<CountedRun&>(use->run()).size = 20;
  ASSERT_TRUE((*std::move(use)).Return().has_value());
  EXPECT_EQ(Gauged("orrery_cursor_bytes"), 20);
  ASSERT_TRUE(Add("ann", 30).has_value());

  auto grown = registry().CheckOut(*id, "ann");
  dynamic_cast<CountedRun&>(grown->run()).size = 31;
  const Status returned = (*std::move(grown)).Return();
  ASSERT_FALSE(returned.has_value());
  EXPECT_EQ(returned.error().code(), Code::kResourceExhausted);
  EXPECT_EQ(registry().CheckOut(*id, "ann").error(), CursorRefusal::kNotFound);
  EXPECT_EQ(Gauged("orrery_cursor_bytes"), 30);
}

TEST_F(CursorRegistryTest, KillsOneAllOfAnOwnerAndAll) {
  const auto one = Add("ann");
  ASSERT_TRUE(Add("ann").has_value());
  const auto bobs = Add("bob");
  ASSERT_TRUE(Add("eve").has_value());
  EXPECT_TRUE(registry().Kill(*one, "ann").has_value());
  EXPECT_EQ(registry().Kill(*one, "ann").error(), CursorRefusal::kNotFound);
  EXPECT_EQ(registry().KillOwner("ann"), 1);
  EXPECT_EQ(alive, 2);
  EXPECT_EQ(registry().List().front().id, *bobs);
  EXPECT_EQ(registry().KillAll(), 2);
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(Counted("orrery_cursors_killed_total"), 4);
}

TEST_F(CursorRegistryTest, ACursorInUseIsKilledWhenItIsReturned) {
  const auto id = Add("ann");
  auto use = registry().CheckOut(*id, "ann");
  EXPECT_FALSE(use->killed());
  EXPECT_TRUE(registry().Kill(*id, "ann").has_value());
  EXPECT_TRUE(use->killed());
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(registry().CheckOut(*id, "ann").error(), CursorRefusal::kNotFound);
  EXPECT_EQ(registry().KillAll(), 0);
  EXPECT_TRUE(registry().List().empty());
  const Status returned = (*std::move(use)).Return();
  ASSERT_FALSE(returned.has_value());
  EXPECT_EQ(returned.error().code(), Code::kCancelled);
  EXPECT_EQ(alive, 0);
}

TEST_F(CursorRegistryTest, ListsWhatItKeeps) {
  const auto idle = Add("ann", 7);
  clock.Advance(minutes(2));
  const auto used = Add("bob", 8);
  const auto use = registry().CheckOut(*used, "bob");
  const auto infos = registry().List();
  ASSERT_EQ(infos.size(), 2);
  EXPECT_EQ(infos[0].id, *idle);
  EXPECT_EQ(infos[0].owner, "ann");
  EXPECT_EQ(infos[0].bytes, 7);
  EXPECT_EQ(infos[0].idle, minutes(2));
  EXPECT_FALSE(infos[0].in_use);
  EXPECT_TRUE(infos[1].in_use);
}

// A run that uses the registry as it goes, which a lock would not survive.
class CallingRun final : public KeptRun {
 public:
  explicit CallingRun(CursorRegistry& registry) : registry_(registry) {}
  ~CallingRun() override { (void)registry_.List(); }
  size_t bytes() const override { return registry_.List().size(); }

 private:
  CursorRegistry& registry_;
};

TEST_F(CursorRegistryTest, CallsRunsWithoutALock) {
  const auto add = [&] {
    return registry().Add(std::make_unique<CallingRun>(registry()), {.owner = "ann"});
  };
  EXPECT_TRUE(registry().Kill(*add(), "ann").has_value());
  ASSERT_TRUE(add().has_value());
  clock.Advance(minutes(10));
  registry().Expire();
  ASSERT_TRUE(add().has_value());
  EXPECT_EQ(registry().KillAll(), 1);
  const auto id = add();
  auto use = registry().CheckOut(*id, "ann");
  EXPECT_TRUE((*std::move(use)).Return().has_value());
  {
    const auto dropped = registry().CheckOut(*id, "ann");
  }
  for (int i = 0; i < 4; ++i) (void)add();  // the last is refused
  EXPECT_EQ(registry().KillAll(), 3);
}

TEST_F(CursorRegistryTest, OneUserAtATimeAmongThreads) {
  const auto id = Add("ann");
  std::atomic<int> users = 0;
  std::atomic<int> uses = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        auto use = registry().CheckOut(*id, "ann");
        if (!use.has_value()) continue;
        EXPECT_EQ(users.fetch_add(1), 0);
        ++uses;
        users.fetch_sub(1);
        EXPECT_TRUE((*std::move(use)).Return().has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(uses, 0);
  EXPECT_EQ(alive, 1);
}

}  // namespace
}  // namespace orrery::query
