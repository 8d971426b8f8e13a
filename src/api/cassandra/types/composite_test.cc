#include "api/cassandra/types/composite.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/compare.h"
#include "api/cassandra/types/key_value.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/marshal_name.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/validate.h"
#include "api/cassandra/types/value_text.h"
#include "base/bytes.h"
#include "model/key/key_codec.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kClass =
    "org.apache.cassandra.db.marshal.CompositeType(org.apache.cassandra.db.marshal.Int32Type,"
    "org.apache.cassandra.db.marshal.UTF8Type)";

TypePtr IntAndText() { return ParseMarshalName(kClass).value(); }

std::string FromDigits(std::string_view digits) {
  std::string bytes;
  EXPECT_TRUE(FromHex(digits, bytes)) << digits;
  return bytes;
}

std::string Problem(const Type& type, std::string_view digits) {
  const Status status = Validate(type, FromDigits(digits));
  return status.has_value() ? "" : status.error().message();
}

std::string CompositeOf(int32_t number, std::string_view text, int8_t end = 0) {
  const std::string bytes = EncodeInteger(number);
  Composite composite;
  composite.parts = {{nullptr, bytes, 0}, {nullptr, text, end}};
  return PackComposite(composite);
}

TEST(Composite, IsNamedAsCassandraNamesIt) {
  const TypePtr type = IntAndText();
  EXPECT_TRUE(type->is_composite());
  EXPECT_EQ(MarshalName(*type), kClass);
  EXPECT_EQ(type->CqlName(), "'" + std::string(kClass) + "'");
  EXPECT_EQ(*ParseMarshalName("CompositeType(Int32Type, UTF8Type)").value(), *type);
  EXPECT_NE(*ParseMarshalName("CompositeType(Int32Type)").value(), *type);
  EXPECT_FALSE(ParseMarshalName("CompositeType").has_value());
  EXPECT_FALSE(ParseMarshalName("CompositeType()").has_value());
  EXPECT_FALSE(ParseMarshalName("CompositeType(ReversedType(Int32Type))").has_value());
  const TypePtr dynamic =
      ParseMarshalName("DynamicCompositeType(a=>Int32Type,t=>UTF8Type)").value();
  EXPECT_TRUE(dynamic->is_dynamic_composite());
  EXPECT_EQ(MarshalName(*dynamic),
            "org.apache.cassandra.db.marshal.DynamicCompositeType(a=>org.apache.cassandra.db."
            "marshal.Int32Type,t=>org.apache.cassandra.db.marshal.UTF8Type)");
  EXPECT_EQ(*ParseMarshalName(MarshalName(*dynamic)).value(), *dynamic);
  EXPECT_TRUE(ParseMarshalName("DynamicCompositeType").value()->is_dynamic_composite());
  for (const std::string_view wrong :
       {"DynamicCompositeType(ab=>Int32Type)", "DynamicCompositeType(a=Int32Type)",
        "DynamicCompositeType(a=>Int32Type,a=>UTF8Type)", "DynamicCompositeType(a=>Int32Type"})
    EXPECT_FALSE(ParseMarshalName(wrong).has_value()) << wrong;
}

TEST(Composite, BytesAreChecked) {
  const TypePtr type = IntAndText();
  for (const std::string_view good : {"",
                                      "000400000001"
                                      "00",
                                      "000400000001"
                                      "00"
                                      "000178"
                                      "00",
                                      "000400000001"
                                      "01",
                                      "000400000001"
                                      "ff",
                                      "ffff"
                                      "000400000001"
                                      "00",
                                      "0000"
                                      "00"})
    EXPECT_EQ(Problem(*type, good), "") << good;
  EXPECT_EQ(Problem(*type, "00"), "Not enough bytes to read value size of component 0");
  EXPECT_EQ(Problem(*type, "000400"), "Not enough bytes to read value of component 0");
  EXPECT_EQ(Problem(*type, "000400000001"),
            "Not enough bytes to read the end-of-component byte of component0");
  EXPECT_EQ(Problem(*type,
                    "00040000000101"
                    "000178"
                    "00"),
            "Invalid bytes remaining after an end-of-component at component0");
  EXPECT_EQ(Problem(*type,
                    "0003000001"
                    "00"),
            "Expected 4 or 0 byte int (3)");
  EXPECT_EQ(Problem(*type,
                    "000400000001"
                    "00"
                    "000178"
                    "00"
                    "000178"
                    "00"),
            "Too many bytes for comparator");
}

