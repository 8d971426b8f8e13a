// Requests and responses of Gremlin Server's protocol as values, and the forms they travel in.
//
//   frame    := mime-length:uint8 mime body            ; binary frames; a text frame is JSON alone
//   request  := {requestId, op, processor, args}
//   response := {requestId, status: {code, message, attributes}, result: {data, meta}}
//
// Pure; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/gremlin/value/value.h"
#include "base/status.h"

namespace orrery::gremlin {

enum class Encoding : uint8_t {
  kGraphSon1,  // untyped
  kGraphSon2,  // typed
  kGraphSon3,  // typed
  kPlain2,     // answers in GraphSON 1's shape, as Cosmos DB gives for 2.0
  kGraphBinary,
  kGraphBinaryStrings,  // every value as text
};

// The encoding that a mime type names; nullopt if it is unknown. Parameters: types=false, and
// types=true to get typed GraphSON 2.
std::optional<Encoding> EncodingOf(std::string_view mime);

struct Request {
  std::string id;  // a UUID, or what else the client sent
  std::string op;
  std::string processor;
  ValueMap args;

  // The argument if it is a string; empty if there is none.
  std::string Text(std::string_view name) const;
};

// A binary frame taken apart; nullopt if it is too short for its mime type.
struct Frame {
  std::string_view mime;
  std::string_view body;
};
std::optional<Frame> SplitFrame(std::string_view bytes);

// kInvalidArgument says what is malformed.
Result<Request> DecodeRequest(Encoding encoding, std::string_view body);

// Codes of the protocol.
enum class StatusCode : uint16_t {
  kSuccess = 200,
  kNoContent = 204,
  kPartialContent = 206,
  kUnauthorized = 401,
  kAuthenticate = 407,
  kMalformedRequest = 498,
  kInvalidArguments = 499,
  kServerError = 500,
  kFailStep = 595,
  kEvaluationError = 597,
  kTimeout = 598,
  kSerializationError = 599,
};

// One item of a result. Clients that send bytecode get bulks; others get the item so many times.
struct ResultItem {
  Value value;
  int64_t bulk = 1;
};

struct Response {
  std::string request_id;
  StatusCode code = StatusCode::kSuccess;
  std::string message{};
  ValueMap attributes{};
  std::vector<ResultItem> data{};
  bool as_traversers = false;
  bool has_data = true;  // false: data is null
};

struct EncodeOptions {
  bool with_properties = true;  // of elements
};

std::string EncodeResponse(Encoding encoding, const Response& response,
                           const EncodeOptions& options = {});

}  // namespace orrery::gremlin
