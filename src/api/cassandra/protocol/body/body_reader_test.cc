#include "api/cassandra/protocol/body/body_reader.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

// One of each notation, as AllOf reads them.
std::string OneOfEach() {
  std::string out;
  AppendByte(out, 200);
  AppendShort(out, 60000);
  AppendInt(out, -5);
  AppendLong(out, -6);
  AppendString(out, "h\u00E9");
  AppendLongString(out, "SELECT");
  AppendUuid(out, {1, 2, 3});
  AppendBytes(out, "bytes");
  AppendValue(out, {BoundValue::State::kValue, "v"});
  AppendShortBytes(out, "id");
  AppendEndpoint(out, {{{10, 0, 0, 1}, 4}, 9042});
  AppendConsistency(out, Consistency::kLocalQuorum);
  AppendStringList(out, std::vector<std::string>{"a", "b"});
  AppendStringMap(out, {{"k", "v"}});
  AppendStringMultimap(out, {{"k", {"v", "w"}}});
  AppendBytesMap(out, std::vector<PayloadEntry>{{"k", "v"}, {"n", std::nullopt}});
  return out;
}

void ReadAll(BodyReader& reader) {
  EXPECT_EQ(reader.Byte(), 200);
  EXPECT_EQ(reader.Short(), 60000);
  EXPECT_EQ(reader.Int(), -5);
  EXPECT_EQ(reader.Long(), -6);
  EXPECT_EQ(reader.String(), "h\u00E9");
  EXPECT_EQ(reader.LongString(), "SELECT");
  EXPECT_EQ(reader.ReadUuid(), (Uuid{1, 2, 3}));
  EXPECT_EQ(reader.Bytes(), "bytes");
  EXPECT_EQ(reader.Value(ProtocolVersion::kV4), (BoundValue{BoundValue::State::kValue, "v"}));
  EXPECT_EQ(reader.ShortBytes(), "id");
  EXPECT_EQ(reader.Endpoint(), (InetEndpoint{{{10, 0, 0, 1}, 4}, 9042}));
  EXPECT_EQ(reader.Level(), Consistency::kLocalQuorum);
  EXPECT_EQ(reader.StringList(), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(reader.ReadStringMap(), (StringMap{{"k", "v"}}));
  EXPECT_EQ(reader.ReadStringMultimap(), (StringMultimap{{"k", {"v", "w"}}}));
  EXPECT_EQ(reader.BytesMap(), (std::vector<PayloadEntry>{{"k", "v"}, {"n", std::nullopt}}));
}

void ReadAllBlindly(BodyReader& reader) {
  (void)reader.Byte();
  (void)reader.Short();
  (void)reader.Int();
  (void)reader.Long();
  (void)reader.String();
  (void)reader.LongString();
  (void)reader.ReadUuid();
  (void)reader.Bytes();
  (void)reader.Value(ProtocolVersion::kV4);
  (void)reader.ShortBytes();
  (void)reader.Endpoint();
  (void)reader.Level();
  (void)reader.StringList();
  (void)reader.ReadStringMap();
  (void)reader.ReadStringMultimap();
  (void)reader.BytesMap();
}

TEST(BodyReaderTest, ReadsWhatTheWriterWrites) {
  const std::string body = OneOfEach();
  BodyReader reader(body);
  ReadAll(reader);
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.status().has_value());
  EXPECT_EQ(reader.remaining(), 0u);
}

TEST(BodyReaderTest, FailsWhereverTheBodyIsCut) {
  const std::string body = OneOfEach();
  for (size_t size = 0; size < body.size(); ++size) {
    BodyReader reader(std::string_view(body).substr(0, size));
    ReadAllBlindly(reader);
    ASSERT_FALSE(reader.ok()) << size;
    ASSERT_EQ(reader.status().error().code(), Code::kInvalidArgument);
    ASSERT_EQ(reader.remaining(), 0u);
  }
}

TEST(BodyReaderTest, TheFirstFailureIsTheOneTold) {
  const std::string body = Hex("0005 6162");
  BodyReader reader(body);
  EXPECT_EQ(reader.String(), "");
  reader.Refuse("something later");
  EXPECT_EQ(reader.Long(), 0);
  EXPECT_EQ(reader.status().error().message(),
            "The message body is truncated: [string] at byte 2 takes 5 bytes, 2 are left");
}

TEST(BodyReaderTest, NegativeLengthsMeanWhatTheVersionSays) {
  const std::string body = Hex("ffffffff fffffffe fffffffd");
  BodyReader v3(body);
  EXPECT_TRUE(v3.Value(ProtocolVersion::kV3).is_null());
  EXPECT_TRUE(v3.Value(ProtocolVersion::kV3).is_null());
  EXPECT_TRUE(v3.Value(ProtocolVersion::kV3).is_null());
  EXPECT_TRUE(v3.ok());
  BodyReader v4(body);
  EXPECT_TRUE(v4.Value(ProtocolVersion::kV4).is_null());
  EXPECT_TRUE(v4.Value(ProtocolVersion::kV4).is_unset());
  EXPECT_TRUE(v4.ok());
  (void)v4.Value(ProtocolVersion::kV4);
  EXPECT_EQ(v4.status().error().message(), "Invalid length -3 of a [value]");
  BodyReader bytes(body);
  EXPECT_EQ(bytes.Bytes(), std::nullopt);
  EXPECT_EQ(bytes.Bytes(), std::nullopt);
  EXPECT_TRUE(bytes.ok());
  BodyReader text(body);
  (void)text.LongString();
  EXPECT_FALSE(text.ok());
}

TEST(BodyReaderTest, RefusesTextsThatAreNotUtf8) {
  const std::string body = Hex("0002 c328");
  BodyReader reader(body);
  EXPECT_EQ(reader.String(), "");
  EXPECT_EQ(reader.status().error().message(), "Cannot decode [string] at byte 2 as UTF-8");
}

TEST(BodyReaderTest, RefusesUnknownLevelsAndAddresses) {
  const std::string level = Hex("000b");
  BodyReader levels(level);
  (void)levels.Level();
  EXPECT_EQ(levels.status().error().message(), "Unknown code 11 for a consistency level");
  const std::string address = Hex("05 0102030405");
  BodyReader addresses(address);
  (void)addresses.Address();
  EXPECT_FALSE(addresses.ok());
}

TEST(BodyReaderTest, ReservesOnlyWhatTheBytesCouldHold) {
  const std::string body = Hex("ffff 0001 61");
  BodyReader reader(body);
  EXPECT_LE(reader.StringList().capacity(), 2u);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace orrery::cassandra
