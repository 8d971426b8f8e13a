#include "net/compression/block_compression.h"

#include <gtest/gtest.h>

#include <random>

namespace orrery::net {
namespace {

constexpr BlockFormat kAllFormats[] = {BlockFormat::kSnappy, BlockFormat::kZlib,
                                       BlockFormat::kZstd};
constexpr size_t kBlockSizeMax = 1 << 20;

TEST(BlockCompressionTest, BlocksComeBack) {
  const std::string plain(5'000, 'x');
  for (const BlockFormat format : kAllFormats) {
    std::string block = "head";
    ASSERT_TRUE(AppendCompressed(format, plain, block));
    EXPECT_LT(block.size(), 400u);
    ASSERT_TRUE(block.starts_with("head"));
    std::string back;
    ASSERT_TRUE(
        DecompressBlock(format, std::string_view(block).substr(4), 5'000, kBlockSizeMax, back));
    EXPECT_EQ(back, plain);
  }
}

TEST(BlockCompressionTest, WhatDoesNotShrinkIsLeft) {
  std::mt19937 random(7);
  std::string noise(4'096, '\0');
  for (char& byte : noise) byte = static_cast<char>(random());
  for (const BlockFormat format : kAllFormats) {
    std::string out = "kept";
    EXPECT_FALSE(AppendCompressed(format, noise, out));
    EXPECT_EQ(out, "kept");
  }
}

TEST(BlockCompressionTest, WrongSizesAreRefused) {
  const std::string plain(5'000, 'x');
  for (const BlockFormat format : kAllFormats) {
    std::string block;
    ASSERT_TRUE(AppendCompressed(format, plain, block));
    std::string out;
    EXPECT_FALSE(DecompressBlock(format, block, 4'999, kBlockSizeMax, out));
    EXPECT_FALSE(DecompressBlock(format, block, 5'001, kBlockSizeMax, out));
    EXPECT_FALSE(DecompressBlock(format, block, 5'000, 4'000, out));
    EXPECT_FALSE(DecompressBlock(format, block.substr(1), 5'000, kBlockSizeMax, out));
    EXPECT_FALSE(DecompressBlock(format, "", 5'000, kBlockSizeMax, out));
  }
}

TEST(BlockCompressionTest, AnAnnouncedSizeIsNotAllocatedForFewBytes) {
  std::string out;
  EXPECT_FALSE(DecompressBlock(BlockFormat::kZlib, "xx", 40 << 20, 48 << 20, out));
  EXPECT_TRUE(out.empty());
}

TEST(BlockCompressionTest, ASnappyBlockSaysItsSize) {
  std::string block;
  ASSERT_TRUE(AppendCompressed(BlockFormat::kSnappy, std::string(1'000, 'a'), block));
  EXPECT_EQ(SnappyPlainSize(block).value(), 1'000u);
  EXPECT_FALSE(SnappyPlainSize("").has_value());
}

}  // namespace
}  // namespace orrery::net
