// Any body under any opcode, version and flags must give a request or an error, and every view in
// the request must lie inside the body.
#include "api/cassandra/protocol/body/wire_type.h"
#include "api/cassandra/protocol/fuzz_message.h"
#include "api/cassandra/protocol/request/request_decoder.h"

namespace {

using namespace orrery::cassandra;

void ExpectAllInside(const std::vector<BoundValue>& values, std::string_view body) {
  for (const BoundValue& value : values) ExpectInside(value.bytes, body);
}

void CheckViews(const Request& request, std::string_view body) {
  if (const auto* query = std::get_if<QueryRequest>(&request)) {
    ExpectInside(query->query, body);
    ExpectAllInside(query->parameters.values, body);
    const size_t names = query->parameters.names.size();
    if (names != 0 && names != query->parameters.values.size()) std::abort();
  } else if (const auto* execute = std::get_if<ExecuteRequest>(&request)) {
    ExpectInside(execute->id, body);
    ExpectAllInside(execute->parameters.values, body);
  } else if (const auto* batch = std::get_if<BatchRequest>(&request)) {
    size_t values = 0;
    for (const BatchStatement& statement : batch->statements) {
      ExpectInside(statement.query_or_id, body);
      values += batch->ValuesOf(statement).size();
    }
    if (values != batch->values.size()) std::abort();
    ExpectAllInside(batch->values, body);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto chosen = ChosenMessage(data, size);
  if (!chosen.has_value()) return 0;
  const auto message = DecodeRequest(*chosen);
  if (message.has_value()) {
    CheckViews(message->request, chosen->body);
  } else if (message.error().message().empty()) {
    std::abort();
  }

  BodyReader reader(chosen->body);
  const WireType type = ReadType(reader);
  if (!reader.ok()) return 0;
  std::string again;
  AppendType(again, type, ProtocolVersion::kV5);
  if (again != chosen->body.substr(0, again.size())) std::abort();
  return 0;
}
