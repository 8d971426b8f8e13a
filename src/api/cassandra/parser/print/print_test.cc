#include "api/cassandra/parser/print/print.h"

#include <gtest/gtest.h>

#include "api/cassandra/parser/parser.h"

namespace orrery::cassandra {
namespace {

struct Case {
  std::string_view text;
  std::string_view printed;
};

// parse, print, and print again what was printed.
template <typename Parse, typename Print>
void ExpectPrinted(const Case& given, Parse parse, Print print) {
  const auto tree = parse(given.text, ParserLimits{});
  ASSERT_TRUE(tree.has_value()) << given.text << "\n" << tree.error().message;
  EXPECT_EQ(print(*tree), given.printed) << given.text;
  const auto again = parse(given.printed, ParserLimits{});
  ASSERT_TRUE(again.has_value()) << given.printed << "\n" << again.error().message;
  EXPECT_EQ(print(*again), given.printed);
}

TEST(Print, NamesAreQuotedWhenTheyMustBe) {
  EXPECT_EQ(PrintName("a_1"), "a_1");
  EXPECT_EQ(PrintName("A"), "\"A\"");
  EXPECT_EQ(PrintName("a b"), "\"a b\"");
  EXPECT_EQ(PrintName("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(PrintName("1a"), "\"1a\"");
  EXPECT_EQ(PrintName(""), "\"\"");
  EXPECT_EQ(PrintName("select"), "\"select\"");
  EXPECT_EQ(PrintName("true"), "\"true\"");
  EXPECT_EQ(PrintName("timestamp"), "timestamp");
  EXPECT_EQ(PrintQualifiedName({"Ks", {"t", {}}}), "\"Ks\".t");
}

TEST(Print, Types) {
  for (const Case& given : {
           Case{"INT", "int"},
           Case{"varchar", "varchar"},
           Case{"list<int>", "list<int>"},
           Case{"FROZEN<map<text,set<uuid>>>", "frozen<map<text, set<uuid>>>"},
           Case{"tuple<int,text , blob>", "tuple<int, text, blob>"},
           Case{"vector<float,3>", "vector<float, 3>"},
           Case{"ks.Address", "ks.address"},
           Case{"\"Ks\".\"A b\"", "\"Ks\".\"A b\""},
           Case{"\"int\"", "\"int\""},
           Case{"ks.\"int\"", "ks.\"int\""},
           Case{"list", "list"},
           Case{"'org.x.Y'", "'org.x.Y'"},
       })
    ExpectPrinted(given, ParseType, PrintType);
}

TEST(Print, Values) {
  for (const Case& given : {
           Case{"'it''s'", "'it''s'"},
           Case{"$$it's$$", "'it''s'"},
           Case{"-1", "-1"},
           Case{"- 1", "- 1"},
           Case{"- -1", "- -1"},
           Case{"1.50", "1.50"},
           Case{"null", "NULL"},
           Case{"?", "?"},
           Case{": Name", ":name"},
           Case{"[1,2]", "[1, 2]"},
           Case{"{}", "{}"},
           Case{"{1,2}", "{1, 2}"},
           Case{"{'a':1,'b':2}", "{'a': 1, 'b': 2}"},
           Case{"{a:1,\"B\":2}", "{a: 1, \"B\": 2}"},
           Case{"(1,'x')", "(1, 'x')"},
           Case{"(INT)1", "(int)1"},
           Case{"(list<int>)[]", "(list<int>)[]"},
           Case{"CAST(1 AS TEXT)", "cast(1 as text)"},
           Case{"Now()", "now()"},
           Case{"ks.\"F\"(1,2)", "ks.\"F\"(1, 2)"},
           Case{"token(1,2)", "token(1, 2)"},
           Case{"1+2*3 - 4%5", "1 + 2 * 3 - 4 % 5"},
           Case{"(1+2)*3", "(1 + 2) * 3"},
           Case{"-f()", "-f()"},
           Case{"1h30m", "1h30m"},
       })
    ExpectPrinted(given, ParseTerm, PrintTerm);
}

TEST(Print, Selections) {
  for (const Case& given : {
           Case{"COUNT(*)", "count(*)"},
           Case{"Count(1)", "count(1)"},
           Case{"WRITETIME(\"A\")", "writetime(\"A\")"},
           Case{"ttl(m['x'])", "ttl(m['x'])"},
           Case{"MaxWriteTime(u.f)", "maxwritetime(u.f)"},
           Case{"a.b.\"C\"", "a.b.\"C\""},
           Case{"(k.t)4 .f", "(k.t)4 .f"},
           Case{"(int)-4 .f", "(int)-4 .f"},
           Case{"m[1..2]", "m[1..2]"},
           Case{"m[..2]", "m[..2]"},
           Case{"m[1..]", "m[1..]"},
           Case{"m[1. ..2]", "m[1. ..2]"},
           Case{"- - a", "- -a"},
           Case{"{a:b}", "{a: b}"},
           Case{"cast(a+1 as double)", "cast(a + 1 as double)"},
           Case{"a - 1 * b", "a - 1 * b"},
           Case{"(a)", "(a)"},
       })
    ExpectPrinted(given, ParseSelection, PrintTerm);
}

TEST(Print, WhereClauses) {
  for (const Case& given : {
           Case{"a=1 and B>2", "a = 1 AND b > 2"},
           Case{"a is not null AND \"K\" IS NOT NULL", "a IS NOT NULL AND \"K\" IS NOT NULL"},
           Case{"a in (1,2) and b in () and c in ?", "a IN (1, 2) AND b IN () AND c IN ?"},
           Case{"(a,b)>(1,2)", "(a, b) > (1, 2)"},
           Case{"(a,b) in ((1,2),?)", "(a, b) IN ((1, 2), ?)"},
           Case{"token(a,b)>=token(1,2)", "token(a, b) >= token(1, 2)"},
           Case{"m['k']!=1", "m['k'] != 1"},
           Case{"a contains key 1 and b contains 2", "a CONTAINS KEY 1 AND b CONTAINS 2"},
           Case{"a like '%'", "a LIKE '%'"},
           Case{"((a=1))", "a = 1"},
           Case{"expr(i,'q')", "expr(i, 'q')"},
           Case{"f()='x'", "f() = 'x'"},
       })
    ExpectPrinted(given, ParseWhere, PrintWhere);
}

TEST(Print, ReservedWordsAndOddNamesAreQuoted) {
  EXPECT_EQ(PrintName("name_1"), "name_1");
  EXPECT_EQ(PrintName("Name"), "\"Name\"");
  EXPECT_EQ(PrintName("1a"), "\"1a\"");
  EXPECT_EQ(PrintName(""), "\"\"");
  EXPECT_EQ(PrintName("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(PrintName("select"), "\"select\"");
  EXPECT_EQ(PrintName("columnfamily"), "\"columnfamily\"");
  EXPECT_EQ(PrintName("key"), "key");
}

}  // namespace
}  // namespace orrery::cassandra
