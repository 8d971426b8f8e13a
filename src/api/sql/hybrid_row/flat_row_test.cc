#include "api/sql/hybrid_row/flat_row.h"

#include <gtest/gtest.h>

#include "api/sql/hybrid_row/hybrid_row_testing.h"
#include "base/bytes.h"

namespace orrery::sql::hybrid {
namespace {

constexpr std::array<Column, 6> kColumns = {{{"a", Storage::kFixed},
                                             {"b", Storage::kFixed},
                                             {"text", Storage::kVariable},
                                             {"more", Storage::kVariable},
                                             {"flag", Storage::kSparse},
                                             {"size", Storage::kSparse}}};
constexpr Layout kLayout{7, kColumns};

TEST(FlatRow, HasTheBytesOfTheGrammar) {
  RowBuilder row(kLayout);
  row.PutFixed("b", 258);
  row.PutVariable("more", "xy");
  row.PutSparseBool("flag", true);
  row.PutSparseUint32("size", 1);
  // Bits 1 and 3 are set: b and more.
  EXPECT_EQ(ToHex(std::move(row).Build()),
            "8107000000"
            "0a"
            "00000000"
            "02010000"
            "027879"
            "0305"
            "0b0601000000");
}

TEST(FlatRow, ReadsWhatWasBuilt) {
  RowBuilder row(kLayout);
  row.PutFixed("a", 5);
  row.PutVariable("text", "some text");
  row.PutSparseDouble("size", 2.5);
  const std::string bytes = std::move(row).Build();
  const auto cells = ReadRow(kLayout, bytes);
  ASSERT_TRUE(cells.has_value()) << cells.error().message();
  ASSERT_EQ(cells->size(), 3U);
  EXPECT_EQ((*cells)[0].name, "a");
  EXPECT_EQ(std::get<int64_t>((*cells)[0].cell), 5);
  EXPECT_EQ(std::get<std::string_view>((*cells)[1].cell), "some text");
  EXPECT_EQ(std::get<double>((*cells)[2].cell), 2.5);
}

TEST(FlatRow, ReadsNamesThatTheSchemaDoesNotHave) {
  // A name of three bytes: 7 names of the schema, with the empty one, and 3.
  const std::string bytes = BytesOfHex(
      "8107000000"
      "00"
      "0000000000000000"
      "140a"
      "6e6577"
      "026869");
  const auto cells = ReadRow(kLayout, bytes);
  ASSERT_TRUE(cells.has_value()) << cells.error().message();
  ASSERT_EQ(cells->size(), 1U);
  EXPECT_EQ(cells->front().name, "new");
  EXPECT_EQ(std::get<std::string_view>(cells->front().cell), "hi");
}

TEST(FlatRow, ReadsEveryPrimitive) {
  const std::string head = BytesOfHex(
      "8107000000"
      "00"
      "0000000000000000");
  const auto read = [&](std::string_view hex) {
    const auto cells = ReadRow(kLayout, head + BytesOfHex(hex));
    return cells.has_value() && cells->size() == 1 &&
                   std::holds_alternative<int64_t>(cells->front().cell)
               ? std::get<int64_t>(cells->front().cell)
               : -999;
  };
  EXPECT_EQ(read("0105"), 0);
  EXPECT_EQ(read("0205"), 0);
  EXPECT_EQ(read("0305"), 1);
  EXPECT_EQ(read("0505ff"), -1);
  EXPECT_EQ(read("0605feff"), -2);
  EXPECT_EQ(read("0705fdffffff"), -3);
  EXPECT_EQ(read("0905ff"), 255);
  EXPECT_EQ(read("0d0503"), -2);
  EXPECT_EQ(read("0e0503"), 3);
}

TEST(FlatRow, RefusesWhatIsNone) {
  for (const std::string_view hex : {
           "",      // nothing
           "8107",  // a part of the header
           "800700000000"
           "0000000000000000",  // another version
           "810800000000"
           "0000000000000000",  // another schema
           "810700000000"
           "00000000000000",  // a part of the fixed columns
           "810700000004"
           "0000000000000000"
           "056162",  // a text that is cut off
           "810700000004"
           "0000000000000000",  // a text that is not there
           "810700000000"
           "0000000000000000"
           "2005",  // an array
           "810700000000"
           "0000000000000000"
           "14ff",  // a name that is cut off
           "810700000000"
           "0000000000000000"
           "1405ff01",  // a value that is cut off
       }) {
    EXPECT_FALSE(ReadRow(kLayout, BytesOfHex(hex)).has_value()) << hex;
  }
}

}  // namespace
}  // namespace orrery::sql::hybrid
