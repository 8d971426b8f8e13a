#include "cql/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

using std::chrono::microseconds;
using testing::HasSubstr;
using testing::Not;

CqlReport SomeReport() {
  LoadReport load;
  load.seconds = 2;
  load.tally.done = 1'000;
  for (int i = 0; i < 1'000; ++i) load.tally.latency[0].Record(microseconds(200));
  load.tally.errors[0x1001] = 3;
  load.tally.lost = 1;
  load.tally.first_problem = "slow down";
  load.client.cpu_seconds = 0.5;
  load.server = UsageInWindow{1.0, 10 << 20, 20 << 20};
  return {load, std::nullopt};
}

TEST(ReportTextTest, ForPeople) {
  const std::string text = ReportText({}, SomeReport());
  EXPECT_THAT(text, HasSubstr("throughput: 500/s\n"));
  EXPECT_THAT(text, HasSubstr("read latency, ms: p50 0.200"));
  EXPECT_THAT(text, Not(HasSubstr("insert latency")));
  EXPECT_THAT(text, HasSubstr("failures: 0x1001 x 3, no answer x 1; first: slow down\n"));
  EXPECT_THAT(text, HasSubstr("server: 0.50 cores busy, 1000 operations per busy core second, "
                              "10.0 MB, then 20.0 MB\n"));
  EXPECT_THAT(text, HasSubstr("client: 0.25 cores busy\n"));
}

TEST(ReportTextTest, ForPrograms) {
  const std::string json = ReportJson({}, SomeReport());
  EXPECT_THAT(json, HasSubstr(R"("throughput":500.0,"done":1000,"unsent":0,"failures":4)"));
  EXPECT_THAT(json, HasSubstr(R"("read":{"count":1000,"p50_us":200.0,)"));
  EXPECT_THAT(json, HasSubstr(R"("errors":{"0x1001":3,"lost":1})"));
  EXPECT_THAT(json, HasSubstr(R"("server":{"cpu_seconds":1.00,"per_core_second":1000.0,)"));
}

TEST(ReportTextTest, IdleConnections) {
  CqlOptions options;
  options.workload = WorkloadKind::kNone;
  const CqlReport report{std::nullopt, IdleCost{10'000, 20 << 20, 120 << 20}};
  EXPECT_EQ(ReportText(options, report),
            "10000 idle connections: server 120.0 MB, before 20.0 MB\n");
  EXPECT_THAT(ReportJson(options, report), HasSubstr(R"("idle":{"connections":10000,)"));
}

TEST(ReportTextTest, IdleConnectionsWithoutAProcessToLookAt) {
  CqlOptions options;
  options.workload = WorkloadKind::kNone;
  EXPECT_EQ(ReportText(options, {std::nullopt, IdleCost{5, 0, 0}}), "5 idle connections\n");
}

}  // namespace
}  // namespace orrery::bench
