#include "server/process_metrics.h"

#include <gtest/gtest.h>

namespace orrery::server {
namespace {

TEST(ProcessMetrics, AreEmittedWhileRegistered) {
  MetricsRegistry metrics;
  storage::EngineResources resources;
  const ManualClock clock(std::chrono::seconds(1000));
  {
    const auto registration = RegisterProcessMetrics(metrics, resources, clock);
    const std::string text = metrics.Render();
    EXPECT_NE(text.find("\nprocess_start_time_seconds 1000\n"), std::string::npos) << text;
    EXPECT_NE(text.find("orrery_block_cache_bytes "), std::string::npos);
    EXPECT_GT(ResidentBytes(), 0u);
  }
  EXPECT_EQ(metrics.Render().find("orrery_block_cache_bytes"), std::string::npos);
}

}  // namespace
}  // namespace orrery::server
