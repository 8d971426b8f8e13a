#include "cli/text_table.h"

#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

TEST(TextTable, AlignsColumns) {
  TextTable table({{"name"}, {"items", Align::kRight}, {"note"}});
  table.AddRow({"a", "5"});
  table.AddRow({"länger", "1,000", "x"});
  EXPECT_EQ(table.Render(),
            "name    items  note\n"
            "a           5\n"
            "länger  1,000  x\n");
}

TEST(TextTable, WithoutRowsShowsTitles) { EXPECT_EQ(TextTable({{"a"}, {"b"}}).Render(), "a  b\n"); }

TEST(Bar, ShowsAnyUseAndOnlyFullAsFull) {
  EXPECT_EQ(Bar(0, 4), "[....]");
  EXPECT_EQ(Bar(0.0001, 4), "[#...]");
  EXPECT_EQ(Bar(0.5, 4), "[##..]");
  EXPECT_EQ(Bar(0.99, 4), "[###.]");
  EXPECT_EQ(Bar(7, 4), "[####]");
  EXPECT_EQ(Bar(0.0 / 0.0, 4), "[....]");
}

TEST(GroupDigits, PutsCommas) {
  EXPECT_EQ(GroupDigits(0), "0");
  EXPECT_EQ(GroupDigits(999), "999");
  EXPECT_EQ(GroupDigits(1000), "1,000");
  EXPECT_EQ(GroupDigits(-1234567), "-1,234,567");
}

TEST(Printable, DisarmsControlCharacters) {
  EXPECT_EQ(Printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\x0a");
}

}  // namespace
}  // namespace orrery::cli
