// Entities from JSON to the stored document and back.
#include <gtest/gtest.h>

#include <random>

#include "api/table/entity/entity_limits.h"
#include "api/table/entity/entity_reader.h"
#include "api/table/entity/entity_writer.h"
#include "api/table/entity/etag.h"
#include "api/table/entity/stored_entity.h"
#include "model/document/json.h"

namespace orrery::table {
namespace {

model::Document Stored(std::string_view json) {
  const auto entity = ReadEntity(json);
  EXPECT_TRUE(entity.has_value()) << json << ": " << entity.error().message;
  return *StoredEntity("p", "r", *entity, std::nullopt);
}

std::string Written(std::string_view json, MetadataLevel level = MetadataLevel::kMinimal) {
  const EntityFormat format{.level = level, .base_url = "http://h", .account = "acc", .table = "T"};
  std::string out;
  EntityWriter(format).Append(out, Stored(json), Micros(1'700'000'000'123'456));
  return out;
}

// An entity as Cosmos DB's SQL API shows it.
TEST(StoredEntity, HasTheDocumentedForm) {
  EXPECT_EQ(
      model::ToJson(Stored(
          R"({"s":"x","i":5,"d":1.5,"b":true,"l":"5","l@odata.type":"Edm.Int64","m":"-5","m@odata.type":"Edm.Int64","t":"2026-01-02T03:04:05.6789012Z","t@odata.type":"Edm.DateTime","g":"C9DA6455-213D-42C9-9A79-3E9149A57833","g@odata.type":"Edm.Guid","x":"AQI=","x@odata.type":"Edm.Binary","id":"own"})")),
      R"({"$pk":"p","$id":"r","id":"r","s":{"$t":2,"$v":"x"},"i":{"$t":16,"$v":5},"d":{"$t":1,"$v":1.5},"b":{"$t":8,"$v":true},)"
      R"("l":{"$t":18,"$v":"00000000000000000005"},"m":{"$t":18,"$v":"000000000000000000-5"},"t":{"$t":9,"$v":"00639029198456789012"},)"
      R"("g":{"$t":0,"$v":"c9da6455-213d-42c9-9a79-3e9149a57833"},"x":{"$t":5,"$v":"AQI="},"id$":{"$t":2,"$v":"own"}})");
}

TEST(StoredEntity, OtherFieldsAreNoProperties) {
  const auto document = model::ParseJson(
      R"({"$pk":"p","$id":"r","id":"r","_ts":5,"plain":7,"bad":{"$t":99,"$v":1},"odd":{"$t":16,"$v":"x"},"n":{"$t":16,"$v":3.0}})");
  const EntityFormat format{.level = MetadataLevel::kNone};
  std::string out;
  EntityWriter(format).Append(out, *document, Micros(0));
  EXPECT_EQ(
      out, R"({"PartitionKey":"p","RowKey":"r","Timestamp":"1970-01-01T00:00:00.0000000Z","n":3})");
}

TEST(EntityWriter, MetadataLevels) {
  const std::string_view json =
      R"({"l":"5","l@odata.type":"Edm.Int64","d":5,"d@odata.type":"Edm.Double"})";
  EXPECT_EQ(
      Written(json, MetadataLevel::kNone),
      R"({"PartitionKey":"p","RowKey":"r","Timestamp":"2023-11-14T22:13:20.1234560Z","l":"5","d":5.0})");
  EXPECT_EQ(
      Written(json),
      R"({"odata.etag":"W/\"datetime'2023-11-14T22%3A13%3A20.1234560Z'\"","PartitionKey":"p","RowKey":"r","Timestamp":"2023-11-14T22:13:20.1234560Z","l@odata.type":"Edm.Int64","l":"5","d":5.0})");
  EXPECT_NE(
      Written(json, MetadataLevel::kFull)
          .find(R"x("odata.type":"acc.T","odata.id":"http://h/T(PartitionKey='p',RowKey='r')")x"),
      std::string::npos);
}

TEST(EntityWriter, LinksAreEncoded) {
  EXPECT_EQ(EntityLink("T", "it's", "a b"), "T(PartitionKey='it%27%27s',RowKey='a%20b')");
}

TEST(Etag, IsTheTime) {
  const Micros time(1'700'000'000'123'456);
  EXPECT_EQ(ParseEtag(FormatEtag(time)), time);
  EXPECT_EQ(ParseEtag("W/\"datetime'2023-11-14T22:13:20.1234560Z'\""), time);
  EXPECT_EQ(ParseEtag("W/\"datetime'2023-11-14T22%3A13%3A20.1234567Z'\""), Micros(-1));
  for (const std::string_view text : {"", "*", "\"x\"", "W/\"datetime'x'\"", "W/\"datetime'"})
    EXPECT_FALSE(ParseEtag(text).has_value()) << text;
}

TEST(ReadEntity, AnAnnotationIsOfOneProperty) {
  EXPECT_EQ(
      model::ToJson(Stored(
          R"({"ab":"5","a":"6","a@odata.type":"Edm.Int64","b@odata.type":null,"b":"7","c@odata.type":"Edm.Int64"})")),
      R"({"$pk":"p","$id":"r","id":"r","ab":{"$t":2,"$v":"5"},"a":{"$t":18,"$v":"00000000000000000006"},"b":{"$t":2,"$v":"7"}})");
  EXPECT_FALSE(ReadEntity(R"({"a":"6","a@odata.type":5})").has_value());
  EXPECT_FALSE(ReadEntity(R"({"a":"6","a@odata.type":"Edm.Int65"})").has_value());
}

std::string Repeated(std::string_view text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

// Characters of one, two, three and four bytes of UTF-8; the last are two of UTF-16.
TEST(EntityLimits, CountTextAsUtf16) {
  for (const std::string_view character : {"x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    const size_t units = character.size() == 4 ? 2 : 1;
    const size_t most = kPropertyValueBytesMax / (2 * units);
    EXPECT_TRUE(CheckPropertyValue(EdmValue::String(Repeated(character, most))).has_value());
    EXPECT_FALSE(CheckPropertyValue(EdmValue::String(Repeated(character, most + 1))).has_value());
    const size_t longest = kKeyBytesMax / (2 * units);
    EXPECT_TRUE(CheckKey(Repeated(character, longest)).has_value());
    EXPECT_FALSE(CheckKey(Repeated(character, longest + 1)).has_value());
    const EdmValue text = EdmValue::String(Repeated(character, 100));
    EXPECT_GE(SizeMaxOf(text), SizeOf(text));
  }
  EXPECT_TRUE(CheckPropertyName(Repeated("\xc3\xa9", kPropertyNameCharactersMax)).has_value());
  EXPECT_FALSE(CheckPropertyName(Repeated("\xc3\xa9", kPropertyNameCharactersMax + 1)).has_value());
  const std::string bytes(kPropertyValueBytesMax, 'x');
  EXPECT_TRUE(CheckPropertyValue(EdmValue::Binary(bytes)).has_value());
  EXPECT_FALSE(CheckPropertyValue(EdmValue::Binary(bytes + "x")).has_value());
}

TEST(EntityLimits, AnEntityHasAMegabyte) {
  EntityBody body;
  // 17 texts of 20,000 characters of three bytes: 680,000 bytes of UTF-16, 1,020,000 of UTF-8.
  for (int i = 0; i < 17; ++i)
    body.properties.push_back(
        {"p" + std::to_string(i), EdmValue::String(Repeated("\xe2\x82\xac", 20'000))});
  EXPECT_TRUE(StoredEntity("p", "r", body, std::nullopt).has_value());
  for (int i = 17; i < 27; ++i)
    body.properties.push_back(
        {"p" + std::to_string(i), EdmValue::String(std::string(20'000, 'x'))});
  const auto stored = StoredEntity("p", "r", body, std::nullopt);
  ASSERT_FALSE(stored.has_value()) << "1,080,000 bytes of UTF-16";
  EXPECT_EQ(stored.error().code, ErrorCode::kEntityTooLarge);
}

TEST(MergeEntities, KeepsWhatIsNotNamed) {
  const model::Document merged =
      MergeEntities(Stored(R"({"a":1,"b":2})"), Stored(R"({"b":"x","c":3})"));
  EXPECT_EQ(merged.view().Find("a")->AsDocument().Get("$v"), model::Value::Int32(1));
  EXPECT_EQ(merged.view().Find("b")->AsDocument().Get("$v"), model::Value::String("x"));
  EXPECT_EQ(merged.view().Find("c")->AsDocument().Get("$v"), model::Value::Int32(3));
}

// Every value of every type comes back as it went, and Int64 texts keep their order above zero.
TEST(StoredForm, RoundTrips) {
  constexpr uint64_t kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 2'000; ++i) {
    const auto bits = random();
    const auto number =
        static_cast<int64_t>(bits >> (random() % 64)) * (random() % 2 == 0 ? 1 : -1);
    const double real = std::bit_cast<double>(bits);
    std::vector<EdmValue> values = {
        EdmValue::Int64(number),
        EdmValue::Int32(static_cast<int32_t>(number)),
        EdmValue::Boolean(i % 2 == 0),
        EdmValue::String(std::to_string(number)),
        EdmValue::Binary(std::string(random() % 9, static_cast<char>(bits))),
        EdmValue::DateTime(model::kTicksMin +
                           static_cast<int64_t>(
                               bits % static_cast<uint64_t>(model::kTicksEnd - model::kTicksMin)))};
    if (real == real) values.push_back(EdmValue::Double(real));
    for (const EdmValue& value : values) {
      model::DocumentBuilder builder;
      AppendProperty(builder, "x", value);
      const model::Document document = std::move(builder).Finish();
      EXPECT_EQ(StoredValue(*document.view().begin()), value);
    }
    const int64_t other = static_cast<int64_t>(random() >> 1);
    if (number >= 0) EXPECT_EQ(StoredInt64(number) < StoredInt64(other), number < other);
    if (number < 0) EXPECT_LT(StoredInt64(number), StoredInt64(other));
  }
}

}  // namespace
}  // namespace orrery::table
