#include "api/cassandra/protocol/frame/checksum.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

TEST(ChecksumTest, HeaderVectors) {
  EXPECT_EQ(HeaderChecksum(""), 0x875060u);
  EXPECT_EQ(HeaderChecksum(Hex("000000")), 0x7de777u);
  EXPECT_EQ(HeaderChecksum(Hex("050002")), 0x9a9919u);
  EXPECT_EQ(HeaderChecksum(Hex("0500000004")), 0x8eabe4u);
}

TEST(ChecksumTest, PayloadVectors) {
  EXPECT_EQ(PayloadChecksum(""), 0x44777ed3u);
  EXPECT_EQ(PayloadChecksum("123456789"), 0xe2a261a7u);
  EXPECT_EQ(PayloadChecksum(std::string(16, '\0')), 0x486efa56u);
}

}  // namespace
}  // namespace orrery::cassandra
