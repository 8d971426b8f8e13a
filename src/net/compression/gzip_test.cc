#include "net/compression/gzip.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/has_code.h"

namespace orrery::net {
namespace {

// "Hello, Orrery!" by gzip -n.
std::string HelloGzip() {
  std::string bytes;
  EXPECT_TRUE(
      FromHex("1f8b0800000000000203f348cdc9c9d751f02f2a4a2daa5404003ce3ece40e000000", bytes));
  return bytes;
}

TEST(GzipTest, WhatWasPackedComesBack) {
  EXPECT_EQ(UnpackGzip(HelloGzip(), 100), "Hello, Orrery!");
}

TEST(GzipTest, DamageAndSizeAreRefused) {
  const std::string packed = HelloGzip();
  EXPECT_TRUE(HasCode(UnpackGzip(packed, 13), Code::kInvalidArgument));
  EXPECT_TRUE(HasCode(UnpackGzip(packed + "x", 100), Code::kInvalidArgument));
  for (size_t cut = 0; cut < packed.size(); ++cut)
    EXPECT_FALSE(UnpackGzip(packed.substr(0, cut), 100).has_value()) << cut;
  std::string damaged = packed;
  damaged[12] ^= 1;
  EXPECT_FALSE(UnpackGzip(damaged, 100).has_value());
  EXPECT_FALSE(UnpackGzip("", 100).has_value());
}

}  // namespace
}  // namespace orrery::net
