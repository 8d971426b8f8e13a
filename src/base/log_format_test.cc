#include "base/log_format.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(LogFormatTest, ALineIsOneObject) {
  EXPECT_EQ(JsonLogLine(1'767'323'045'678, LogLevel::kWarn, "a \"b\" \\ \n\x01 \xc3\xa9"),
            "{\"time\":\"2026-01-02T03:04:05.678Z\",\"level\":\"warn\","
            "\"message\":\"a \\\"b\\\" \\\\ \\n\\u0001 \xc3\xa9\"}");
}

TEST(LogFormatTest, BytesThatAreNoTextDoNotBreakIt) {
  EXPECT_EQ(JsonLogLine(0, LogLevel::kInfo, "x\xff"),
            "{\"time\":\"1970-01-01T00:00:00.000Z\",\"level\":\"info\",\"message\":\"x?\"}");
}

}  // namespace
}  // namespace orrery
