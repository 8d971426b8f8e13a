#include "api/cassandra/parser/token/literal_shape.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery::cassandra {
namespace {

TEST(LiteralShape, DurationsAsAWhole) {
  for (const std::string_view text :
       {"1y",      "2mo",      "3w",      "4d",       "5h",
        "6m",      "7s",       "8ms",     "9us",      "10\u00b5s",
        "11ns",    "1Y2MO3D",  "1h30m",   "89h4m48s", "P1Y",
        "P1Y2M3D", "P2M",      "P3D",     "PT1H",     "PT2M",
        "PT3S",    "PT1H2M3S", "P1DT12H", "P5W",      "P0001-02-03T04:05:06"})
    EXPECT_EQ(ScanDuration(text), text.size()) << text;
}

TEST(LiteralShape, WhatIsNoDuration) {
  for (const std::string_view text :
       {"", "1", "1x", "h", "P", "PT", "PY", "P1", "P1H", "PT1D", "p1y", "1u", "1n", "T1H"})
    EXPECT_EQ(ScanDuration(text), 0u) << text;
}

TEST(LiteralShape, ADurationEndsWhereItsPartsEnd) {
  EXPECT_EQ(ScanDuration("1h30"), 2u);
  EXPECT_EQ(ScanDuration("1day"), 2u);
  EXPECT_EQ(ScanDuration("P1YT"), 3u);
  EXPECT_EQ(ScanDuration("P1D2Y"), 3u);
}

TEST(LiteralShape, Uuids) {
  const std::string uuid = "550e8400-e29b-41d4-A716-446655440000";
  EXPECT_TRUE(StartsWithUuid(uuid));
  EXPECT_TRUE(StartsWithUuid(uuid + ")"));
  EXPECT_FALSE(StartsWithUuid(uuid.substr(0, 35)));
  EXPECT_FALSE(StartsWithUuid("550e8400-e29b-41d4-a716-44665544000g"));
  EXPECT_FALSE(StartsWithUuid("550e84000e29b-41d4-a716-446655440000"));
}

}  // namespace
}  // namespace orrery::cassandra
