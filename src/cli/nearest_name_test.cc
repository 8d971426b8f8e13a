#include "cli/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::cli {
namespace {

const std::vector<std::string> kKnown = {"data", "cache-mb", "memtable-mb", "durability",
                                         "sql-port"};

TEST(NearestName, FindsTypingErrors) {
  EXPECT_EQ(NearestName("chache-mb", kKnown), "cache-mb");
  EXPECT_EQ(NearestName("CACHE_MB", kKnown), "cache-mb");
  EXPECT_EQ(NearestName("sql-prot", kKnown), "sql-port");
  EXPECT_EQ(NearestName("dat", kKnown), "data");
}

TEST(NearestName, DoesNotGuessWildly) {
  EXPECT_EQ(NearestName("frobnicate", kKnown), std::nullopt);
  EXPECT_EQ(NearestName("", kKnown), std::nullopt);
  EXPECT_EQ(NearestName(std::string(1000, 'a'), kKnown), std::nullopt);
  EXPECT_EQ(NearestName("x", {}), std::nullopt);
}

TEST(NearestName, MakesASentence) {
  EXPECT_EQ(DidYouMean("chache-mb", kKnown, "--"), "; did you mean '--cache-mb'?");
  EXPECT_EQ(DidYouMean("frobnicate", kKnown, "--"), "");
}

}  // namespace
}  // namespace orrery::cli
