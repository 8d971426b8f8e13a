#include "load/flags.h"

#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

enum class Colour : uint8_t { kRed, kGreen };

struct Values {
  std::string text = "as it was";
  uint64_t number = 5;
  double real = 0.5;
  bool on = false;
  Colour colour = Colour::kRed;
};

FlagSet FlagsOf(Values& values) {
  FlagSet flags("usage: it");
  flags.AddText("--text", values.text, "a text");
  flags.AddNumber("--number", values.number, 1, 10, "a number");
  flags.AddReal("--real", values.real, 0, 1, "a real");
  flags.AddSwitch("--on", values.on, "a switch");
  flags.AddChoice("--colour", values.colour, {"red", "green"}, "a colour");
  return flags;
}

std::string Problem(std::vector<std::string_view> words) {
  Values values;
  const Status status = FlagsOf(values).Parse(words);
  return status.has_value() ? "" : status.error().message();
}

TEST(FlagSetTest, SetsWhatIsGiven) {
  Values values;
  const std::vector<std::string_view> words = {"--text", "new",  "--number=7", "--real",
                                               "0.25",   "--on", "--colour",   "green"};
  ASSERT_TRUE(FlagsOf(values).Parse(words).has_value());
  EXPECT_EQ(values.text, "new");
  EXPECT_EQ(values.number, 7u);
  EXPECT_EQ(values.real, 0.25);
  EXPECT_TRUE(values.on);
  EXPECT_EQ(values.colour, Colour::kGreen);
}

TEST(FlagSetTest, KeepsDefaults) {
  Values values;
  ASSERT_TRUE(FlagsOf(values).Parse({}).has_value());
  EXPECT_EQ(values.text, "as it was");
  EXPECT_EQ(values.number, 5u);
}

TEST(FlagSetTest, NamesWhatIsWrong) {
  EXPECT_EQ(Problem({"--numbr", "1"}), "--numbr is unknown");
  EXPECT_EQ(Problem({"--number"}), "--number needs a value");
  EXPECT_EQ(Problem({"--number", "11"}), "--number: '11' is no number between 1 and 10");
  EXPECT_EQ(Problem({"--number", "7x"}), "--number: '7x' is no number between 1 and 10");
  EXPECT_EQ(Problem({"--real", "nan"}), "--real: 'nan' is no number between 0 and 1");
  EXPECT_EQ(Problem({"--on=1"}), "--on takes no value");
  EXPECT_EQ(Problem({"--colour", "blue"}), "--colour: 'blue' is none of red|green");
}

TEST(FlagSetTest, HelpMayStandAnywhere) {
  const std::vector<std::string_view> words = {"--number", "7", "--help"};
  EXPECT_TRUE(FlagSet::WantsHelp(words));
  EXPECT_FALSE(FlagSet::WantsHelp(std::span(words).first(2)));
}

TEST(FlagSetTest, UsageListsAll) {
  Values values;
  const std::string usage = FlagsOf(values).Usage();
  EXPECT_NE(usage.find("--number             a number (default 5)"), std::string::npos);
  EXPECT_NE(usage.find("red|green (default red)"), std::string::npos);
}

}  // namespace
}  // namespace orrery::bench
