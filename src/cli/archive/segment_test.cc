#include "cli/archive/segment.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

Segment Example() {
  return {.container = 2,
          .number = 7,
          .last = false,
          .digest = {.items = 3, .mortal = 1, .sum = {1, 2}},
          .continuation = "goes on here",
          .batches = {"first", "", std::string(1000, 'x')}};
}

TEST(SegmentTest, ComesBackAsItWas) {
  const auto read = DecodeSegment(EncodeSegment(Example()));
  ASSERT_TRUE(read.has_value()) << read.error().ToString();
  EXPECT_EQ(*read, Example());
}

TEST(SegmentTest, TheLastHasNoContinuation) {
  Segment segment = Example();
  segment.last = true;
  EXPECT_FALSE(DecodeSegment(EncodeSegment(segment)).has_value());
  segment.continuation.clear();
  EXPECT_TRUE(DecodeSegment(EncodeSegment(segment)).has_value());
}

TEST(SegmentTest, HasTheBytesOfTheDocumentation) {
  const Segment segment{.container = 1,
                        .number = 0,
                        .last = true,
                        .digest = {.items = 1, .mortal = 1, .sum = {}},
                        .continuation = "",
                        .batches = {std::string("\x01\x00\x00", 3)}};
  EXPECT_EQ(ToHex(EncodeSegment(segment)),
            "4f5252455259534547310a"
            "01000000030277d4ea010000"
            "0200000016fa63b9c401000101010000000000000000000000000000000000");
}

TEST(SegmentTest, EveryFlippedBitIsFound) {
  const std::string good = EncodeSegment(Example());
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    const auto read = DecodeSegment(bad);
    ASSERT_FALSE(read.has_value()) << "byte " << i;
    EXPECT_EQ(read.error().code(), Code::kCorruption);
  }
}

TEST(SegmentTest, EveryCutIsFound) {
  const std::string good = EncodeSegment(Example());
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(DecodeSegment(std::string_view(good).substr(0, size)).has_value()) << size;
  EXPECT_FALSE(DecodeSegment(good + "x").has_value());
}

TEST(SegmentTest, DocumentsToo) {
  const auto document = model::ParseJson(R"({"a":[1,{"b":null}]})");
  ASSERT_TRUE(document.has_value());
  const std::string good = EncodeDocumentFile(*document);
  const auto read = DecodeDocumentFile(good);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(*read, *document);
  EXPECT_FALSE(DecodeDocumentFile(good.substr(0, good.size() - 1)).has_value());
  EXPECT_FALSE(DecodeDocumentFile(EncodeSegment(Example())).has_value());
}

}  // namespace
}  // namespace orrery::cli
