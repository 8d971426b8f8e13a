#include "cli/byte_size.h"

#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

TEST(ByteSize, ReadsUnitsInAnySpelling) {
  EXPECT_EQ(*ParseByteSize("0"), 0u);
  EXPECT_EQ(*ParseByteSize("4096"), 4096u);
  EXPECT_EQ(*ParseByteSize("7B"), 7u);
  EXPECT_EQ(*ParseByteSize("64MB"), 64u << 20);
  EXPECT_EQ(*ParseByteSize("64 mib"), 64u << 20);
  EXPECT_EQ(*ParseByteSize("1.5k"), 1536u);
  EXPECT_EQ(*ParseByteSize("20GB"), uint64_t{20} << 30);
}

TEST(ByteSize, ABareNumberCountsInTheGivenUnit) {
  EXPECT_EQ(*ParseByteSize("64", 1 << 20), 64u << 20);
  EXPECT_EQ(*ParseByteSize("64KB", 1 << 20), 64u << 10);
}

TEST(ByteSize, RefusesWhatIsNoSize) {
  for (const char* text :
       {"", "MB", "-1", "1x", "1 bb", "12 MBs", "nan", "inf", "99999999PB", "1,5GB"}) {
    const auto result = ParseByteSize(text);
    ASSERT_FALSE(result.has_value()) << text;
    EXPECT_EQ(result.error().code(), Code::kInvalidArgument);
  }
}

TEST(ByteSize, FormatsShortly) {
  EXPECT_EQ(FormatByteSize(0), "0 B");
  EXPECT_EQ(FormatByteSize(1023), "1023 B");
  EXPECT_EQ(FormatByteSize(1024), "1 KB");
  EXPECT_EQ(FormatByteSize(1536), "1.5 KB");
  EXPECT_EQ(FormatByteSize((1 << 20) - 1), "1 MB");
  EXPECT_EQ(FormatByteSize(uint64_t{20} << 30), "20 GB");
}

}  // namespace
}  // namespace orrery::cli
