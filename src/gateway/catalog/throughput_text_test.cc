#include "gateway/catalog/throughput_text.h"

#include <gtest/gtest.h>

namespace orrery::gateway {
namespace {

using partition::ThroughputSettings;

TEST(ThroughputText, ManualAutoscaleAndNone) {
  EXPECT_EQ(ReadRequestedThroughput("800", "")->settings, ThroughputSettings::Manual(800));
  EXPECT_EQ(ReadRequestedThroughput("", R"({"maxThroughput":4000})")->settings,
            ThroughputSettings::Autoscale(4000));
  EXPECT_EQ(ReadRequestedThroughput("", "")->settings, ThroughputSettings());
}

TEST(ThroughputText, RefusesBothAndMalformed) {
  for (const auto& [manual, autoscale] : {std::pair("400", R"({"maxThroughput":4000})"),
                                          {"4e2", ""},
                                          {"-1", ""},
                                          {"", "{}"},
                                          {"", "4000"},
                                          {"", R"({"maxThroughput":"4000"})"}})
    EXPECT_EQ(ReadRequestedThroughput(manual, autoscale).error().code(), Code::kInvalidArgument)
        << manual << autoscale;
}

}  // namespace
}  // namespace orrery::gateway
