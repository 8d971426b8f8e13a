#include "api/mongo/executor/stream/resume_token.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/cluster_clock.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

ResumeToken EventAt(uint64_t timestamp, uint32_t number = 0, std::string key = "k") {
  ResumeToken token{.timestamp = timestamp, .is_event = true, .number = number};
  token.uuid = std::string(16, 'u');
  token.key = std::move(key);
  return token;
}

TEST(ResumeTokenTest, HighWaterMarksLookAsMongodb) {
  EXPECT_EQ(ResumeToken{.timestamp = uint64_t{0x826AFE08} << 32 | 0x23}.Encode(),
            "82826AFE08000000232B0229296E04");
}

TEST(ResumeTokenTest, ReadsWhatItWrites) {
  for (const uint32_t number : {0u, 1u, 127u, 128u, 70'000u, UINT32_MAX}) {
    for (const size_t key : {0, 1, 254, 255, 3'000}) {
      const ResumeToken token = EventAt(77, number, std::string(key, 'x'));
      const auto read = ResumeToken::Decode(token.Encode());
      ASSERT_TRUE(read.has_value());
      EXPECT_EQ(read->timestamp, 77u);
      EXPECT_EQ(read->number, number);
      EXPECT_EQ(read->key.size(), key);
      EXPECT_EQ(read->uuid, token.uuid);
      EXPECT_TRUE(read->is_event);
      EXPECT_FALSE(read->is_invalidate);
    }
  }
}

TEST(ResumeTokenTest, TextsCompareAsEvents) {
  ResumeToken drop{.timestamp = 9, .is_event = true};
  drop.uuid = std::string(16, 'u');
  ResumeToken invalidate = drop;
  invalidate.is_invalidate = true;
  const std::vector<std::string> rising = {
      ResumeToken{.timestamp = 5}.Encode(),
      EventAt(5).Encode(),
      EventAt(5, 0, "kk").Encode(),
      EventAt(5, 1).Encode(),
      EventAt(5, 127).Encode(),
      EventAt(5, 128).Encode(),
      EventAt(5, 40'000).Encode(),
      ResumeToken{.timestamp = 6}.Encode(),
      EventAt(6).Encode(),
      EventAt(uint64_t{1} << 32).Encode(),
  };
  for (size_t i = 1; i < rising.size(); ++i) EXPECT_LT(rising[i - 1], rising[i]) << i;
  EXPECT_LT(drop.Encode(), invalidate.Encode());
}

TEST(ResumeTokenTest, AHighWaterMarkIsBehindAllThatWasSeen) {
  const Micros time(1'700'000'000'999'999);
  const std::string mark = ResumeToken::HighWater(time).Encode();
  EXPECT_LT(EventAt(TimestampOf(time)).Encode(), mark);
  EXPECT_LT(mark, EventAt(TimestampOf(time + Micros(1))).Encode());
}

TEST(ResumeTokenTest, RefusesForeignTokensWithMongodbsCodes) {
  const auto code = [](std::string_view text) {
    const auto read = ResumeToken::Decode(text);
    return read.has_value() ? 0 : read.error().code;
  };
  EXPECT_EQ(code(""), 40649);
  EXPECT_EQ(code("zz"), 9);
  EXPECT_EQ(code("8"), 9);
  EXPECT_EQ(code("8263"), 15);
  EXPECT_EQ(code("99000000000000000A2B0229296E04"), 260);
  EXPECT_EQ(code("82000000000000000A2B0229296E0400"), 260);
  const std::string whole = EventAt(5).Encode();
  for (size_t i = 2; i < whole.size(); i += 2) EXPECT_NE(code(whole.substr(0, i)), 0) << i;
  const auto read =
      ResumeToken::Read(std::move(model::DocumentBuilder().AppendInt32("x", 1)).Finish());
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, 40647);
}

}  // namespace
}  // namespace orrery::mongo