TEST(Composite, DynamicBytesAreChecked) {
  const TypePtr type = ParseMarshalName("DynamicCompositeType(a=>Int32Type,t=>UTF8Type)").value();
  EXPECT_EQ(Problem(*type,
                    "8061"
                    "0004"
                    "00000001"
                    "00"),
            "");
  EXPECT_EQ(Problem(*type,
                    "0009"
                    "496e74333254797065"
                    "0004"
                    "00000001"
                    "00"),
            "")
      << "Int32Type";
  EXPECT_EQ(Problem(*type,
                    "8062"
                    "0004"
                    "00000001"
                    "00"),
            "Cannot find comparator for component 0");
  EXPECT_EQ(Problem(*type,
                    "0003"
                    "4f6464"
                    "0000"
                    "00"),
            "Cannot find comparator for component 0");
  EXPECT_EQ(Problem(*type, "80"),
            "Not enough bytes to header of the comparator part of component 0");
  EXPECT_EQ(Problem(*type,
                    "0009"
                    "49"),
            "Not enough bytes to read comparator name of component 0");
  EXPECT_EQ(Problem(*type,
                    "8061"
                    "0003"
                    "000001"
                    "00"),
            "Expected 4 or 0 byte int (3)");
}

TEST(Composite, KeysHaveTheOrderOfTheComponents) {
  const TypePtr type = IntAndText();
  const std::string one = EncodeInteger(int32_t{1});
  const std::vector<std::string> sorted = {
      "",
      FromDigits("ffff"
                 "000400000001"
                 "00"),
      CompositeOf(-5, "z"),
      FromDigits("000400000001"
                 "ff"),
      FromDigits("000400000001"
                 "00"),
      CompositeOf(1, "a"),
      CompositeOf(1, "ab", -1),
      CompositeOf(1, "ab"),
      CompositeOf(1, "ab", 1),
      CompositeOf(1, "b"),
      FromDigits("000400000001"
                 "01"),
      CompositeOf(2, ""),
      CompositeOf(200, "a"),
  };
  for (size_t i = 0; i < sorted.size(); ++i) {
    const auto value = ToKeyValue(*type, sorted[i]);
    ASSERT_TRUE(value.has_value()) << value.error().ToString();
    EXPECT_EQ(FromKeyValue(*type, *value), sorted[i]) << i;
    for (size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(Compare(*type, sorted[i], sorted[j]), i <=> j) << i << " " << j;
      std::string a;
      std::string b;
      model::AppendKey(a, *value, model::Order::kCql);
      model::AppendKey(b, *ToKeyValue(*type, sorted[j]), model::Order::kCql);
      EXPECT_EQ(a <=> b, i <=> j) << i << " " << j;
    }
  }
  EXPECT_FALSE(ToKeyValue(*type, FromDigits("000400")).has_value());
}

TEST(Composite, HexIsTheBytesThemselves) {
  const TypePtr type = IntAndText();
  const auto made = FromConstant({ConstantKind::kHex, "0x00040000000100"}, *type, "v", 0);
  ASSERT_TRUE(made.has_value()) << made.error().ToString();
  EXPECT_EQ(*made, FromDigits("00040000000100"));
  const auto refused = FromConstant({ConstantKind::kHex, "0x000400"}, *type, "v", 0);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message(), "Not enough bytes to read value of component 0");
  EXPECT_EQ(*FromConstant({ConstantKind::kString, "1:x"}, *type, "v", 0), CompositeOf(1, "x"));
}

TEST(Composite, TextHasColons) {
  const TypePtr type = IntAndText();
  EXPECT_EQ(FromText(*type, "1:x", 0), CompositeOf(1, "x"));
  EXPECT_EQ(FromText(*type, "1:a\\:b", 0), CompositeOf(1, "a:b"));
  EXPECT_EQ(FromText(*type, "1:x:!", 0), CompositeOf(1, "x", 1));
  EXPECT_EQ(FromText(*type, "1:_", 0), FromDigits("000400000001"
                                                  "ff"));
  EXPECT_EQ(FromText(*type, "", 0), "");
  EXPECT_FALSE(FromText(*type, "x:1", 0).has_value());
  EXPECT_FALSE(FromText(*type, "1:x:y", 0).has_value());
}

}  // namespace
}  // namespace orrery::cassandra
