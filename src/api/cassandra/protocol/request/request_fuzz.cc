// Any body under any opcode, version and flags must give a request or an error, and every view in
// the request must lie inside the body.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "api/cassandra/protocol/body/wire_type.h"
#include "api/cassandra/protocol/request/request_decoder.h"

namespace {

using namespace orrery::cassandra;

void ExpectInside(std::string_view view, std::string_view body) {
  if (view.empty()) return;
  const std::less<> less;
  if (less(view.data(), body.data()) || less(body.data() + body.size(), view.data() + view.size()))
    std::abort();
}

void ExpectInside(const std::vector<BoundValue>& values, std::string_view body) {
  for (const BoundValue& value : values) ExpectInside(value.bytes, body);
}

void CheckViews(const Request& request, std::string_view body) {
  if (const auto* query = std::get_if<QueryRequest>(&request)) {
    ExpectInside(query->query, body);
    ExpectInside(query->parameters.values, body);
    const size_t names = query->parameters.names.size();
    if (names != 0 && names != query->parameters.values.size()) std::abort();
  } else if (const auto* execute = std::get_if<ExecuteRequest>(&request)) {
    ExpectInside(execute->id, body);
    ExpectInside(execute->parameters.values, body);
  } else if (const auto* batch = std::get_if<BatchRequest>(&request)) {
    size_t values = 0;
    for (const BatchStatement& statement : batch->statements) {
      ExpectInside(statement.query_or_id, body);
      values += batch->ValuesOf(statement).size();
    }
    if (values != batch->values.size()) std::abort();
    ExpectInside(batch->values, body);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kChoiceBytes = 3;
  if (size < kChoiceBytes) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + kChoiceBytes,
                              size - kChoiceBytes);
  EnvelopeHeader header;
  header.version = static_cast<ProtocolVersion>(3 + data[0] % 3);
  header.flags = data[1];
  const auto opcode = ToOpcode(data[2] % 0x11);
  if (!opcode.has_value()) return 0;
  header.opcode = *opcode;
  header.body_bytes = static_cast<uint32_t>(body.size());
  const auto message = DecodeRequest({header, body});
  if (message.has_value()) {
    CheckViews(message->request, body);
  } else if (message.error().message().empty()) {
    std::abort();
  }

  BodyReader reader(body);
  const WireType type = ReadType(reader);
  if (!reader.ok()) return 0;
  std::string again;
  AppendType(again, type, ProtocolVersion::kV5);
  if (again != body.substr(0, again.size())) std::abort();
  return 0;
}
