#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using StringSearchFunctionsTest = FunctionTest;

TEST_F(StringSearchFunctionsTest, AsDocumented) {
  Expect({
      {"CONTAINS", R"("AdventureWorks", "Adventure")", "true"},
      {"CONTAINS", R"("AdventureWorks", "Works")", "true"},
      {"CONTAINS", R"("AdventureWorks", "adventure")", "false"},
      {"CONTAINS", R"("AdventureWorks", "adventure", false)", "false"},
      {"CONTAINS", R"("AdventureWorks", "works", true)", "true"},
      {"CONTAINS", R"("AdventureWorks", "Contoso")", "false"},
      {"ENDSWITH", R"("AdventureWorks", "Adventure")", "false"},
      {"ENDSWITH", R"("AdventureWorks", "Works")", "true"},
      {"ENDSWITH", R"("AdventureWorks", "works")", "false"},
      {"ENDSWITH", R"("AdventureWorks", "works", true)", "true"},
      {"STARTSWITH", R"("AdventureWorks", "Works")", "false"},
      {"STARTSWITH", R"("AdventureWorks", "Adventure")", "true"},
      {"STARTSWITH", R"("AdventureWorks", "adventure", true)", "true"},
      {"STRINGEQUALS", R"("AdventureWorks", "AdventureWorks")", "true"},
      {"STRINGEQUALS", R"("AdventureWorks", "adventureworks")", "false"},
      {"STRINGEQUALS", R"("AdventureWorks", "adventureworks", true)", "true"},
      {"INDEX_OF", R"("AdventureWorks", "A")", "0"},
      {"INDEX_OF", R"("AdventureWorks", "s")", "13"},
      {"INDEX_OF", R"("AdventureWorks", "tureW")", "5"},
      {"INDEX_OF", R"("AdventureWorks", "Cosmos")", "-1"},
      {"INDEX_OF", R"("AdventureWorks", "Works", 5)", "9"},
      {"INDEX_OF", R"("AdventureWorks", "Adventure", 5)", "-1"},
      {"INDEX_OF", R"("AdventureWorks", "aD")", "-1"},
      {"LASTINDEXOF", R"("abcdeabc", "abc")", "5"},
      {"LASTINDEXOF", R"("abcdeabc", "abc", 6)", "0"},
      {"LASTINDEXOF", R"("abcdeabc", "abc", 7)", "5"},
      {"LASTINDEXOF", R"("abcdeabc", "fg")", "-1"},
  });
}

TEST_F(StringSearchFunctionsTest, ContainsAllAndAny) {
  const std::string_view all = R"("Have a nice day!", "have", "nice", "day!")";
  const std::string_view upper = R"("Have a nice day!", "HAVE", "NICE", "DAY!")";
  const std::string_view had = R"("Have a nice day!", "had", "nice", "day!")";
  const std::string_view unknown = R"("Have a nice day!", undefined, "nice", "day!")";
  const std::string_view unknown_had = R"("Have a nice day!", undefined, "had")";
  Expect({
      {"CONTAINS_ALL_CI", all, "true"},
      {"CONTAINS_ALL_CI", upper, "true"},
      {"CONTAINS_ALL_CI", had, "false"},
      {"CONTAINS_ALL_CI", unknown, "undefined"},
      {"CONTAINS_ALL_CI", unknown_had, "false"},
      {"CONTAINS_ALL_CS", all, "false"},
      {"CONTAINS_ALL_CS", R"("Have a nice day!", "Have", "nice")", "true"},
      {"CONTAINS_ANY_CS", all, "true"},
      {"CONTAINS_ANY_CS", upper, "false"},
      {"CONTAINS_ANY_CS", had, "true"},
      {"CONTAINS_ANY_CS", unknown, "true"},
      {"CONTAINS_ANY_CS", unknown_had, "undefined"},
      {"CONTAINS_ANY_CI", upper, "true"},
      {"CONTAINS_ANY_CI", "5, \"a\"", "undefined"},
  });
}

TEST_F(StringSearchFunctionsTest, EmptyAndUnicode) {
  Expect({
      {"CONTAINS", R"("abc", "")", "true"},
      {"CONTAINS", R"("", "a")", "false"},
      {"CONTAINS", R"("ÄRGER", "ärger", true)", "true"},
      {"STRINGEQUALS", R"("Straße", "STRASSE", true)", "false"},
      {"INDEX_OF", R"("😀😀x", "x")", "2"},
      {"INDEX_OF", R"("é😀é", "é", 1)", "2"},
      {"LASTINDEXOF", R"("😀x😀x", "x")", "3"},
      {"LASTINDEXOF", R"("😀x😀x", "x", 2)", "1"},
      {"INDEX_OF", R"("abc", "a", -5)", "0"},
      {"INDEX_OF", R"("abc", "a", 9223372036854775807)", "-1"},
      {"LASTINDEXOF", R"("abc", "a", -1)", "-1"},
  });
}

TEST_F(StringSearchFunctionsTest, OtherTypesAreUndefined) {
  for (const std::string_view name : {"CONTAINS", "STARTSWITH", "ENDSWITH", "STRINGEQUALS"})
    ExpectUndefined(name, {R"(1, "a")", R"("a", null)", R"("a", "a", 1)", R"(undefined, "a")"});
  ExpectUndefined("INDEX_OF",
                  {R"("a", 1)", R"(null, "a")", R"("a", "a", "0")", R"("a", "a", 0.5)"});
  ExpectUndefined("LASTINDEXOF", {R"("a", 1)", R"(null, "a")", R"("a", "a", null)"});
}

}  // namespace
}  // namespace orrery::sql
