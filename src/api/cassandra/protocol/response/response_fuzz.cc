// Any body under any opcode, version and flags must give a response or an error, and every view in
// the response must lie inside the body.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "api/cassandra/protocol/response/response_reader.h"

namespace {

using namespace orrery::cassandra;

void ExpectInside(std::string_view view, std::string_view body) {
  if (view.empty()) return;
  const std::less<> less;
  if (less(view.data(), body.data()) || less(body.data() + body.size(), view.data() + view.size()))
    std::abort();
}

void CheckViews(const Response& response, std::string_view body) {
  if (const auto* error = std::get_if<ErrorResponse>(&response)) {
    ExpectInside(error->message, body);
    ExpectInside(error->unprepared_id, body);
  } else if (const auto* prepared = std::get_if<PreparedResult>(&response)) {
    ExpectInside(prepared->id, body);
    for (const ColumnDescription& column : prepared->variables) ExpectInside(column.name, body);
    for (const ColumnDescription& column : prepared->columns) ExpectInside(column.name, body);
  } else if (const auto* rows = std::get_if<RowsResult>(&response)) {
    if (rows->cells.size() != rows->row_count * rows->column_count) std::abort();
    for (const auto& cell : rows->cells) ExpectInside(cell.value_or(std::string_view()), body);
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
  const auto message = DecodeResponse({header, body});
  if (message.has_value()) {
    CheckViews(message->response, body);
  } else if (message.error().message().empty()) {
    std::abort();
  }
  return 0;
}
