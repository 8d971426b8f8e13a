#include "api/cassandra/protocol/body/wire_type.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

WireType Native(TypeId id) {
  WireType type;
  type.id = id;
  return type;
}

WireType Of(TypeId id, std::vector<WireType> elements) {
  WireType type;
  type.id = id;
  type.elements = std::move(elements);
  return type;
}

WireType Address() {
  WireType type = Of(TypeId::kUdt, {Native(TypeId::kVarchar), Native(TypeId::kInt)});
  type.keyspace = "ks";
  type.name = "address";
  type.field_names = {"street", "no"};
  return type;
}

std::string Encoded(const WireType& type, ProtocolVersion version) {
  std::string out;
  AppendType(out, type, version);
  return ToHex(out);
}

TEST(WireTypeTest, NativeTypesAreTheirNumber) {
  EXPECT_EQ(Encoded(Native(TypeId::kInt), ProtocolVersion::kV3), "0009");
  EXPECT_EQ(Encoded(Native(TypeId::kVarchar), ProtocolVersion::kV4), "000d");
  EXPECT_EQ(Encoded(Native(TypeId::kDate), ProtocolVersion::kV4), "0011");
  EXPECT_EQ(Encoded(Native(TypeId::kDuration), ProtocolVersion::kV5), "0015");
}

TEST(WireTypeTest, CollectionsTuplesAndUserTypesNest) {
  const WireType list = Of(TypeId::kList, {Native(TypeId::kInt)});
  EXPECT_EQ(Encoded(list, ProtocolVersion::kV4), "00200009");
  EXPECT_EQ(Encoded(Of(TypeId::kMap, {Native(TypeId::kVarchar), list}), ProtocolVersion::kV4),
            "0021000d00200009");
  EXPECT_EQ(Encoded(Of(TypeId::kTuple, {list, Native(TypeId::kBlob)}), ProtocolVersion::kV4),
            "00310002002000090003");
  EXPECT_EQ(Encoded(Address(), ProtocolVersion::kV3),
            "0030"
            "00026b73"
            "000761646472657373"
            "0002"
            "0006737472656574"
            "000d"
            "00026e6f"
            "0009");
}

TEST(WireTypeTest, OlderVersionsGetUnknownTypesByTheirClass) {
  const std::string duration = "org.apache.cassandra.db.marshal.DurationType";
  std::string custom = Hex("0000");
  AppendString(custom, duration);
  EXPECT_EQ(Encoded(Native(TypeId::kDuration), ProtocolVersion::kV4), ToHex(custom));
  EXPECT_EQ(Encoded(Of(TypeId::kList, {Native(TypeId::kDuration)}), ProtocolVersion::kV3),
            "0020" + ToHex(custom));
  std::string short_type = Hex("0000");
  AppendString(short_type, "org.apache.cassandra.db.marshal.ShortType");
  EXPECT_EQ(Encoded(Native(TypeId::kSmallint), ProtocolVersion::kV3), ToHex(short_type));
}

TEST(WireTypeTest, VectorsAreACustomClassInEveryVersion) {
  const WireType vector = VectorType(Native(TypeId::kFloat), 3);
  EXPECT_EQ(vector.custom_class,
            "org.apache.cassandra.db.marshal.VectorType("
            "org.apache.cassandra.db.marshal.FloatType,3)");
  std::string custom = Hex("0000");
  AppendString(custom, vector.custom_class);
  EXPECT_EQ(Encoded(vector, ProtocolVersion::kV5), ToHex(custom));
}

TEST(WireTypeTest, ClassesHaveTheirParameters) {
  EXPECT_EQ(MarshalClass(Address()),
            "org.apache.cassandra.db.marshal.UserType(ks,61646472657373,"
            "737472656574:org.apache.cassandra.db.marshal.UTF8Type,"
            "6e6f:org.apache.cassandra.db.marshal.Int32Type)");
  EXPECT_EQ(MarshalClass(Of(TypeId::kMap, {Native(TypeId::kUuid), Native(TypeId::kVarint)})),
            "org.apache.cassandra.db.marshal.MapType(org.apache.cassandra.db.marshal.UUIDType,"
            "org.apache.cassandra.db.marshal.IntegerType)");
}

TEST(WireTypeTest, ReadsWhatItWrites) {
  const WireType types[] = {
      Native(TypeId::kTimeuuid), Address(), VectorType(Native(TypeId::kFloat), 8),
      Of(TypeId::kTuple, {}),
      Of(TypeId::kMap, {Address(), Of(TypeId::kSet, {Native(TypeId::kDuration)})})};
  for (const WireType& type : types) {
    std::string bytes;
    AppendType(bytes, type, ProtocolVersion::kV5);
    BodyReader reader(bytes);
    EXPECT_EQ(ReadType(reader), type);
    EXPECT_TRUE(reader.ok() && reader.remaining() == 0);
    for (size_t size = 0; size < bytes.size(); ++size) {
      BodyReader cut(std::string_view(bytes).substr(0, size));
      (void)ReadType(cut);
      EXPECT_FALSE(cut.ok()) << size;
    }
  }
}

TEST(WireTypeTest, RefusesUnknownNumbersAndDepth) {
  for (const char* bytes : {"000a", "0016", "0023", "ffff"}) {
    const std::string body = Hex(bytes);
    BodyReader reader(body);
    (void)ReadType(reader);
    EXPECT_FALSE(reader.ok()) << bytes;
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += Hex("0020");
  BodyReader reader(deep);
  (void)ReadType(reader);
  EXPECT_EQ(reader.status().error().message(), "A type is nested more than 32 deep");
}

}  // namespace
}  // namespace orrery::cassandra
