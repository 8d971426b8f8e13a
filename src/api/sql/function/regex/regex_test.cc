#include "api/sql/function/regex/regex.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery::sql {
namespace {

struct SearchCase {
  std::string_view pattern;
  std::string_view text;
  bool found;
  std::string_view flags = "";
};

TEST(Regex, Searches) {
  constexpr SearchCase kCases[] = {
      {"", "", true},
      {"a", "", false},
      {"^abc$", "abc", true},
      {"^abc$", "abcd", false},
      {"^abc$", "abc\n", true},
      {"\\Aabc\\z", "abc\n", false},
      {"a|b|cd", "xcd", true},
      {"a|b|cd", "xce", false},
      {"^(a|b)*c$", "ababc", true},
      {"^(a|b)*c$", "abxbc", false},
      {"^(?:ab)+$", "ababab", true},
      {"^(?<name>ab)+?$", "abab", true},
      {"^a{2,3}$", "a", false},
      {"^a{2,3}$", "aa", true},
      {"^a{2,3}$", "aaaa", false},
      {"^a{2,}$", "aaaaa", true},
      {"^a{0}$", "", true},
      {"a{b}", "a{b}", true},
      {"a{,3}", "a{,3}", true},
      {"^colou?r$", "color", true},
      {"^[a-c]+$", "abcab", true},
      {"^[^a-c]+$", "xyz", true},
      {"^[^a-c]+$", "xaz", false},
      {"^[]a]+$", "]a", true},
      {"^[a-]+$", "-a", true},
      {"^[\\d_]+$", "12_3", true},
      {"^\\w+\\s\\W$", "Ünï9_ !", true},
      {"^\\S\\D$", "1a", true},
      {"\\bcat\\b", "a cat.", true},
      {"\\bcat\\b", "concat", false},
      {"\\Bcat\\b", "concat", true},
      {"\\.\\*\\(", ".*(", true},
      {"\\x41\\u00e9", "Aé", true},
      {"^.$", "😀", true},
      {"^.$", "\n", false},
      {"^.$", "\n", true, "s"},
      {"^b$", "a\nb\nc", false},
      {"^b$", "a\nb\nc", true, "m"},
      {"STRASSE|ÄPFEL", "äpfel", true, "i"},
      {"[A-C]", "b", true, "i"},
      {"[^A-C]", "b", false, "i"},
      {"a b # comment\n c", "abc", true, "x"},
      {"a\\ b", "a b", true, "x"},
      {"(a*)*b", "aaab", true},
      {"(|a)+$", "aa", true},
  };
  for (const SearchCase& c : kCases) {
    SCOPED_TRACE(std::string(c.pattern) + " in " + std::string(c.text));
    const auto flags = ParseRegexFlags(c.flags);
    ASSERT_TRUE(flags.has_value());
    const auto regex = Regex::Compile(c.pattern, *flags);
    ASSERT_TRUE(regex.has_value()) << regex.error().ToString();
    EXPECT_EQ(regex->Search(c.text), c.found);
  }
}

TEST(Regex, SaysWhatIsWrong) {
  for (const std::string_view pattern :
       {"(", ")", "a)", "[a", "*", "a**", "a{3,2}", "\\", "\\q", "[b-a]", "\\xg1", "(?<n", "+a"}) {
    const auto regex = Regex::Compile(pattern);
    ASSERT_FALSE(regex.has_value()) << pattern;
    EXPECT_EQ(regex.error().code(), Code::kInvalidArgument) << pattern;
  }
  for (const std::string_view pattern : {"(a)\\1", "a(?=b)", "a(?!b)", "(?<=a)b", "(?i)a"}) {
    const auto regex = Regex::Compile(pattern);
    ASSERT_FALSE(regex.has_value()) << pattern;
    EXPECT_EQ(regex.error().code(), Code::kUnsupported) << pattern;
  }
}

TEST(Regex, RefusesWhatIsTooLarge) {
  const std::string deep = std::string(200, '(') + std::string(200, ')');
  const std::string wide(10'000, 'a');
  for (const std::string_view pattern :
       {std::string_view(deep), std::string_view(wide), std::string_view("a{1001}"),
        std::string_view("((a{100}){100}){100}"), std::string_view("((){1000}){1000}")}) {
    const auto regex = Regex::Compile(pattern);
    ASSERT_FALSE(regex.has_value());
    EXPECT_EQ(regex.error().code(), Code::kTooLarge);
  }
}

TEST(Regex, NestedRepetitionsTakeNoLongerThanOthers) {
  // Backtracking would take 2^5000 steps.
  const auto regex = Regex::Compile("^(a+)+$");
  ASSERT_TRUE(regex.has_value());
  EXPECT_EQ(regex->Search(std::string(5000, 'a') + "b"), false);
}

TEST(Regex, StopsWhenTextAndPatternAreTooLargeTogether) {
  const auto regex = Regex::Compile("(x?[a-bc-de-fg-h]?){1000}$");
  ASSERT_TRUE(regex.has_value());
  const auto found = regex->Search(std::string(200'000, 'a') + "!");
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code(), Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::sql
