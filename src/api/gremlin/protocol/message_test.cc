#include "api/gremlin/protocol/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/gremlin/protocol/graph_binary.h"
#include "api/gremlin/value/bytecode.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kId = "b8d3bd8c-ce64-4bf4-a4f4-1bd0a2fbb0f0";

TEST(MessageTest, TakesFramesApart) {
  const auto frame = SplitFrame(std::string("\x03") + "a/b{}");
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->mime, "a/b");
  EXPECT_EQ(frame->body, "{}");
  EXPECT_FALSE(SplitFrame("").has_value());
  EXPECT_FALSE(SplitFrame("\x7f").has_value());
}

TEST(MessageTest, KnowsMimeTypes) {
  EXPECT_EQ(EncodingOf("application/vnd.gremlin-v2.0+json"), Encoding::kPlain2);
  EXPECT_EQ(EncodingOf("application/vnd.gremlin-v3.0+json"), Encoding::kGraphSon3);
  EXPECT_EQ(EncodingOf("application/vnd.graphbinary-v1.0"), Encoding::kGraphBinary);
  EXPECT_FALSE(EncodingOf("text/html").has_value());
}

TEST(MessageTest, ReadsRequestsOfJsonClients) {
  const auto request = DecodeRequest(
      Encoding::kGraphSon3,
      R"({"requestId":{"@type":"g:UUID","@value":"b8d3bd8c-ce64-4bf4-a4f4-1bd0a2fbb0f0"},"op":"eval",)"
      R"j("processor":"","args":{"gremlin":"g.V(x)","bindings":{"x":1},"aliases":{"g":"g"}}})j");
  ASSERT_TRUE(request.has_value()) << request.error().ToString();
  EXPECT_EQ(request->id, kId);
  EXPECT_EQ(request->op, "eval");
  EXPECT_EQ(request->Text("gremlin"), "g.V(x)");
}

TEST(MessageTest, ReadsBytecodeOfJsonClients) {
  const auto request = DecodeRequest(
      Encoding::kGraphSon3,
      R"({"requestId":"b8d3bd8c-ce64-4bf4-a4f4-1bd0a2fbb0f0","op":"bytecode","processor":"traversal","args":)"
      R"({"gremlin":{"@type":"g:Bytecode","@value":{"step":[["V"],["has","age",{"@type":"g:P","@value":)"
      R"({"predicate":"within","value":{"@type":"g:List","@value":[{"@type":"g:Int32","@value":29}]}}}]]}}}})");
  ASSERT_TRUE(request.has_value()) << request.error().ToString();
  const Value* program = request->args.Find("gremlin");
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(ToText(*program), "[V(), has(age, within(29))]");
}

TEST(MessageTest, RefusesWhatIsMalformed) {
  EXPECT_FALSE(DecodeRequest(Encoding::kGraphSon3, "{").has_value());
  EXPECT_FALSE(DecodeRequest(Encoding::kGraphSon3, R"({"op":"eval"})").has_value());
  EXPECT_FALSE(DecodeRequest(Encoding::kGraphBinary, "\x81").has_value());
  EXPECT_FALSE(DecodeRequest(Encoding::kGraphSon3,
                             R"({"requestId":"1","args":{"x":{"@type":"g:Lambda","@value":{}}}})")
                   .has_value());
}

Values Samples() {
  Vertex vertex{.id = Value::Int(1),
                .label = "person",
                .partition = {},
                .properties = {},
                .version = {},
                .system = {}};
  return {Value::Null(),
          Value::Bool(true),
          Value::Byte(-1),
          Value::Short(300),
          Value::Int(-5),
          Value::Long(int64_t{1} << 40),
          Value::Float(0.5F),
          Value::Double(-2.25),
          Value::String("häß"),
          Value::Uuid({1, 2, 3}),
          Value::Date(1'691'452'800'000),
          Value::List({Value::Int(1), Value::String("a")}),
          Value::Set({Value::Int(1), Value::Int(2)}),
          Value::Map(ValueMap{{"k", Value::Int(1)}}),
          Value::Enum("T", "id"),
          Value(std::make_shared<const Vertex>(vertex))};
}

TEST(MessageTest, BinaryReadsWhatItWrites) {
  for (const Value& value : Samples()) {
    GraphBinaryWriter writer(true, false);
    writer.Put(value);
    const std::string bytes = std::move(writer).Finish();
    GraphBinaryReader reader(bytes);
    const auto read = reader.Take();
    ASSERT_TRUE(read.has_value()) << ToText(value) << ": " << read.error().ToString();
    EXPECT_EQ(read->type(), value.type());
    EXPECT_EQ(ToText(*read), ToText(value));
    EXPECT_TRUE(reader.at_end());
    for (size_t cut = 0; cut < bytes.size(); ++cut) {
      GraphBinaryReader shorter(std::string_view(bytes).substr(0, cut));
      EXPECT_FALSE(shorter.Take().has_value()) << ToText(value) << " cut to " << cut;
    }
  }
}

Response WithVertex() {
  Vertex vertex{.id = Value::Int(1),
                .label = "person",
                .partition = {},
                .properties = {},
                .version = {},
                .system = {}};
  vertex.properties.push_back(
      {.id = Value::Long(0), .key = "name", .value = Value::String("marko"), .meta = {}});
  Response response{.request_id = std::string(kId)};
  response.data.push_back({Value(std::make_shared<const Vertex>(vertex)), 2});
  return response;
}

TEST(MessageTest, WritesUntypedVertices) {
  EXPECT_EQ(
      EncodeResponse(Encoding::kPlain2, WithVertex()),
      R"({"requestId":"b8d3bd8c-ce64-4bf4-a4f4-1bd0a2fbb0f0","status":{"message":"","code":200,"attributes":{}},)"
      R"("result":{"data":[{"id":1,"label":"person","type":"vertex","properties":{"name":[{"id":0,"value":"marko"}]}},)"
      R"({"id":1,"label":"person","type":"vertex","properties":{"name":[{"id":0,"value":"marko"}]}}],"meta":{}}})");
}

TEST(MessageTest, WritesTypedTraversers) {
  Response response = WithVertex();
  response.as_traversers = true;
  EXPECT_THAT(
      EncodeResponse(Encoding::kGraphSon3, response),
      HasSubstr(
          R"({"@type":"g:Traverser","@value":{"bulk":{"@type":"g:Int64","@value":2},"value":)"
          R"({"@type":"g:Vertex","@value":{"id":{"@type":"g:Int32","@value":1},"label":"person")"));
}

}  // namespace
}  // namespace orrery::gremlin
