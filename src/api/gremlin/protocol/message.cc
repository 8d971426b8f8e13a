#include "api/gremlin/protocol/message.h"

#include "api/gremlin/protocol/graph_binary.h"
#include "api/gremlin/protocol/graphson.h"
#include "api/gremlin/value/text.h"
#include "model/document/json.h"

namespace orrery::gremlin {
namespace {

// Reads a whole response as JSON. The status attributes are typed as the data is.
std::string JsonResponse(GraphSon form, const Response& response, const EncodeOptions& options) {
  GraphSonWriter writer(form, options.with_properties);
  std::string out = R"({"requestId":)";
  model::AppendJsonString(out, response.request_id);
  out += R"(,"status":{"message":)";
  model::AppendJsonString(out, response.message);
  out += R"(,"code":)" + std::to_string(static_cast<int>(response.code)) + R"(,"attributes":)";
  writer.Append(out, Value::Map(response.attributes));
  out += R"(},"result":{"data":)";
  if (response.has_data) {
    writer.AppendResults(out, response.data, response.as_traversers);
  } else {
    out += "null";
  }
  out += R"(,"meta":)";
  writer.Append(out, Value::Map({}));
  out += "}}";
  return out;
}

Result<Request> DecodeJson(std::string_view body) {
  ORRERY_ASSIGN(const model::Value json, model::ValueFromJson(body));
  ORRERY_ASSIGN(const Value value, ReadGraphSon(json));
  if (!value.is_map()) return Fail(Code::kInvalidArgument, "a request is a JSON object");
  const ValueMap& fields = value.AsMap();
  const auto text = [&](std::string_view name) {
    const Value* field = fields.Find(name);
    return field == nullptr || field->is_null() ? std::string() : ToText(*field);
  };
  Request request{
      .id = text("requestId"), .op = text("op"), .processor = text("processor"), .args = {}};
  if (request.id.empty()) return Fail(Code::kInvalidArgument, "the request has no requestId");
  if (const Value* args = fields.Find("args"); args != nullptr && args->is_map())
    request.args = args->AsMap();
  return request;
}

Result<Request> DecodeBinary(std::string_view body) {
  GraphBinaryReader reader(body);
  Request request;
  ORRERY_ASSIGN(const uint8_t version, reader.TakeByte());
  if (version != 0x81) return Fail(Code::kInvalidArgument, "unknown version of GraphBinary");
  ORRERY_ASSIGN(const UuidBytes id, reader.TakeUuid());
  request.id = UuidText(id);
  ORRERY_ASSIGN(request.op, reader.TakeString());
  ORRERY_ASSIGN(request.processor, reader.TakeString());
  ORRERY_ASSIGN(const Value args, reader.TakeMap());
  request.args = args.AsMap();
  if (!reader.at_end()) return Fail(Code::kInvalidArgument, "bytes behind the request");
  return request;
}

std::string BinaryResponse(const Response& response, const EncodeOptions& options, bool strings) {
  GraphBinaryWriter writer(options.with_properties, strings);
  writer.PutByte(0x81);
  if (const auto id = ParseUuid(response.request_id); id.has_value()) {
    writer.PutByte(0);
    writer.PutUuid(*id);
  } else {
    writer.PutByte(1);
  }
  writer.PutInt(static_cast<int32_t>(response.code));
  writer.PutByte(0);
  writer.PutString(response.message);
  writer.PutMap(response.attributes);
  writer.PutMap({});
  if (response.has_data) {
    writer.PutResults(response.data, response.as_traversers);
  } else {
    writer.Put(Value::Null());
  }
  return std::move(writer).Finish();
}

}  // namespace

std::optional<Encoding> EncodingOf(std::string_view mime) {
  const size_t semicolon = mime.find(';');
  const std::string_view type = mime.substr(0, semicolon);
  const std::string_view rest =
      semicolon == std::string_view::npos ? std::string_view() : mime.substr(semicolon);
  const bool untyped = rest.find("types=false") != std::string_view::npos;
  const bool typed = rest.find("types=true") != std::string_view::npos;
  if (type == "application/vnd.gremlin-v1.0+json") return Encoding::kGraphSon1;
  if (type == "application/vnd.gremlin-v2.0+json")
    return typed ? Encoding::kGraphSon2 : Encoding::kPlain2;
  if (type == "application/vnd.gremlin-v3.0+json" || type == "application/json" ||
      type == "application/vnd.gremlin+json")
    return untyped ? Encoding::kGraphSon1 : Encoding::kGraphSon3;
  if (type == "application/vnd.graphbinary-v1.0") return Encoding::kGraphBinary;
  if (type == "application/vnd.graphbinary-v1.0-stringd") return Encoding::kGraphBinaryStrings;
  return std::nullopt;
}

std::string Request::Text(std::string_view name) const {
  const Value* value = args.Find(name);
  return value != nullptr && value->is_string() ? value->AsString() : std::string();
}

std::optional<Frame> SplitFrame(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto length = static_cast<uint8_t>(bytes.front());
  if (bytes.size() < 1U + length) return std::nullopt;
  return Frame{.mime = bytes.substr(1, length), .body = bytes.substr(1U + length)};
}

Result<Request> DecodeRequest(Encoding encoding, std::string_view body) {
  const bool binary =
      encoding == Encoding::kGraphBinary || encoding == Encoding::kGraphBinaryStrings;
  return binary ? DecodeBinary(body) : DecodeJson(body);
}

std::string EncodeResponse(Encoding encoding, const Response& response,
                           const EncodeOptions& options) {
  switch (encoding) {
    case Encoding::kGraphSon1:
    case Encoding::kPlain2:
      return JsonResponse(GraphSon::kUntyped, response, options);
    case Encoding::kGraphSon2:
      return JsonResponse(GraphSon::kTyped2, response, options);
    case Encoding::kGraphSon3:
      return JsonResponse(GraphSon::kTyped3, response, options);
    case Encoding::kGraphBinary:
      return BinaryResponse(response, options, false);
    case Encoding::kGraphBinaryStrings:
      break;
  }
  return BinaryResponse(response, options, true);
}

}  // namespace orrery::gremlin
