#include "api/cassandra/protocol/body/body_writer.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

template <typename Write>
std::string WrittenBody(Write write) {
  std::string out;
  write(out);
  return ToHex(out);
}

TEST(BodyWriterTest, WritesFixedSizesBigEndian) {
  EXPECT_EQ(WrittenBody([](auto& out) { AppendByte(out, 0xAB); }), "ab");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendShort(out, 0x1234); }), "1234");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendInt(out, -2); }), "fffffffe");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendLong(out, 1); }), "0000000000000001");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendConsistency(out, Consistency::kLocalOne); }), "000a");
}

TEST(BodyWriterTest, WritesTextsBytesAndNulls) {
  EXPECT_EQ(WrittenBody([](auto& out) { AppendString(out, "ks"); }), "00026b73");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendLongString(out, "ks"); }), "000000026b73");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendBytes(out, ""); }), "00000000");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendNullableBytes(out, std::nullopt); }), "ffffffff");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendShortBytes(out, "id"); }), "00026964");
  EXPECT_EQ(WrittenBody([](auto& out) { AppendValue(out, {BoundValue::State::kUnset, {}}); }),
            "fffffffe");
}

TEST(BodyWriterTest, WritesMapsAndLists) {
  EXPECT_EQ(
      WrittenBody([](auto& out) { AppendStringMultimap(out, {{"A", {"1", "2"}}, {"B", {}}}); }),
      "0002"
      "000141"
      "0002"
      "000131"
      "000132"
      "000142"
      "0000");
  EXPECT_EQ(WrittenBody([](auto& out) {
              const PayloadEntry entries[] = {{"k", "v"}, {"n", std::nullopt}};
              AppendBytesMap(out, entries);
            }),
            "0002"
            "00016b"
            "0000000176"
            "00016e"
            "ffffffff");
}

TEST(BodyWriterTest, WritesAddresses) {
  EXPECT_EQ(WrittenBody([](auto& out) { AppendEndpoint(out, {{{127, 0, 0, 1}, 4}, 9042}); }),
            "04"
            "7f000001"
            "00002352");
}

TEST(BodyWriterTest, CutsTextsThatNoLengthCanSay) {
  const std::string text = std::string(kStringBytesMax - 1, 'x') + "\u20AC and more";
  std::string out;
  AppendString(out, text);
  EXPECT_EQ(out.size(), 2 + kStringBytesMax - 1);
  EXPECT_EQ(out.substr(0, 2), Hex("fffe"));
}

TEST(BodyWriterTest, PatchesALengthInPlace) {
  std::string out = "ab____cd";
  PatchInt(out, 2, 0x01020304);
  EXPECT_EQ(out,
            "ab\x01\x02\x03\x04"
            "cd");
}

}  // namespace
}  // namespace orrery::cassandra
