#include "model/expression/patch.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::model {
namespace {

// The patched document's JSON, or the error.
std::string Patch(std::string_view document, std::string_view patch) {
  const Result<Document> before = ParseJson(document);
  const Result<std::vector<PatchOperation>> operations = PatchFromJson(*ValueFromJson(patch));
  if (!operations.has_value()) return operations.error().message();
  const Result<Document> after = ApplyPatch(*before, *operations);
  return after.has_value() ? ToJson(*after) : after.error().message();
}

bool Refused(std::string_view document, std::string_view patch) {
  return Patch(document, patch).find("patch") != std::string::npos;
}

TEST(PatchTest, Add) {
  EXPECT_EQ(Patch(R"({"a":1})", R"([{"op":"add","path":"/b","value":{"c":2}}])"),
            R"({"a":1,"b":{"c":2}})");
  EXPECT_EQ(Patch(R"({"a":1})", R"([{"op":"add","path":"/a","value":2}])"), R"({"a":2})");
  EXPECT_EQ(Patch(R"({"a":[1,2]})", R"([{"op":"add","path":"/a/1","value":9}])"),
            R"({"a":[1,9,2]})");
  EXPECT_EQ(Patch(R"({"a":[1,2]})", R"([{"op":"add","path":"/a/2","value":9}])"),
            R"({"a":[1,2,9]})");
  EXPECT_EQ(Patch(R"({"a":[1]})", R"([{"op":"add","path":"/a/-","value":9}])"), R"({"a":[1,9]})");
  EXPECT_TRUE(Refused(R"({"a":[1]})", R"([{"op":"add","path":"/a/3","value":9}])"));
  EXPECT_TRUE(Refused(R"({"a":[1]})", R"([{"op":"add","path":"/a/01","value":9}])"));
  EXPECT_TRUE(Refused(R"({"a":1})", R"([{"op":"add","path":"/b/c","value":9}])"));
  EXPECT_TRUE(Refused(R"({"a":1})", R"([{"op":"add","path":"/a/c","value":9}])"));
  EXPECT_TRUE(Refused(R"({"a":1})", R"([{"op":"add","path":"","value":{}}])"));
}

TEST(PatchTest, Set) {
  EXPECT_EQ(Patch(R"({"a":1})", R"([{"op":"set","path":"/b","value":2}])"), R"({"a":1,"b":2})");
  EXPECT_EQ(Patch(R"({"a":[1,2]})", R"([{"op":"set","path":"/a/1","value":9}])"), R"({"a":[1,9]})");
  EXPECT_EQ(Patch(R"({"a":[1]})", R"([{"op":"set","path":"/a/-","value":9}])"), R"({"a":[1,9]})");
  EXPECT_TRUE(Refused(R"({"a":[1]})", R"([{"op":"set","path":"/a/1","value":9}])"));
}

TEST(PatchTest, ReplaceAndRemoveNeedATarget) {
  EXPECT_EQ(Patch(R"({"a":1,"b":2})", R"([{"op":"replace","path":"/a","value":"x"}])"),
            R"({"a":"x","b":2})");
  EXPECT_TRUE(Refused(R"({"a":1})", R"([{"op":"replace","path":"/b","value":2}])"));
  EXPECT_EQ(Patch(R"({"a":1,"b":2})", R"([{"op":"remove","path":"/a"}])"), R"({"b":2})");
  EXPECT_EQ(Patch(R"({"a":[1,2,3]})", R"([{"op":"remove","path":"/a/1"}])"), R"({"a":[1,3]})");
  EXPECT_TRUE(Refused(R"({"a":1})", R"([{"op":"remove","path":"/b"}])"));
  EXPECT_TRUE(Refused(R"({"a":[]})", R"([{"op":"remove","path":"/a/-"}])"));
}

TEST(PatchTest, Increment) {
  EXPECT_EQ(Patch(R"({"n":1})", R"([{"op":"incr","path":"/n","value":2}])"), R"({"n":3})");
  EXPECT_EQ(Patch(R"({"n":1})", R"([{"op":"incr","path":"/n","value":-0.5}])"), R"({"n":0.5})");
  EXPECT_EQ(Patch(R"({"n":9007199254740993})", R"([{"op":"incr","path":"/n","value":1}])"),
            R"({"n":9007199254740994})");
  EXPECT_EQ(Patch(R"({})", R"([{"op":"incr","path":"/n","value":5}])"), R"({"n":5})");
  EXPECT_TRUE(Refused(R"({"n":"1"})", R"([{"op":"incr","path":"/n","value":1}])"));
  EXPECT_TRUE(Refused(R"({"n":1})", R"([{"op":"incr","path":"/n","value":"1"}])"));
  EXPECT_TRUE(Refused(R"({"n":1.7e308})", R"([{"op":"incr","path":"/n","value":1.7e308}])"));
}

TEST(PatchTest, Move) {
  EXPECT_EQ(Patch(R"({"a":1,"b":{}})", R"([{"op":"move","from":"/a","path":"/b/c"}])"),
            R"({"b":{"c":1}})");
  EXPECT_EQ(Patch(R"({"a":1,"b":2})", R"([{"op":"move","from":"/a","path":"/b"}])"), R"({"b":1})");
  EXPECT_EQ(Patch(R"({"a":[1,2,3]})", R"([{"op":"move","from":"/a/0","path":"/a/2"}])"),
            R"({"a":[2,3,1]})");
  EXPECT_EQ(Patch(R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])"), R"({"a":1})");
  EXPECT_TRUE(Refused(R"({"a":{}})", R"([{"op":"move","from":"/a","path":"/a/b"}])"));
  EXPECT_TRUE(Refused(R"({"a":1})", R"([{"op":"move","from":"/b","path":"/a"}])"));
}

TEST(PatchTest, AllOrNothing) {
  const std::string result =
      Patch(R"({"a":1})", R"([{"op":"set","path":"/a","value":2},{"op":"remove","path":"/nope"}])");
  EXPECT_NE(result.find("patch operation 1 (remove)"), std::string::npos) << result;
}

TEST(PatchTest, Limits) {
  const Document document;
  // As many as a client may send, and one that its API adds.
  const std::vector<PatchOperation> many(kPatchOperationsMax + 2,
                                         {PatchType::kSet, *Path::Parse("/a"), Value::Null(), {}});
  EXPECT_FALSE(ApplyPatch(document, many).has_value());
  EXPECT_TRUE(ApplyPatch(document, std::span(many).first(kPatchOperationsMax + 1)).has_value());
  std::string sent = R"([{"op":"remove","path":"/a"})";
  for (size_t i = 1; i < kPatchOperationsMax; ++i) sent += R"(,{"op":"remove","path":"/a"})";
  EXPECT_TRUE(PatchFromJson(*ValueFromJson(sent + "]")).has_value());
  EXPECT_FALSE(
      PatchFromJson(*ValueFromJson(sent + R"(,{"op":"remove","path":"/a"}])")).has_value());
  Value deep = Value::Array({});
  for (int i = 1; i < kDocumentDepthMax; ++i) deep = Value::Array({std::move(deep)});
  const PatchOperation too_deep{PatchType::kSet, *Path::Parse("/a"), deep, {}};
  EXPECT_FALSE(ApplyPatch(document, std::span(&too_deep, 1)).has_value());
}

TEST(PatchTest, BadFormsAreRefused) {
  for (const char* json :
       {R"({})", R"([1])", R"([{"op":"nope","path":"/a","value":1}])",
        R"([{"op":"set","value":1}])", R"([{"op":"set","path":"/a"}])",
        R"([{"op":"move","path":"/a"}])", R"([{"op":"set","path":"a","value":1}])",
        R"([{"op":"set","path":"/a\u0000","value":1}])"}) {
    EXPECT_FALSE(PatchFromJson(*ValueFromJson(json)).has_value()) << json;
  }
}

}  // namespace
}  // namespace orrery::model
