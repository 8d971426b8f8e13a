#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace orrery {
namespace {

TEST(Crc32c, PublishedValues) {
  for (const auto crc32c : {Crc32c, PortableCrc32c}) {
    EXPECT_EQ(crc32c(0, "123456789"), 0xe3069283u);
    EXPECT_EQ(crc32c(crc32c(0, "1234"), "56789"), 0xe3069283u);
    EXPECT_EQ(crc32c(0, std::string(32, '\0')), 0x8a9136aau);
    EXPECT_EQ(crc32c(0, ""), 0u);
  }
}

TEST(Crc32c, BothWaysAgree) {
  constexpr uint32_t kSeed = 7;
  std::mt19937 random(kSeed);
  for (size_t size = 0; size < 300; ++size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const uint32_t begin = random();
    EXPECT_EQ(Crc32c(begin, bytes), PortableCrc32c(begin, bytes)) << size << ", seed " << kSeed;
  }
}

}  // namespace
}  // namespace orrery
