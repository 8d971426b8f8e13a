#include "model/document/document.h"

#include <bson/bson.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "model/document/document_builder.h"
#include "model/value_generator.h"

namespace orrery::model {
namespace {

std::string Hex(std::string_view hex) {
  std::string bytes;
  EXPECT_TRUE(FromHex(hex, bytes));
  return bytes;
}

bool LibbsonAccepts(const std::string& bytes) {
  bson_t bson;
  return bson_init_static(&bson, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()) &&
         bson_validate(
             &bson,
             static_cast<bson_validate_flags_t>(BSON_VALIDATE_UTF8 | BSON_VALIDATE_UTF8_ALLOW_NULL),
             nullptr);
}

// The example of docs/format/documents.md.
TEST(DocumentTest, WorkedExample) {
  DocumentBuilder builder;
  builder.AppendString("id", "a").AppendInt32("n", 7);
  builder.OpenArray("t").AppendBool("0", true).Close();
  const Document document = std::move(builder).Finish();
  EXPECT_EQ(ToHex(document.bson()),
            "22000000"
            "02696400020000006100"
            "106e0007000000"
            "047400090000000830000100"
            "00");
}

TEST(DocumentTest, FindsFieldsWithoutCopying) {
  DocumentBuilder builder;
  builder.AppendString("s", "text")
      .AppendInt64("n", -1)
      .AppendDouble("d", 0.5)
      .AppendBool("b", true);
  builder.OpenObject("o").AppendInt32("x", 1).Close();
  const Document document = std::move(builder).Finish();
  const DocumentView view = document;
  EXPECT_EQ(view.Find("s")->AsString(), "text");
  EXPECT_EQ(view.Find("n")->AsInteger(), -1);
  EXPECT_EQ(view.Find("d")->AsDouble(), 0.5);
  EXPECT_TRUE(view.Find("b")->AsBool());
  EXPECT_EQ(view.Find("o")->AsDocument().Get("x"), Value::Int32(1));
  EXPECT_FALSE(view.Find("none").has_value());
  EXPECT_TRUE(view.Get("none").is_undefined());
  size_t count = 0;
  for ([[maybe_unused]] const ElementView element : view) ++count;
  EXPECT_EQ(count, 5U);
}

TEST(DocumentTest, EmptyDocument) {
  EXPECT_TRUE(DocumentView().empty());
  EXPECT_EQ(Document().bson(), Hex("0500000000"));
  const DocumentView view;
  EXPECT_TRUE(view.begin() == view.end());
}

TEST(DocumentTest, BsonKindsSurviveARoundTrip) {
  constexpr uint64_t kSeed = 11;
  ValueGenerator generate(kSeed);
  const auto is_bson = [](Kind kind) {
    switch (kind) {
      case Kind::kInt8:
      case Kind::kInt16:
      case Kind::kVarint:
      case Kind::kFloat:
      case Kind::kDecimal:
      case Kind::kAscii:
      case Kind::kUuid:
      case Kind::kTimeUuid:
      case Kind::kDate:
      case Kind::kTime:
      case Kind::kDuration:
      case Kind::kInet:
      case Kind::kSet:
      case Kind::kMap:
      case Kind::kArray:
      case Kind::kObject:
      case Kind::kJavaScriptWithScope:
        return false;  // the last three hold others
      default:
        return true;
    }
  };
  for (int kind = 0; kind <= static_cast<int>(Kind::kMap); ++kind) {
    if (!is_bson(static_cast<Kind>(kind))) continue;
    for (int i = 0; i < 50; ++i) {
      const Value value = generate.Of(static_cast<Kind>(kind));
      const Value whole =
          Value::Object({{"v", value},
                         {"a", Value::Array({value, Value::Object({{"x", value}})})},
                         {"c", Value::JavaScriptWithScope("f", {{"y", value}})}});
      const Document document = ToDocument(whole);
      const Result<DocumentView> view = DocumentView::FromBson(document.bson());
      ASSERT_TRUE(view.has_value()) << view.error().message();
      ASSERT_EQ(view->ToObject(), whole) << KindName(value.kind()) << " seed " << kSeed;
    }
  }
}

TEST(DocumentTest, LibbsonAgreesThatWhatWeBuildIsValid) {
  constexpr uint64_t kSeed = 12;
  ValueGenerator generate(kSeed);
  for (int i = 0; i < 2000; ++i) {
    const Document document = ToDocument(generate.Of(Kind::kObject));
    ASSERT_TRUE(LibbsonAccepts(document.bson())) << ToHex(document.bson()) << " seed " << kSeed;
    ASSERT_TRUE(Document::FromBson(document.bson()).has_value());
  }
}

TEST(DocumentTest, ForeignBytesAreValidated) {
  for (const char* hex : {"",                    // nothing
                          "05000000",            // too short
                          "0500000001",          // no end
                          "0600000000",          // length beyond the bytes
                          "050000000000",        // bytes after the end
                          "0800000020610000",    // unknown type
                          "080000000861000200",  // length
                          "0900000008610002"
                          "00",              // boolean 02
                          "07000000106100",  // half an int32
                          "0e00000002610002000000"
                          "ff0000",  // not UTF-8
                          "0e0000000261000200000061"
                          "0100",                        // text without NUL
                          "0d000000036100060000000000",  // inner length too long
                          "0700000008ff00"}) {           // a name without end
    const Result<Document> document = Document::FromBson(Hex(hex));
    ASSERT_FALSE(document.has_value()) << hex;
    EXPECT_EQ(document.error().code(), Code::kInvalidArgument);
    EXPECT_NE(document.error().message().find("byte"), std::string::npos);
  }
}

TEST(DocumentTest, EveryTruncationAndFlipIsSafe) {
  constexpr uint64_t kSeed = 13;
  ValueGenerator generate(kSeed);
  for (int i = 0; i < 200; ++i) {
    const std::string bytes = ToDocument(generate.Of(Kind::kObject)).bson();
    for (size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_FALSE(Document::FromBson(bytes.substr(0, size)).has_value());
    }
    std::string flipped = bytes;
    flipped[generate.Below(bytes.size())] ^= static_cast<char>(1 << generate.Below(8));
    const Result<DocumentView> view = DocumentView::FromBson(flipped);
    if (view.has_value()) (void)view->ToObject();
  }
}

TEST(DocumentTest, DepthIsLimited) {
  const auto nested = [](int depth) {
    Value value = Value::Object({});
    for (int i = 1; i < depth; ++i) value = Value::Object({{"a", std::move(value)}});
    return ToDocument(value).bson();
  };
  EXPECT_TRUE(Document::FromBson(nested(kDocumentDepthMax)).has_value());
  EXPECT_FALSE(Document::FromBson(nested(kDocumentDepthMax + 1)).has_value());
}

TEST(DocumentBuilderTest, CqlKindsBecomeTheNearestBsonKind) {
  DocumentBuilder builder;
  builder.Append("i", Value::Int8(1))
      .Append("f", Value::Float(0.5F))
      .Append("v", Value::Varint("\x05"));
  builder.Append("u", Value::Uuid({})).Append("s", Value::Set({Value::Ascii("x")}));
  builder.Append("m", Value::Map({{Value::Int32(1), Value::Bool(true)}}));
  const Document document = std::move(builder).Finish();
  const DocumentView view = document;
  EXPECT_EQ(view.Get("i"), Value::Int32(1));
  EXPECT_EQ(view.Get("f"), Value::Double(0.5));
  EXPECT_EQ(view.Get("v"), Value::String("5"));
  EXPECT_EQ(view.Get("u"), Value::Binary(std::string(16, '\0'), 4));
  EXPECT_EQ(view.Get("s"), Value::Array({Value::String("x")}));
  EXPECT_EQ(view.Get("m"), Value::Object({{"1", Value::Bool(true)}}));
}

}  // namespace
}  // namespace orrery::model
