#include "cli/settings/settings_file.h"

#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

TEST(SettingsFile, ReadsNamesAndValues) {
  const auto settings = ParseSettingsFile(
      "# Orrery\n"
      "\n"
      "  data = /var/lib/orrery  # with a comment\r\n"
      "account=\"a # b\"\n"
      "burst = true");
  ASSERT_TRUE(settings.has_value()) << settings.error().message();
  ASSERT_EQ(settings->size(), 3u);
  EXPECT_EQ((*settings)[0].name, "data");
  EXPECT_EQ((*settings)[0].value, "/var/lib/orrery");
  EXPECT_EQ((*settings)[0].line, 3u);
  EXPECT_EQ((*settings)[1].value, "a # b");
  EXPECT_EQ((*settings)[2].name, "burst");
  EXPECT_EQ((*settings)[2].line, 5u);
}

TEST(SettingsFile, EmptyIsFine) {
  EXPECT_TRUE(ParseSettingsFile("")->empty());
  EXPECT_TRUE(ParseSettingsFile("\n\n# nothing\n")->empty());
}

TEST(SettingsFile, SaysWhichLineIsWrong) {
  EXPECT_EQ(ParseSettingsFile("data = a\nsql-port 8081\n").error().message(),
            "line 2: expected 'name = value', as in 'sql-port = 8081'");
  EXPECT_EQ(ParseSettingsFile("= a").error().message(), "line 1: the name before '=' is missing");
  EXPECT_EQ(ParseSettingsFile("a = 1\na = 2").error().message(),
            "line 2: 'a' was already set in line 1");
  EXPECT_FALSE(ParseSettingsFile("a = \"open").has_value());
  EXPECT_FALSE(ParseSettingsFile("a = \"b\" c").has_value());
}

TEST(SettingsFile, MissingFilesAndDirectoriesAreClear) {
  const auto missing = ReadSmallFile("/nonexistent/orrery.conf", 100);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code(), Code::kNotFound);
  EXPECT_EQ(missing.error().message(),
            "cannot read '/nonexistent/orrery.conf': No such file or directory");
  EXPECT_EQ(ReadSmallFile("/", 100).error().code(), Code::kInvalidArgument);
  EXPECT_EQ(ReadSmallFile("/proc/self/status", 3).error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::cli
