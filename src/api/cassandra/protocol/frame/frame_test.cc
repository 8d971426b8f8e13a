#include "api/cassandra/protocol/frame/frame.h"

#include <gtest/gtest.h>

#include <random>

#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

constexpr FrameFormat kBothFormats[] = {FrameFormat::kPlain, FrameFormat::kLz4};
constexpr uint64_t kSeed = 20261116;

std::string EnvelopeOf(std::string_view body) {
  std::string out;
  AppendEnvelopeHeader(
      out, Direction::kRequest,
      {ProtocolVersion::kV5, 0, 1, Opcode::kQuery, static_cast<uint32_t>(body.size())});
  return out.append(body);
}

std::string Noise(size_t size, std::mt19937_64& random) {
  std::string noise(size, '\0');
  for (char& byte : noise) byte = static_cast<char>(random());
  return noise;
}

std::string Framed(std::string_view envelopes, FrameFormat format) {
  std::string out;
  AppendFrames(out, envelopes, format);
  return out;
}

// All that the decoder gives for `input`, joined.
Result<std::string> DecodeAll(FrameDecoder& decoder, std::string_view& input) {
  std::string all;
  while (true) {
    ORRERY_ASSIGN(const std::optional<std::string_view> run, decoder.Next(input));
    if (!run.has_value()) return all;
    all += *run;
  }
}

TEST(FrameTest, BytesOfASmallFrame) {
  const std::string options = Hex("05 00 0000 05 00000000");
  EXPECT_EQ(ToHex(Framed(options, FrameFormat::kPlain)),
            "090002"
            "a4c8c1"
            "050000000500000000"
            "1086284d");
  EXPECT_EQ(ToHex(Framed(options, FrameFormat::kLz4)),
            "0900000004"
            "c2b895"
            "050000000500000000"
            "1086284d");
}

TEST(FrameTest, PacksManyEnvelopesIntoOneFrame) {
  const std::string two = EnvelopeOf("first") + EnvelopeOf("second");
  const std::string frames = Framed(two, FrameFormat::kPlain);
  EXPECT_EQ(frames.size(), two.size() + 10);
  FrameDecoder decoder(FrameFormat::kPlain);
  std::string_view input = frames;
  EXPECT_EQ(DecodeAll(decoder, input), two);
  EXPECT_TRUE(input.empty());
}

TEST(FrameTest, AnEnvelopeThatJustFitsIsSelfContained) {
  const std::string fits = EnvelopeOf(std::string(kFramePayloadBytesMax - 9, 'x'));
  EXPECT_EQ(Framed(fits, FrameFormat::kPlain).substr(0, 3), Hex("ffff03"));
  const std::string larger = EnvelopeOf(std::string(kFramePayloadBytesMax - 8, 'x'));
  const std::string frames = Framed(larger, FrameFormat::kPlain);
  EXPECT_EQ(frames.substr(0, 3), Hex("ffff01"));
  EXPECT_EQ(frames.size(), larger.size() + 20);
}

TEST(FrameTest, AnythingComesBackInAnyPortions) {
  std::mt19937_64 random(kSeed);
  for (const FrameFormat format : kBothFormats) {
    for (int round = 0; round < 20; ++round) {
      std::string envelopes;
      for (int i = 0; i < 8; ++i) {
        const size_t size = random() % (random() % 4 == 0 ? 400'000 : 2'000);
        envelopes += EnvelopeOf(random() % 2 == 0 ? Noise(size, random) : std::string(size, 'x'));
      }
      const std::string frames = Framed(envelopes, format);
      FrameDecoder decoder(format);
      std::string back;
      std::string buffer;
      for (size_t at = 0; at < frames.size();) {
        const size_t portion = std::min<size_t>(1 + random() % 100'000, frames.size() - at);
        buffer.append(frames, at, portion);
        at += portion;
        std::string_view input = buffer;
        const Result<std::string> part = DecodeAll(decoder, input);
        ASSERT_TRUE(part.has_value()) << "seed " << kSeed;
        back += *part;
        buffer.erase(0, buffer.size() - input.size());
      }
      ASSERT_TRUE(back == envelopes) << "seed " << kSeed;
      ASSERT_TRUE(buffer.empty());
    }
  }
}

TEST(FrameTest, CompressibleEnvelopesShrink) {
  EXPECT_LT(Framed(EnvelopeOf(std::string(100'000, 'x')), FrameFormat::kLz4).size(), 1'000u);
}

TEST(FrameTest, EveryFlippedBitIsFound) {
  for (const FrameFormat format : kBothFormats) {
    const std::string good = Framed(EnvelopeOf(std::string(300, 'x')), format);
    for (size_t bit = 0; bit < 8 * good.size(); ++bit) {
      std::string bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
      FrameDecoder decoder(format);
      std::string_view input = bad;
      const auto run = decoder.Next(input);
      ASSERT_FALSE(run.has_value()) << bit;
      EXPECT_TRUE(run.error().message().starts_with("Invalid CRC")) << run.error().message();
    }
  }
}

TEST(FrameTest, WaitsForEveryByte) {
  for (const FrameFormat format : kBothFormats) {
    const std::string frame = Framed(EnvelopeOf("abc"), format);
    for (size_t size = 0; size < frame.size(); ++size) {
      FrameDecoder decoder(format);
      std::string_view input = std::string_view(frame).substr(0, size);
      const auto run = decoder.Next(input);
      ASSERT_TRUE(run.has_value());
      EXPECT_FALSE(run->has_value());
      EXPECT_EQ(input.size(), size);
    }
  }
}

TEST(FrameTest, ALargeMessageIsBounded) {
  const std::string frames = Framed(EnvelopeOf(std::string(200'000, 'x')), FrameFormat::kPlain);
  FrameDecoder decoder(FrameFormat::kPlain, 150'000);
  std::string_view input = frames;
  const auto run = decoder.Next(input);
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().message(),
            "Request is too big: length 200000 exceeds maximum allowed length 150000.");
}

TEST(FrameTest, ALargeMessageMayNotBeInterruptedNorOverflow) {
  const std::string large = Framed(EnvelopeOf(std::string(200'000, 'x')), FrameFormat::kPlain);
  const std::string first_piece = large.substr(0, kFramePayloadBytesMax + 10);
  const std::string second_piece = large.substr(first_piece.size());
  for (const std::string& next : {Framed(EnvelopeOf("x"), FrameFormat::kPlain), first_piece}) {
    const std::string frames = first_piece + next;
    FrameDecoder decoder(FrameFormat::kPlain);
    std::string_view input = frames;
    EXPECT_FALSE(decoder.Next(input).has_value());
  }
  const std::string twice = large + large;
  FrameDecoder decoder(FrameFormat::kPlain);
  std::string_view input = twice;
  const Result<std::string> all = DecodeAll(decoder, input);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->size(), 2 * 200'009u);
}

}  // namespace
}  // namespace orrery::cassandra
