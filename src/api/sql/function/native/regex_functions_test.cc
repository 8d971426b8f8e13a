#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using RegexFunctionsTest = FunctionTest;

TEST_F(RegexFunctionsTest, AsDocumented) {
  Expect({
      {"REGEXMATCH", R"("abcd", "ABC")", "false"},
      {"REGEXMATCH", R"("abcd", "ABC", "i")", "true"},
      {"REGEXMATCH", R"("abcd", "ab.", "")", "true"},
      {"REGEXMATCH", R"("abcd", "ab c", "x")", "true"},
      {"REGEXMATCH", R"("abcd", "aB c", "ix")", "true"},
      {"REGEXMATCH", R"("03a", "[0-9]")", "true"},
      {"REGEXMATCH", R"("salt3824908", "salt{1}")", "true"},
      {"REGEXMATCH", R"("shame", "s....", "i")", "true"},
  });
}

TEST_F(RegexFunctionsTest, KnowsTheCharactersOfAllScripts) {
  Expect({
      {"REGEXMATCH", R"("Ünï9_ !", "^\\w+\\s\\W$")", "true"},
      {"REGEXMATCH", R"("Aé", "^\\x41\\u00e9$")", "true"},
      {"REGEXMATCH", R"("äpfel", "ÄPFEL", "i")", "true"},
      {"REGEXMATCH", R"("a\nb", "^b$", "m")", "true"},
      {"REGEXMATCH", R"("a\nb", "a.b", "s")", "true"},
      {"REGEXMATCH", R"("abab", "^(ab)\\1$")", "true"},
      {"REGEXMATCH", R"("price", "^(?!cost).")", "true"},
  });
}

TEST_F(RegexFunctionsTest, PatternsThatTakeTooLongEndTheQuery) {
    ExpectError("REGEXMATCH", R"("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "^(a+)+$")",
                Code::kTooLarge);
}

TEST_F(RegexFunctionsTest, OtherTypesAreUndefinedAndBadPatternsEndTheQuery) {
    ExpectUndefined("REGEXMATCH",
                    {R"(1, "a")", R"("a", null)", R"("a", "a", 5)", "undefined, \"a\""});
    ExpectError("REGEXMATCH", R"("a", "(")", Code::kInvalidArgument);
    ExpectError("REGEXMATCH", R"("a", "a", "q")", Code::kInvalidArgument);
}

}  // namespace
}  // namespace orrery::sql
