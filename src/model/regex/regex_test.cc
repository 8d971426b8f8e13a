#include "model/regex/regex.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery::model {
namespace {

struct SearchCase {
  std::string_view pattern;
  std::string_view text;
  bool found;
  std::string_view letters = "";
};

RegexOptions OptionsOf(std::string_view letters) {
  return {.ignore_case = letters.contains('i'),
          .multiple_lines = letters.contains('m'),
          .dot_matches_newline = letters.contains('s'),
          .ignore_space = letters.contains('x'),
          .unicode_classes = letters.contains('u'),
          .short_escapes = letters.contains('e')};
}

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
      {"^\\w+\\s\\W$", "Ünï9_ !", true, "u"},
      {"^\\w+\\s\\W$", "Ünï9_ !", false},
      {"^\\d$", "\u0663", true, "u"},
      {"^\\d$", "\u0663", false},
      {"^\\S\\D$", "1a", true},
      {"\\bcat\\b", "a cat.", true},
      {"\\bcat\\b", "concat", false},
      {"\\Bcat\\b", "concat", true},
      {"\\.\\*\\(", ".*(", true},
      {"\\x41\\u00e9", "Aé", true, "e"},
      {"\\x{e9}", "é", true},
      {"^.$", "😀", true},
      {"^.$", "\n", false},
      {"^.$", "\r", true},
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
      {"^(a+)b\\1$", "aabaa", true},
      {"^(a+)b\\1$", "aabaaa", false},
      {"a(?=b)", "ab", true},
      {"a(?!b)", "ab", false},
      {"(?<=a)b", "cb", false},
      {"(?i)a", "A", true},
  };
  for (const SearchCase& c : kCases) {
    SCOPED_TRACE(std::string(c.pattern) + " in " + std::string(c.text));
    const auto regex = Regex::Compile(c.pattern, OptionsOf(c.letters));
    ASSERT_TRUE(regex.has_value()) << regex.error().ToString();
    EXPECT_EQ(regex->Search(c.text), c.found);
    const auto match = regex->Find(c.text);
    ASSERT_TRUE(match.has_value());
    EXPECT_EQ(match->has_value(), c.found);
  }
}

TEST(Regex, FindsGroupsFromAPlaceOn) {
  const auto regex = Regex::Compile("(\\w+)@(\\w+)(?:\\.(com|org))?(x)?");
  ASSERT_TRUE(regex.has_value());
  EXPECT_EQ(regex->group_count(), 4);
  const std::string_view text = "é ann@home.com bob@work";
  const auto first = regex->Find(text);
  ASSERT_TRUE(first.has_value() && first->has_value());
  EXPECT_EQ((*first)->whole, (RegexSpan{3, 15}));
  EXPECT_EQ((*first)->groups[0], (RegexSpan{3, 6}));
  EXPECT_EQ((*first)->groups[1], (RegexSpan{7, 11}));
  EXPECT_EQ((*first)->groups[2], (RegexSpan{12, 15}));
  EXPECT_EQ((*first)->groups[3], std::nullopt);
  const auto second = regex->Find(text, (*first)->whole.end);
  ASSERT_TRUE(second.has_value() && second->has_value());
  EXPECT_EQ(text.substr((*second)->whole.begin), "bob@work");
  EXPECT_EQ((*second)->groups[2], std::nullopt);
  const auto third = regex->Find(text, text.size());
  ASSERT_TRUE(third.has_value());
  EXPECT_FALSE(third->has_value());
}

// Text before the position still counts for lookbehinds.
TEST(Regex, FindsWithWhatStandsBefore) {
  const auto regex = Regex::Compile("\\bb|^c");
  const auto match = regex->Find("abc", 1);
  ASSERT_TRUE(match.has_value());
  EXPECT_FALSE(match->has_value());
}

TEST(Regex, SaysWhatIsWrong) {
  for (const std::string_view pattern : {"(", ")", "a)", "[a", "*", "a**", "a{3,2}", "\\", "\\q",
                                         "[b-a]", "(?<n", "+a", "\\C", "\xff", "\xc3"}) {
    const auto regex = Regex::Compile(pattern);
    ASSERT_FALSE(regex.has_value()) << pattern;
    EXPECT_EQ(regex.error().code(), Code::kInvalidArgument) << pattern;
  }
  EXPECT_EQ(Regex::Compile("ab(").error().message(),
            "invalid regular expression: missing closing parenthesis (at byte 3)");
}

TEST(Regex, RefusesTextThatIsNotUtf8) {
  const auto found = Regex::Compile("a")->Search("a\xff");
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code(), Code::kInvalidArgument);
}

TEST(Regex, RefusesWhatIsTooLarge) {
  const std::string deep = std::string(200, '(') + std::string(200, ')');
  const std::string wide(kRegexPatternBytesMax + 1, 'a');
  for (const std::string_view pattern :
       {std::string_view(deep), std::string_view(wide), std::string_view("a{65536}"),
        std::string_view("((a{100}){100}){100}"), std::string_view("((){1000}){1000}")}) {
    const auto regex = Regex::Compile(pattern);
    ASSERT_FALSE(regex.has_value());
    EXPECT_EQ(regex.error().code(), Code::kTooLarge);
  }
}

// Without a limit this would take 2^5000 steps.
TEST(Regex, NestedRepetitionsEndWithAnError) {
  const auto regex = Regex::Compile("^(a+)+$");
  ASSERT_TRUE(regex.has_value());
  EXPECT_EQ(regex->Search(std::string(5000, 'a')), true);
  const std::string text = std::string(5000, 'a') + "b";
  const auto found = regex->Search(text);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code(), Code::kTooLarge);
  const auto match = regex->Find(text);
  ASSERT_FALSE(match.has_value());
  EXPECT_EQ(match.error().code(), Code::kTooLarge);
}

// No way is tried twice here, but each beginning takes all of the text: steps are characters, too,
// and those of all beginnings count together.
TEST(Regex, StopsWhenTextAndPatternAreTooLargeTogether) {
  const std::string text = std::string(200'000, 'a') + "!";
  for (const std::string_view pattern : {"(x?[a-bc-de-fg-h]?){1000}$", "a+[bc]", "(a+)\\1b?[cd]"}) {
    const auto regex = Regex::Compile(pattern);
    ASSERT_TRUE(regex.has_value()) << pattern;
    const auto found = regex->Search(text);
    ASSERT_FALSE(found.has_value()) << pattern;
    EXPECT_EQ(found.error().code(), Code::kTooLarge) << pattern;
  }
}

TEST(Regex, LongTextsAreNoTrouble) {
  const std::string text = std::string(1'000'000, 'x') + "needle" + std::string(1'000'000, 'x');
  EXPECT_EQ(Regex::Compile("needle")->Search(text), true);
  EXPECT_EQ(Regex::Compile("ne+dle|pin")->Search(text), true);
  EXPECT_EQ(Regex::Compile("^x+n")->Search(text), true);
}

}  // namespace
}  // namespace orrery::model
