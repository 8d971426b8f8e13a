#include "base/request_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery {
namespace {

using ::testing::HasSubstr;

TEST(RequestMeterTest, RequestsFallIntoTheirBuckets) {
  MetricsRegistry metrics;
  RequestMeter meter(metrics, "sql");
  meter.Note(RequestOperation::kRead, Micros(80), RequestUnits::Whole(1), false);
  meter.Note(RequestOperation::kRead, Micros(2'000), RequestUnits::FromHundredths(150), false);
  meter.Note(RequestOperation::kRead, Micros(20'000'000), RequestUnits::Whole(90'000), true);
  const std::string text = metrics.Render();
  const auto has = [&](const std::string& line) { EXPECT_THAT(text, HasSubstr(line + "\n")); };
  const std::string labels = R"({api="sql",operation="read",le=)";
  has("orrery_request_duration_seconds_bucket" + labels + R"("5e-05"} 0)");
  has("orrery_request_duration_seconds_bucket" + labels + R"("0.0001"} 1)");
  has("orrery_request_duration_seconds_bucket" + labels + R"("0.0025"} 2)");
  has("orrery_request_duration_seconds_bucket" + labels + R"("+Inf"} 3)");
  has("orrery_request_charge_units_bucket" + labels + R"("1"} 1)");
  has("orrery_request_charge_units_bucket" + labels + R"("2"} 2)");
  has("orrery_request_charge_units_bucket" + labels + R"("+Inf"} 3)");
  has(R"(orrery_request_charge_units_sum{api="sql",operation="read"} 90002.5)");
  has(R"(orrery_requests_failed_total{api="sql",operation="read"} 1)");
  has(R"(orrery_request_duration_seconds_count{api="sql",operation="write"} 0)");
}

}  // namespace
}  // namespace orrery
