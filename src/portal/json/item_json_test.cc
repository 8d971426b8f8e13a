#include "portal/json/item_json.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::portal {
namespace {

Result<gateway::WriteOperation> Parse(std::string_view json) {
  const auto document = model::ParseJson(json);
  EXPECT_TRUE(document.has_value()) << json;
  return OperationFrom(*document);
}

TEST(ItemJson, KeysAreOneValueOrSeveral) {
  EXPECT_EQ(KeyValuesFrom(model::Value::String("a")).size(), 1u);
  EXPECT_EQ(KeyValuesFrom(*model::ValueFromJson(R"(["a",1])")).size(), 2u);
  EXPECT_EQ(KeyValuesFrom(*model::ValueFromJson("[]")).size(), 0u);
}

TEST(ItemJson, PartitionKeyParameterIsJson) {
  net::HttpRequest request;
  EXPECT_EQ(*PartitionKeyParameter(request), std::nullopt);
  request.query = {{"partitionKey", "[\"berlin\"]"}};
  EXPECT_EQ((**PartitionKeyParameter(request))[0].AsString(), "berlin");
  request.query = {{"partitionKey", "berlin"}};
  EXPECT_EQ(PartitionKeyParameter(request).error().code(), Code::kInvalidArgument);
}

TEST(ItemJson, EtagsRoundTrip) {
  EXPECT_EQ(FormatEtag(Lsn(17)), "\"17\"");
  EXPECT_EQ(*ParseEtag("\"17\""), Lsn(17));
  EXPECT_EQ(*ParseEtag("17"), Lsn(17));
  for (const char* text : {"", "\"\"", "x", "-1", "17x", "\"17"})
    EXPECT_FALSE(ParseEtag(text).has_value()) << text;
}

TEST(ItemJson, ConditionHeaders) {
  net::HttpRequest request;
  request.headers.Add("If-Match", "\"5\"");
  request.headers.Add("If-None-Match", "*");
  gateway::WriteOperation operation;
  ASSERT_TRUE(ApplyConditionHeaders(request, operation).has_value());
  EXPECT_EQ(operation.if_match, Lsn(5));
  EXPECT_TRUE(operation.if_absent);

  net::HttpRequest other;
  other.headers.Add("If-None-Match", "\"5\"");
  EXPECT_EQ(ApplyConditionHeaders(other, operation).error().code(), Code::kUnsupported);
}

TEST(ItemJson, ReadsOperations) {
  const auto create = Parse(R"({"kind":"create","document":{"id":"1"},"ifAbsent":true})");
  ASSERT_TRUE(create.has_value()) << create.error().message();
  EXPECT_EQ(create->kind, item::OperationKind::kCreate);
  EXPECT_EQ(model::ToJson(*create->document), R"({"id":"1"})");
  EXPECT_TRUE(create->if_absent);

  const auto patch =
      Parse(R"({"kind":"patch","id":"1","patch":[{"op":"incr","path":"/n","value":2}],)"
            R"("condition":{"=":[{"path":"/n"},1]},"ifMatch":"\"9\""})");
  ASSERT_TRUE(patch.has_value()) << patch.error().message();
  EXPECT_EQ(patch->row_key->AsString(), "1");
  EXPECT_EQ(patch->patch.size(), 1u);
  EXPECT_TRUE(patch->condition.has_value());
  EXPECT_EQ(patch->if_match, Lsn(9));
}

TEST(ItemJson, RefusesIncompleteOperations) {
  EXPECT_EQ(Parse(R"({"kind":"create"})").error().message(),
            "operation 'create' needs the field 'document'");
  EXPECT_EQ(Parse(R"({"kind":"delete"})").error().message(),
            "operation 'delete' needs the field 'id'");
  EXPECT_EQ(Parse(R"({"kind":"patch","id":"1"})").error().message(),
            "operation 'patch' needs the field 'patch'");
  EXPECT_FALSE(Parse(R"({"kind":"frob","id":"1"})").has_value());
  EXPECT_FALSE(Parse(R"({"document":{}})").has_value());
  EXPECT_FALSE(Parse(R"({"kind":"delete","id":"1","ifMacth":"5"})").has_value());
}

}  // namespace
}  // namespace orrery::portal
