#include "api/cassandra/protocol/frame/compression.h"

#include <gtest/gtest.h>

#include <random>

#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

constexpr Compression kBothCompressions[] = {Compression::kLz4, Compression::kSnappy};
constexpr size_t kSizeMax = 1 << 20;

std::string Noise(size_t size) {
  std::mt19937 random(7);
  std::string noise(size, '\0');
  for (char& byte : noise) byte = static_cast<char>(random());
  return noise;
}

TEST(CompressionTest, NamesAreReadInAnyCase) {
  EXPECT_EQ(ToCompression("lz4"), Compression::kLz4);
  EXPECT_EQ(ToCompression("LZ4"), Compression::kLz4);
  EXPECT_EQ(ToCompression("Snappy"), Compression::kSnappy);
  EXPECT_EQ(ToCompression("zstd"), std::nullopt);
  EXPECT_EQ(ToCompression(""), std::nullopt);
}

TEST(CompressionTest, BodiesComeBack) {
  const std::string body(5000, 'x');
  for (const Compression compression : kBothCompressions) {
    std::string out = "head" + body;
    ASSERT_TRUE(CompressTail(compression, out, 4));
    EXPECT_LT(out.size(), 300u);
    EXPECT_TRUE(out.starts_with("head"));
    std::string back;
    ASSERT_TRUE(DecompressBody(compression, std::string_view(out).substr(4), kSizeMax, back));
    EXPECT_EQ(back, body);
  }
}

TEST(CompressionTest, AnLz4BodyBeginsWithItsSizeBigEndian) {
  std::string out(1000, 'x');
  ASSERT_TRUE(CompressTail(Compression::kLz4, out, 0));
  EXPECT_EQ(out.substr(0, 4), Hex("000003e8"));
}

TEST(CompressionTest, WhatDoesNotShrinkIsLeft) {
  for (const Compression compression : kBothCompressions) {
    for (const std::string& body : {std::string("short"), Noise(4096), std::string()}) {
      std::string out = body;
      EXPECT_FALSE(CompressTail(compression, out, 0));
      EXPECT_EQ(out, body);
    }
  }
  std::string out = "kept";
  EXPECT_FALSE(AppendLz4Block(out, Noise(300)));
  EXPECT_EQ(out, "kept");
}

TEST(CompressionTest, AnEmptyBodyMayComeCompressed) {
  std::string back = "old";
  ASSERT_TRUE(DecompressBody(Compression::kLz4, Hex("00000000 00"), kSizeMax, back));
  EXPECT_EQ(back, "");
  ASSERT_TRUE(DecompressBody(Compression::kSnappy, Hex("00"), kSizeMax, back));
  EXPECT_EQ(back, "");
}

TEST(CompressionTest, TheAnnouncedSizeIsJudgedBeforeAllocating) {
  std::string back;
  EXPECT_FALSE(DecompressBody(Compression::kLz4, Hex("7fffffff 10 61"), kSizeMax, back));
  EXPECT_FALSE(DecompressBody(Compression::kLz4, Hex("ffffffff 10 61"), SIZE_MAX, back));
  EXPECT_FALSE(DecompressBody(Compression::kLz4, Hex("000fffff 10 61"), kSizeMax, back));
  EXPECT_FALSE(DecompressBody(Compression::kSnappy, Hex("ffffffff0f 0061"), SIZE_MAX, back));
  EXPECT_EQ(back.capacity(), std::string().capacity());
}

TEST(CompressionTest, DamagedBodiesAreErrors) {
  for (const Compression compression : kBothCompressions) {
    std::string good(500, 'y');
    ASSERT_TRUE(CompressTail(compression, good, 0));
    std::string back;
    for (size_t size = 0; size < good.size(); ++size) {
      EXPECT_FALSE(
          DecompressBody(compression, std::string_view(good).substr(0, size), kSizeMax, back));
    }
  }
}

}  // namespace
}  // namespace orrery::cassandra
