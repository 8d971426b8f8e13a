// Texts of dates, times, durations, reals, big numbers, addresses and UUIDs.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "api/cassandra/types/native/civil.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/duration.h"
#include "api/cassandra/types/native/inet.h"
#include "api/cassandra/types/native/real.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "api/cassandra/types/native/vint.h"

namespace orrery::cassandra {
namespace {

using namespace std::literals;

TEST(CivilTest, DaysAndDates) {
  EXPECT_EQ(DaysFromCivil({1970, 1, 1}), 0);
  EXPECT_EQ(DaysFromCivil({2000, 3, 1}), 11'017);
  EXPECT_EQ(DaysFromCivil({1969, 12, 31}), -1);
  for (int64_t days = -1'000'000; days < 1'000'000; days += 997)
    EXPECT_EQ(DaysFromCivil(CivilFromDays(days)), days);
  EXPECT_EQ(AddMonths({2024, 1, 31}, 1), (CivilDate{2024, 2, 29}));
  EXPECT_EQ(AddMonths({2024, 1, 31}, -14), (CivilDate{2022, 11, 30}));
}

TEST(DateTimeTest, Timestamps) {
  struct Case {
    const char* text;
    const char* expected;  // nullptr: no timestamp
  };
  const Case kCases[] = {
      {"2011-02-03", "2011-02-03T00:00:00.000Z"},
      {"2011-02-03+0100", "2011-02-02T23:00:00.000Z"},
      {"2011-02-03Z", "2011-02-03T00:00:00.000Z"},
      {"2011-02-03z", "2011-02-03T00:00:00.000Z"},
      {"2011-02-03 UTC", "2011-02-03T00:00:00.000Z"},
      {"2011-2-3", nullptr},
      {"2011-02-03 04:05", "2011-02-03T04:05:00.000Z"},
      {"2011-2-3 4:5", "2011-02-03T04:05:00.000Z"},
      {"2011-02-03T04:05:06", "2011-02-03T04:05:06.000Z"},
      {"2011-02-03T04:05:06.7", "2011-02-03T04:05:06.700Z"},
      {"2011-02-03 04:05:06.789123456", "2011-02-03T04:05:06.789Z"},
      {"2011-02-03 04:05:06.7891234567", nullptr},
      {"2011-02-03 04:05:06.789+01", "2011-02-03T03:05:06.789Z"},
      {"2011-02-03 04:05:06.789+01:30", "2011-02-03T02:35:06.789Z"},
      {"2011-02-03 04:05:06 -0800", "2011-02-03T12:05:06.000Z"},
      {"2011-02-03 04:05 PST", "2011-02-03T12:05:00.000Z"},
      {"2011-02-03 04:05 Pacific Standard Time", "2011-02-03T12:05:00.000Z"},
      {"2011-02-03 04:05 GMT+1", "2011-02-03T03:05:00.000Z"},
      {"2011-02-03 04:05 Nowhere", nullptr},
      {"2011-02-03 24:00", "2011-02-04T00:00:00.000Z"},
      {"2011-02-03 24:01", nullptr},
      {"2011-02-03 04", nullptr},
      {"2011-02-31 00:00", "2011-02-28T00:00:00.000Z"},
      {"2011-13-03", nullptr},
      {"2011-02-03 04:60", nullptr},
      {"2011-02-03 04:05+19:00", nullptr},
      {"1299038700000", "2011-03-02T04:05:00.000Z"},
      {"-1", "1969-12-31T23:59:59.999Z"},
      {"99999999999999999999", nullptr},
      {"NOW", "1970-01-01T00:00:00.042Z"},
      {"abc", nullptr},
      {"-", nullptr},
      {"999999999-01-01 00:00", nullptr},
  };
  for (const Case& c : kCases) {
    const auto parsed = ParseTimestamp(c.text, 42);
    if (c.expected == nullptr) {
      EXPECT_FALSE(parsed.has_value()) << c.text;
    } else {
      ASSERT_TRUE(parsed.has_value()) << c.text;
      EXPECT_EQ(TimestampText(*parsed), c.expected) << c.text;
    }
  }
  EXPECT_EQ(TimestampText(0, ' '), "1970-01-01 00:00:00.000Z");
}

TEST(DateTimeTest, ExtremeTimestampsReadBack) {
  for (const int64_t extreme : {std::numeric_limits<int64_t>::min(),
                                std::numeric_limits<int64_t>::max(), int64_t{253'402'300'800'000}})
    EXPECT_EQ(ParseTimestamp(TimestampText(extreme), 0).value(), extreme);
}

TEST(DateTimeTest, Dates) {
  EXPECT_EQ(ParseDate("1970-01-01").value(), 2'147'483'648U);
  EXPECT_EQ(ParseDate("-5877641-06-23").value(), 0U);
  EXPECT_EQ(ParseDate("+5881580-07-11").value(), 4'294'967'295U);
  EXPECT_EQ(ParseDate("4294967295").value(), 4'294'967'295U);
  for (const char* bad : {"", "-1", "4294967296", "1970-1-1", "1970-02-30", "1970-01-01x",
                          "-5877641-06-22", "+5881580-07-12", "12345-01-01"})
    EXPECT_FALSE(ParseDate(bad).has_value()) << bad;
  EXPECT_EQ(DateText(0), "-5877641-06-23");
  EXPECT_EQ(DateText(4'294'967'295U), "+5881580-07-11");
  EXPECT_EQ(DateOfTimestamp(-1), 2'147'483'647U);
  EXPECT_EQ(DateOfTimestamp(std::numeric_limits<int64_t>::max()), std::nullopt);
}

TEST(DateTimeTest, Times) {
  EXPECT_EQ(TimeText(ParseTime("4:5:6.789").value()), "04:05:06.789000000");
  EXPECT_EQ(TimeText(ParseTime(" 23:59:59.999999999 ").value()), "23:59:59.999999999");
  EXPECT_EQ(ParseTime("86399999999999").value(), 86'399'999'999'999);
  for (const char* bad : {"", "24:00:00", "4:5", "4:60:00", "4:05:06.", "4:05:06.1234567890", "-1",
                          "86400000000000", "a:b:c", "4:05:06x"})
    EXPECT_FALSE(ParseTime(bad).has_value()) << bad;
}

TEST(DurationTest, Texts) {
  struct Case {
    const char* text;
    Duration expected;
  };
  const Case kCases[] = {
      {"1y2mo3w4d5h6m7s8ms9us10ns", {14, 25, 18'367'008'009'010}},
      {"1Y2MO", {14, 0, 0}},
      {"-1d", {0, -1, 0}},
      {"10\xc2\xb5s", {0, 0, 10'000}},
      {"12m", {0, 0, 720'000'000'000}},
      {"P1Y2M3DT4H5M6S", {14, 3, 14'706'000'000'000}},
      {"-PT1S", {0, 0, -1'000'000'000}},
      {"P3W", {0, 21, 0}},
      {"P0001-02-03T04:05:06", {14, 3, 14'706'000'000'000}},
      {"P", {0, 0, 0}},
  };
  for (const Case& c : kCases) {
    const auto parsed = ParseDuration(c.text);
    ASSERT_TRUE(parsed.has_value()) << c.text;
    EXPECT_EQ(*parsed, c.expected) << c.text;
    EXPECT_EQ(ParseDuration(DurationText(*parsed)).value(), *parsed);
    EXPECT_EQ(DecodeDuration(EncodeDuration(*parsed)).value(), *parsed);
  }
  EXPECT_EQ(DurationText({14, 25, 18'367'008'009'010}), "1y2mo25d5h6m7s8ms9us10ns");
  EXPECT_EQ(DurationText({0, -1, 0}), "-1d");
}

TEST(DurationTest, Failures) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case kCases[] = {
      {"1x", "Unable to convert '1x' to a duration"},
      {"", "Unable to convert '' to a duration"},
      {"1d1y", "Invalid duration. The days should be after years"},
      {"1d2d", "Invalid duration. The days are specified multiple times"},
      {"178956971y",
       "Invalid duration. The total number of months must be less or equal to "
       "2147483647"},
      {"P1H", "Unable to convert 'P1H' to a duration"},
      {"P0001-02-03", "Unable to convert 'P0001-02-03' to a duration"},
  };
  for (const Case& c : kCases) {
    const auto parsed = ParseDuration(c.text);
    ASSERT_FALSE(parsed.has_value()) << c.text;
    EXPECT_EQ(parsed.error().message(), c.message);
  }
}

TEST(DurationTest, MovesThroughTheCalendar) {
  const auto at = [](const char* text) { return ParseTimestamp(text, 0).value(); };
  const auto plus = [&](const char* text, Duration duration) {
    return TimestampText(AddDuration(at(text), duration).value());
  };
  EXPECT_EQ(plus("2024-01-31 10:00", {1, 0, 0}), "2024-02-29T10:00:00.000Z");
  EXPECT_EQ(plus("2024-01-31 10:00", {1, 1, 3'600'000'000'000}), "2024-03-01T11:00:00.000Z");
  EXPECT_EQ(TimestampText(SubtractDuration(at("1970-01-01 01:00"), {1, 0, 0}).value()),
            "1969-12-01T01:00:00.000Z");
  EXPECT_FALSE(AddDuration(std::numeric_limits<int64_t>::max(), {0, 1, 0}).has_value());
  EXPECT_FALSE(AddDuration(std::numeric_limits<int64_t>::max(), {2'147'483'647, 2'147'483'647, 0})
                   .has_value());
}

TEST(RealTest, AsJavaShowsThem) {
  EXPECT_EQ(DoubleText(0), "0.0");
  EXPECT_EQ(DoubleText(-0.0), "-0.0");
  EXPECT_EQ(DoubleText(1), "1.0");
  EXPECT_EQ(DoubleText(-12.5), "-12.5");
  EXPECT_EQ(DoubleText(0.001), "0.001");
  EXPECT_EQ(DoubleText(0.0001), "1.0E-4");
  EXPECT_EQ(DoubleText(9'999'999), "9999999.0");
  EXPECT_EQ(DoubleText(1e7), "1.0E7");
  EXPECT_EQ(DoubleText(1.25e30), "1.25E30");
  EXPECT_EQ(DoubleText(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(FloatText(0.1F), "0.1");
  EXPECT_EQ(ParseDouble("1e400").value(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(ParseDouble("-.5").value(), -0.5);
  for (const char* bad : {"", "-", ".", "1e", "0x1", "1 ", "inf", "1f"})
    EXPECT_FALSE(ParseDouble(bad).has_value()) << bad;
}

TEST(DecimalTest, Texts) {
  const std::pair<const char*, const char*> kCases[] = {{"0", "0"},
                                                        {"1.50", "1.50"},
                                                        {"-0.001", "-0.001"},
                                                        {"1E3", "1E+3"},
                                                        {"1.5e-3", "0.0015"},
                                                        {"1E-7", "1E-7"},
                                                        {"0.0000001", "1E-7"},
                                                        {"12.5E+10", "1.25E+11"},
                                                        {".5", "0.5"},
                                                        {"5.", "5"},
                                                        {"007", "7"},
                                                        {"-1E-10", "-1E-10"},
                                                        {"0.000000", "0.000000"},
                                                        {"0E+3", "0E+3"}};
  for (const auto& [text, expected] : kCases)
    EXPECT_EQ(DecimalText(ParseDecimal(text).value()).value(), expected) << text;
  for (const char* bad : {"", ".", "e5", "1e", "1.2.3", "--1", "1E99999999999", "NaN", "1 "})
    EXPECT_FALSE(ParseDecimal(bad).has_value()) << bad;
  EXPECT_FALSE(ParseVarint("1.0").has_value());
  EXPECT_FALSE(ParseVarint(std::string(kBigNumberDigitsMax + 1, '9')).has_value());
  EXPECT_FALSE(VarintText(std::string(kBigNumberBytesMax + 1, 'x')).has_value());
  EXPECT_EQ(VarintText(ParseVarint("-00170141183460469231731687303715884105728").value()).value(),
            "-170141183460469231731687303715884105728");
}

TEST(InetTest, Texts) {
  EXPECT_EQ(InetText(ParseInet("10.0.0.1").value()), "10.0.0.1");
  EXPECT_EQ(InetText(ParseInet("2001:db8::1").value()), "2001:db8:0:0:0:0:0:1");
  EXPECT_EQ(InetText(ParseInet("[::1]").value()), "0:0:0:0:0:0:0:1");
  EXPECT_EQ(InetText(ParseInet("::ffff:1.2.3.4").value()), "1.2.3.4");
  for (const char* bad : {"", "localhost", "1.2.3", "1.2.3.4.5", "::g"})
    EXPECT_FALSE(ParseInet(bad).has_value()) << bad;
  EXPECT_FALSE(ParseInet("1.2.3.4\0"sv).has_value());
}

TEST(TimeUuidTest, TimesAndBounds) {
  const std::string uuid = MakeTimeUuid(Micros(1'700'000'000'123'456), 0x0102030405060708);
  EXPECT_EQ(UuidVersion(uuid), 1);
  EXPECT_EQ(TimeUuidMillis(uuid), 1'700'000'000'123);
  EXPECT_EQ(static_cast<uint8_t>(uuid[8]) >> 6, 0b10);
  EXPECT_EQ(UuidText(MinTimeUuid(0)), "13814000-1dd2-11b2-8080-808080808080");
  EXPECT_EQ(UuidText(MaxTimeUuid(0)), "1381670f-1dd2-11b2-7f7f-7f7f7f7f7f7f");
  EXPECT_EQ(TimeUuidMillis(MinTimeUuid(-1)), -1);
  EXPECT_EQ(TimeUuidMillis(MaxTimeUuid(5)), 5);
  EXPECT_EQ(UuidVersion(MakeRandomUuid(~0ULL, ~0ULL)), 4);
  for (const char* bad :
       {"", "x", "00000000-0000-0000-0000-00000000000", "00000000000-0000-0000-0000-000000000",
        "0000000g-0000-0000-0000-000000000000"})
    EXPECT_FALSE(ParseUuid(bad).has_value()) << bad;
}

TEST(VintTest, AnyNumberComesBack) {
  constexpr uint64_t kSeed = 20261116;
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t number = random() >> (random() % 64);
    const auto signed_number = static_cast<int64_t>(random()) >> (random() % 64);
    std::string bytes;
    AppendUnsignedVint(bytes, number);
    AppendVint(bytes, signed_number);
    ByteReader reader(bytes);
    uint64_t plain = 0;
    int64_t zigzag = 0;
    ASSERT_TRUE(ReadUnsignedVint(reader, plain) && ReadVint(reader, zigzag)) << "seed " << kSeed;
    ASSERT_EQ(plain, number) << "seed " << kSeed;
    ASSERT_EQ(zigzag, signed_number) << "seed " << kSeed;
    ASSERT_TRUE(reader.empty());
  }
}

TEST(VintTest, EveryLength) {
  for (int bits = 0; bits < 64; ++bits) {
    for (const uint64_t value :
         {uint64_t{1} << bits, (uint64_t{1} << bits) - 1, ~uint64_t{0} >> bits}) {
      std::string bytes;
      AppendUnsignedVint(bytes, value);
      AppendVint(bytes, static_cast<int64_t>(value));
      AppendVint(bytes, -static_cast<int64_t>(value >> 1));
      ByteReader reader(bytes);
      uint64_t plain = 0;
      int64_t zigzag = 0;
      int64_t negative = 0;
      ASSERT_TRUE(ReadUnsignedVint(reader, plain) && ReadVint(reader, zigzag) &&
                  ReadVint(reader, negative) && reader.empty());
      EXPECT_EQ(plain, value);
      EXPECT_EQ(zigzag, static_cast<int64_t>(value));
      EXPECT_EQ(negative, -static_cast<int64_t>(value >> 1));
    }
  }
  // As the protocol's own example has it.
  std::string example;
  AppendUnsignedVint(example, 256'000);
  EXPECT_EQ(ToHex(example), "c3e800");
  std::string signs;
  AppendUnsignedVint(signs, 0);
  AppendVint(signs, -1);
  AppendVint(signs, 3);
  EXPECT_EQ(ToHex(signs), "000106");

  std::string bytes;
  AppendUnsignedVint(bytes, 127);
  AppendUnsignedVint(bytes, 128);
  AppendUnsignedVint(bytes, ~uint64_t{0});
  EXPECT_EQ(ToHex(bytes), "7f8080ffffffffffffffffff");
  ByteReader cut("\x80"sv);
  uint64_t value = 0;
  EXPECT_FALSE(ReadUnsignedVint(cut, value));
  EXPECT_EQ(cut.rest().size(), 1);
}

}  // namespace
}  // namespace orrery::cassandra
