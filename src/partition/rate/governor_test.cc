#include "partition/rate/governor.h"

#include <gtest/gtest.h>

#include <queue>
#include <random>
#include <thread>
#include <vector>

namespace orrery::partition {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Micros kStart = std::chrono::hours(1'000);

RequestUnits Units(double units) {
  return RequestUnits::FromHundredths(static_cast<int64_t>(units * 100));
}

// Requests of `cost` at `now` until one is refused; the number admitted.
int Drain(Governor& governor, RequestUnits cost, Micros now) {
  for (int admitted = 0;; ++admitted) {
    if (!governor.Reserve(cost, now).admitted) return admitted;
  }
}

TEST(Governor, GivesOneSecondsRateEachSecond) {
  Governor governor(Units(1'000), {}, kStart);
  for (int second = 0; second < 5; ++second) {
    EXPECT_EQ(Drain(governor, Units(10), kStart + seconds(second)), 100);
    EXPECT_EQ(Drain(governor, Units(10), kStart + seconds(second) + milliseconds(999)), 0);
  }
}

TEST(Governor, FirstRequestAfterSilenceStartsTheSeconds) {
  Governor governor(Units(100), {}, kStart);
  for (const Micros first : {milliseconds(730), milliseconds(9'870)}) {
    EXPECT_EQ(Drain(governor, Units(1), kStart + first), 100);
    EXPECT_EQ(Drain(governor, Units(1), kStart + first + milliseconds(999)), 0);
    EXPECT_EQ(Drain(governor, Units(1), kStart + first + seconds(1)), 100);
  }
}

TEST(Governor, UnusedBudgetIsLostWithoutBurst) {
  Governor governor(Units(100), {}, kStart);
  ASSERT_TRUE(governor.Reserve(Units(1), kStart).admitted);
  EXPECT_EQ(Drain(governor, Units(1), kStart + milliseconds(1'500)), 100);
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(500)), 100);
}

TEST(Governor, DebtIsPaidByFollowingSeconds) {
  Governor governor(Units(100), {}, kStart);
  ASSERT_TRUE(governor.Reserve(Units(350), kStart).admitted);
  EXPECT_EQ(governor.Reserve(Units(1), kStart).retry_after_ms, 3'000u);
  EXPECT_EQ(Drain(governor, Units(1), kStart + milliseconds(2'999)), 0);
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(3)), 50);
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(4)), 100);
}

TEST(Governor, DebtOfAWholeMultipleNeedsOneWindowMore) {
  Governor governor(Units(100), {}, kStart);
  ASSERT_TRUE(governor.Reserve(Units(200), kStart).admitted);
  EXPECT_EQ(governor.Reserve(Units(1), kStart + milliseconds(400)).retry_after_ms, 1'600u);
  EXPECT_TRUE(governor.Reserve(Units(1), kStart + seconds(2)).admitted);
}

TEST(Governor, HugeOperationIsAdmittedOnceAndItsDebtIsBounded) {
  Governor governor(Units(400), {}, kStart);
  ASSERT_TRUE(governor.Reserve(Units(1e9), kStart).admitted);
  const Admission refused = governor.Reserve(Units(1), kStart);
  ASSERT_FALSE(refused.admitted);
  EXPECT_NEAR(refused.retry_after_ms, 600'000 / 400 * 1'000, 2'000);
  EXPECT_TRUE(governor.Reserve(Units(1), kStart + milliseconds(refused.retry_after_ms)).admitted);
}

TEST(Governor, GivesTheHighestRateToo) {
  Governor governor(Governor::kRateMax, {}, kStart);
  for (int second = 0; second < 3; ++second) {
    EXPECT_EQ(Drain(governor, Units(1'000), kStart + seconds(second)), 20'000);
    EXPECT_EQ(Drain(governor, Units(1'000), kStart + seconds(second) + milliseconds(999)), 0);
  }
}

TEST(Governor, LongSilencePaysEveryDebt) {
  for (const auto silence : {std::chrono::hours(24 * 20), std::chrono::hours(24 * 40),
                             std::chrono::hours(24 * 60), std::chrono::hours(24 * 400)}) {
    Governor governor(Units(400), {}, kStart);
    ASSERT_TRUE(governor.Reserve(Units(1e9), kStart).admitted);
    EXPECT_EQ(Drain(governor, Units(1), kStart + silence), 400);
    EXPECT_EQ(Drain(governor, Units(1), kStart + silence + seconds(1)), 400);
  }
}

TEST(Governor, LateThreadsFindNoNewBudget) {
  Governor governor(Units(100), {}, kStart);
  ASSERT_EQ(Drain(governor, Units(1), kStart + seconds(60)), 100);
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(60) - Governor::kLateMax), 0);
  governor.Settle(Units(50), kStart + seconds(55));
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(61)), 50);
}

TEST(Governor, SettlingTakesAndGivesBack) {
  Governor governor(Units(100), {}, kStart);
  ASSERT_TRUE(governor.Reserve(Units(60), kStart).admitted);
  governor.Settle(Units(-50), kStart + milliseconds(10));
  EXPECT_EQ(Drain(governor, Units(10), kStart + milliseconds(20)), 9);
  governor.Settle(Units(120), kStart + milliseconds(30));
  EXPECT_EQ(governor.Reserve(Units(1), kStart + milliseconds(30)).retry_after_ms, 1'970u);
}

TEST(Governor, LateChargeIsNotForgivenBySilence) {
  Governor governor(Units(100), {}, kStart);
  ASSERT_TRUE(governor.Reserve(Units(1), kStart).admitted);
  governor.Settle(Units(500), kStart + milliseconds(5'500));
  EXPECT_EQ(Drain(governor, Units(1), kStart + milliseconds(9'900)), 0);
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(10)), 100);
}

TEST(Governor, LateRefundDoesNotEndSilence) {
  Governor governor(Units(100), {}, kStart);
  ASSERT_TRUE(governor.Reserve(Units(50), kStart).admitted);
  governor.Settle(Units(-10), kStart + milliseconds(5'000));
  EXPECT_EQ(Drain(governor, Units(1), kStart + milliseconds(5'900)), 100);
  EXPECT_EQ(Drain(governor, Units(1), kStart + milliseconds(6'100)), 0);
}

TEST(Governor, ObeyedRetryAfterSucceeds) {
  constexpr uint64_t kSeed = 31'337;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 2'000; ++round) {
    const auto rate = RequestUnits::FromHundredths(1 + static_cast<int64_t>(random() % 2'000'000));
    Governor governor(rate, {.burst = random() % 2 == 0}, kStart);
    Micros now = kStart + Micros(random() % 5'000'000);
    for (int i = 0; i < 20; ++i) {
      const auto cost = RequestUnits::FromHundredths(static_cast<int64_t>(random() % 1'000'000));
      const Admission admission = governor.Reserve(cost, now);
      if (admission.admitted) {
        now += Micros(random() % 300'000);
        continue;
      }
      ASSERT_GE(admission.retry_after_ms, 1u);
      now += milliseconds(admission.retry_after_ms);
      ASSERT_TRUE(governor.Reserve(cost, now).admitted)
          << "seed " << kSeed << " rate " << rate.ToString();
    }
  }
}

TEST(Governor, UnmeteredAdmitsAndCounts) {
  Governor governor(RequestUnits(), {}, kStart);
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(governor.Reserve(Units(1'000), kStart).admitted);
  governor.Settle(Units(5), kStart);
  EXPECT_EQ(governor.Usage(kStart).used_total, Units(1'000'005));
}

TEST(Governor, NewRateCountsFromTheNextWindow) {
  Governor governor(Units(100), {}, kStart);
  EXPECT_EQ(Drain(governor, Units(1), kStart), 100);
  governor.SetRate(Units(1'000));
  EXPECT_EQ(governor.rate(), Units(1'000));
  EXPECT_EQ(Drain(governor, Units(1), kStart + milliseconds(500)), 0);
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(1)), 1'000);
  governor.SetRate(Units(10));
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(2)), 10);
}

TEST(Governor, BurstSpendsWhatIdlenessSaved) {
  Governor governor(Units(100), {.burst = true}, kStart);
  // 600 idle seconds save 300 seconds' worth: 30,000 RU on top of the 100 of each second.
  const Micros begin = kStart + seconds(600);
  int total = 0;
  for (int second = 0; second < 20; ++second) {
    const int admitted = Drain(governor, Units(10), begin + seconds(second)) * 10;
    EXPECT_LE(admitted, 3'000);
    total += admitted;
    if (second < 10) {
      EXPECT_EQ(admitted, 3'000);
    }
    if (second > 10) {
      EXPECT_EQ(admitted, 100);
    }
  }
  EXPECT_EQ(total, 30'000 + 20 * 100);
}

TEST(Governor, BurstSavesPartlyUsedSecondsAndStartsEmpty) {
  Governor governor(Units(100), {.burst = true}, kStart);
  EXPECT_EQ(Drain(governor, Units(1), kStart), 100);
  ASSERT_TRUE(governor.Reserve(Units(40), kStart + seconds(1)).admitted);
  EXPECT_EQ(Drain(governor, Units(1), kStart + seconds(2)), 160);
}

TEST(Governor, FastPartitionsDoNotBurst) {
  Governor governor(Units(3'000), {.burst = true}, kStart);
  EXPECT_EQ(Drain(governor, Units(10), kStart + seconds(900)), 300);
}

TEST(Governor, UsageMeters) {
  Governor governor(Units(100), {}, kStart);
  EXPECT_EQ(Drain(governor, Units(10), kStart), 10);
  governor.Settle(Units(-5), kStart);
  const GovernorUsage usage = governor.Usage(kStart + seconds(1));
  EXPECT_EQ(usage.used_last_second, Units(95));
  EXPECT_EQ(usage.used_total, Units(95));
  EXPECT_EQ(usage.admitted_total, 10u);
  EXPECT_EQ(usage.throttled_total, 1u);
  EXPECT_EQ(governor.Usage(kStart + seconds(2)).used_last_second, RequestUnits());
}

TEST(Governor, AutoscaleBillsTheHighestSecondOfTheHour) {
  const RequestUnits max = Units(4'000);
  Governor governor(max, {}, kStart);
  EXPECT_EQ(governor.autoscale().BilledThisHour(max, kStart), Units(400));
  Drain(governor, Units(10), kStart);
  EXPECT_EQ(governor.autoscale().BilledThisHour(max, kStart), max);
  const Micros next_hour = kStart + std::chrono::hours(1);
  EXPECT_EQ(governor.autoscale().BilledLastHour(max, next_hour), max);
  ASSERT_TRUE(governor.Reserve(Units(1'230), next_hour).admitted);
  EXPECT_EQ(governor.autoscale().BilledThisHour(max, next_hour), Units(1'300));
  EXPECT_EQ(governor.autoscale().BilledLastHour(max, next_hour + std::chrono::hours(1)),
            Units(1'300));
}

TEST(Governor, TenantsDoNotDisturbEachOther) {
  Governor noisy(Units(400), {}, kStart);
  Governor quiet(Units(400), {}, kStart);
  for (int second = 0; second < 10; ++second) {
    for (int i = 0; i < 1'000; ++i) noisy.Reserve(Units(5), kStart + seconds(second));
    for (int i = 0; i < 80; ++i) {
      EXPECT_TRUE(quiet.Reserve(Units(5), kStart + seconds(second)).admitted);
    }
  }
  EXPECT_EQ(quiet.Usage(kStart).throttled_total, 0u);
}

// Clients in a closed loop: reserve, work for a while, settle, go on; when refused, wait as told or
// a little longer. Returns what was really spent on requests admitted within ten seconds.
RequestUnits DriveForTenSeconds(Governor& governor, std::mt19937_64& random, int clients,
                                int64_t cost, int64_t misestimate_percent) {
  struct Event {
    Micros at;
    RequestUnits difference;  // to settle first; zero = nothing
    bool operator<(const Event& other) const { return at > other.at; }
  };
  const Micros end = kStart + seconds(10);
  std::priority_queue<Event> events;
  for (int i = 0; i < clients; ++i) events.push({kStart, RequestUnits()});
  RequestUnits spent;
  while (!events.empty()) {
    const Event event = events.top();
    events.pop();
    governor.Settle(event.difference, event.at);
    if (event.at >= end) continue;
    const RequestUnits estimate = RequestUnits::FromHundredths(cost);
    const Admission admission = governor.Reserve(estimate, event.at);
    if (!admission.admitted) {
      const auto jitter = Micros(random() % 5'000);
      events.push({event.at + milliseconds(admission.retry_after_ms) + jitter, RequestUnits()});
      continue;
    }
    const int64_t span = cost * misestimate_percent / 100;
    const int64_t off = span == 0 ? 0 : static_cast<int64_t>(random() % (2 * span + 1)) - span;
    spent += RequestUnits::FromHundredths(cost + off);
    events.push({event.at + Micros(500 + random() % 20'000), RequestUnits::FromHundredths(off)});
  }
  return spent;
}

TEST(Governor, OverdrivenTenSecondsGiveTheRateWithinThreePercent) {
  constexpr uint64_t kSeed = 90'210;
  std::mt19937_64 random(kSeed);
  for (const int64_t rate : {400, 1'000, 10'000}) {
    for (const int64_t cost : {int64_t{100}, int64_t{571}, int64_t{2'000}, rate * 100 / 25}) {
      for (const int64_t misestimate_percent : {0, 40}) {
        Governor governor(RequestUnits::Whole(rate), {}, kStart - seconds(random() % 100));
        const RequestUnits spent =
            DriveForTenSeconds(governor, random, 256, cost, misestimate_percent);
        const double share = spent.ToDouble() / static_cast<double>(10 * rate);
        EXPECT_GE(share, 0.97) << "seed " << kSeed << " rate " << rate << " cost " << cost;
        EXPECT_LE(share, 1.03) << "seed " << kSeed << " rate " << rate << " cost " << cost;
        EXPECT_GT(governor.Usage(kStart).throttled_total, 0u);
      }
    }
  }
}

TEST(Governor, ThreadsShareOneBudget) {
  constexpr int kThreads = 4;
  constexpr int kSeconds = 20;
  constexpr int64_t kRate = 1'000;
  Governor governor(RequestUnits::Whole(kRate), {.burst = false}, kStart);
  std::atomic<int64_t> clock_us{0};
  std::atomic<int64_t> admitted{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        while (true) {
          const Micros now(clock_us.fetch_add(50));
          if (now >= seconds(kSeconds)) return;
          if (!governor.Reserve(Units(5), kStart + now).admitted) continue;
          admitted.fetch_add(1);
          governor.Settle(Units(-1), kStart + now);
        }
      });
    }
  }
  const double spent = static_cast<double>(admitted.load()) * 4;
  EXPECT_NEAR(spent, kRate * kSeconds, kRate * kSeconds * 0.01);
  EXPECT_EQ(governor.Usage(kStart).used_total, Units(spent));
}

}  // namespace
}  // namespace orrery::partition
