#include "base/charge_trace.h"

#include <gtest/gtest.h>

#include <future>

#include "base/thread_pool.h"

namespace orrery {
namespace {

RequestUnits Ru(int64_t hundredths) { return RequestUnits::FromHundredths(hundredths); }

TEST(ChargeTraceTest, NobodyIsAskedByDefault) { EXPECT_EQ(ChargeTrace::Current(), nullptr); }

TEST(ChargeTraceTest, PartsOfAPartitionAddUpAndTheRestIsTold) {
  ChargeTrace trace;
  const ChargePart parts[] = {{.what = "records", .count = 2, .charge = Ru(150)},
                              {.what = "look-ups", .count = 1, .charge = Ru(40)}};
  trace.Add(parts, 3);
  trace.Add(parts, 3);
  trace.Add(parts, 4);
  const auto explained = trace.Explain(Ru(600), "other");
  ASSERT_EQ(explained.size(), 5u);
  EXPECT_EQ(explained[0].what, "records");
  EXPECT_EQ(explained[0].partition, 3u);
  EXPECT_EQ(explained[0].count, 4u);
  EXPECT_EQ(explained[0].charge, Ru(300));
  RequestUnits sum;
  for (const ChargePart& part : explained) sum += part.charge;
  EXPECT_EQ(sum, Ru(600));
  EXPECT_EQ(trace.Explain(Ru(570), "other").size(), 4u);
}

TEST(ChargeTraceTest, TasksOfAPoolWorkForTheSameRequest) {
  ThreadPool pool("trace", 1, 10);
  const auto seen_by_task = [&] {
    std::promise<ChargeTrace*> seen;
    EXPECT_TRUE(pool.Submit([&seen] { seen.set_value(ChargeTrace::Current().get()); }));
    return seen.get_future().get();
  };
  const auto trace = std::make_shared<ChargeTrace>();
  {
    const ChargeTrace::Scope scope(trace);
    EXPECT_EQ(ChargeTrace::Current(), trace);
    EXPECT_EQ(seen_by_task(), trace.get());
  }
  EXPECT_EQ(ChargeTrace::Current(), nullptr);
  EXPECT_EQ(seen_by_task(), nullptr);
}

}  // namespace
}  // namespace orrery
