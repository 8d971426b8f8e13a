#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using StringFunctionsTest = FunctionTest;

TEST_F(StringFunctionsTest, AsDocumented) {
  Expect({
      {"CONCAT", R"("Ferpal", "Ropes")", R"("FerpalRopes")"},
      {"CONCAT", R"("66403", "-", "gear-climb-ropes")", R"("66403-gear-climb-ropes")"},
      {"LEFT", R"("AdventureWorks", 0)", R"("")"},
      {"LEFT", R"("AdventureWorks", 5)", R"("Adven")"},
      {"LEFT", R"("AdventureWorks", 100)", R"("AdventureWorks")"},
      {"LENGTH", R"("AdventureWorks")", "14"},
      {"LENGTH", R"("")", "0"},
      {"LOWER", R"("ADVENTURE_WORKS")", R"("adventure_works")"},
      {"REPLACE", R"("AdventureWorksLT", "LT", "LT2")", R"("AdventureWorksLT2")"},
      {"REPLICATE", R"("Cosmic", 3)", R"("CosmicCosmicCosmic")"},
      {"REVERSE", R"("AdventureWorks")", R"("skroWerutnevdA")"},
      {"RIGHT", R"("AdventureWorks", 0)", R"("")"},
      {"RIGHT", R"("AdventureWorks", 5)", R"("Works")"},
      {"RIGHT", R"("AdventureWorks", 100)", R"("AdventureWorks")"},
      {"STRINGJOIN", R"(["Iropa", "Mountain", "Bike"], " ")", R"("Iropa Mountain Bike")"},
      {"STRINGJOIN", R"(["Iropa", "Mountain", "Bike"], "")", R"("IropaMountainBike")"},
      {"STRINGJOIN", R"(["Iropa", "Mountain", "Bike"], undefined)", "undefined"},
      {"STRINGJOIN", R"(["6", "7", "4", "3"], "A")", R"("6A7A4A3")"},
      {"STRINGSPLIT", R"("Handlebar", "e")", R"(["Handl", "bar"])"},
      {"STRINGSPLIT", R"("CARBON_STEEL_BIKE_WHEEL", "_")",
       R"(["CARBON", "STEEL", "BIKE", "WHEEL"])"},
      {"STRINGSPLIT", R"("xenmoun mountain bike", "moun")", R"(["xen", " ", "tain bike"])"},
      {"STRINGSPLIT", R"("AluminumBikeFrame", undefined)", "undefined"},
      {"STRINGSPLIT", R"("Helmet", "")", R"(["Helmet"])"},
      {"STRINGSPLIT", R"("", "")", R"([""])"},
      {"SUBSTRING", R"("AdventureWorks", 0, 9)", R"("Adventure")"},
      {"SUBSTRING", R"("AdventureWorks", 9, 5)", R"("Works")"},
      {"SUBSTRING", R"("AdventureWorks", 0, -1)", R"("")"},
      {"UPPER", R"("adventureWorks")", R"("ADVENTUREWORKS")"},
  });
}

TEST_F(StringFunctionsTest, TrimsSpaceOrGivenCharacters) {
  Expect({
      {"LTRIM", R"("  AdventureWorks  ")", R"("AdventureWorks  ")"},
      {"LTRIM", R"("AdventureWorks", "Works")", R"("AdventureWorks")"},
      {"LTRIM", R"("AdventureWorks", "Adventure")", R"("Works")"},
      {"LTRIM", R"("AdventureWorks", "AdventureWorks")", R"("")"},
      {"LTRIM", R"("AdventureWorks", "")", R"("AdventureWorks")"},
      {"RTRIM", R"("  AdventureWorks  ")", R"("  AdventureWorks")"},
      {"RTRIM", R"("AdventureWorks", "Works")", R"("Adventure")"},
      {"RTRIM", R"("AdventureWorks", "Adventure")", R"("AdventureWorks")"},
      {"TRIM", R"("   AdventureWorks   ")", R"("AdventureWorks")"},
      {"TRIM", R"("---AdventureWorks---")", R"("---AdventureWorks---")"},
      {"TRIM", R"("___AdventureWorks___", "_")", R"("AdventureWorks")"},
      {"TRIM", R"("-- AdventureWorks --", "-")", R"(" AdventureWorks ")"},
      {"TRIM", R"("-_-AdventureWorks-_-", "-_")", R"("AdventureWorks")"},
      {"TRIM", R"("\u00a0x\u2003")", R"("x")"},
      {"TRIM", R"("x", null)", "undefined"},
      {"TRIM", R"("   ")", R"("")"},
  });
}

