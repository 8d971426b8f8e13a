// Any body under any opcode, version and flags must give a response or an error, and every view in
// the response must lie inside the body.
#include "api/cassandra/protocol/fuzz_message.h"
#include "api/cassandra/protocol/response/response_reader.h"

namespace {

using namespace orrery::cassandra;

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
  const auto chosen = ChosenMessage(data, size);
  if (!chosen.has_value()) return 0;
  const auto message = DecodeResponse(*chosen);
  if (message.has_value()) {
    CheckViews(message->response, chosen->body);
  } else if (message.error().message().empty()) {
    std::abort();
  }
  return 0;
}