TEST_F(StringFunctionsTest, CountsCharactersNotBytes) {
  Expect({
      {"LENGTH", R"("äé漢")", "3"},
      {"LENGTH", R"("😀")", "1"},
      {"REVERSE", R"("a😀é")", R"("é😀a")"},
      {"SUBSTRING", R"("a😀bc", 1, 2)", R"("😀b")"},
      {"LEFT", R"("😀😀x", 1)", R"("😀")"},
      {"RIGHT", R"("x😀", 1)", R"("😀")"},
      {"UPPER", R"("straße")", R"("STRASSE")"},
      {"LOWER", R"("ΟΔΟΣ")", R"("οδος")"},
      {"TRIM", R"("éxé", "é")", R"("x")"},
  });
}

TEST_F(StringFunctionsTest, PositionsOutsideTheText) {
  Expect({
      {"SUBSTRING", R"("abc", 5, 2)", R"("")"},
      {"SUBSTRING", R"("abc", -2, 2)", R"("ab")"},
      {"SUBSTRING", R"("abc", 1, 9223372036854775807)", R"("bc")"},
      {"SUBSTRING", R"("abc", 0.5, 1)", "undefined"},
      {"LEFT", R"("abc", -1)", R"("")"},
      {"RIGHT", R"("abc", -9223372036854775808)", R"("")"},
      {"REPLACE", R"("abc", "", "x")", "undefined"},
      {"REPLACE", R"("aaa", "a", "")", R"("")"},
      {"REPLACE", R"("abcabc", "bc", "-")", R"("a-a-")"},
  });
}

TEST_F(StringFunctionsTest, OtherTypesAreUndefined) {
  ExpectUndefined("CONCAT", {R"("a", 1)", R"(null, "a")", R"("a", undefined)"});
  for (const std::string_view name : {"LENGTH", "LOWER", "UPPER", "REVERSE", "TRIM", "LTRIM"})
    ExpectUndefined(name, {"1", "null", "true", "[]", "{}", "undefined"});
  ExpectUndefined("LEFT", {R"("a", "1")", "1, 1", R"("a", null)"});
  ExpectUndefined("STRINGJOIN", {R"(["a", 1], "")", R"("a", "")"});
  ExpectUndefined("REPLACE", {R"("a", "a", 1)", R"("a", null, "b")"});
}

TEST_F(StringFunctionsTest, ReplicateHasItsDocumentedBound) {
  EXPECT_EQ(Call("REPLICATE", R"("ab", 5000)")->AsString().size(), 10000u);
  ExpectUndefined("REPLICATE", {R"("ab", 5001)", R"("a", 1e300)", R"("a", -1)", R"("a", NaN)",
                                R"("a", Infinity)", R"("a", "3")"});
  Expect({{"REPLICATE", R"("", 1e300)", R"("")"}, {"REPLICATE", R"("ab", 0)", R"("")"}});
}

TEST_F(StringFunctionsTest, ResultsAreBounded) {
  const std::string long_text = "\"" + std::string(1 << 20, 'a') + "\"";
  ExpectError("REPLACE", long_text + R"(, "a", "bcd")", Code::kTooLarge);
  ExpectError("CONCAT", long_text + "," + long_text + "," + long_text, Code::kTooLarge);
  ExpectError("STRINGSPLIT", long_text + R"(, "a")", Code::kTooLarge);
  ExpectError("STRINGJOIN", R"(["a","b","c","d"], )" + long_text, Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::sql
