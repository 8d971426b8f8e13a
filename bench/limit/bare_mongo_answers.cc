#include "limit/bare_mongo_answers.h"

#include <rocksdb/slice.h>

#include <cstdint>
#include <cstring>

#include "api/mongo/protocol/message.h"
#include "cql/load/row_maker.h"

namespace orrery::bench {
namespace {

using namespace std::string_view_literals;

// An int64 named _id.
constexpr std::string_view kIdField = "\x12_id\0"sv;
// The reply around the document: everything but lengths, number and value.
constexpr std::string_view kCursor =
    "\x03"
    "cursor\0"sv;
constexpr std::string_view kBatch =
    "\x04"
    "firstBatch\0"sv;
constexpr std::string_view kFirst =
    "\x03"
    "0\0"sv;
constexpr std::string_view kValueField = "\x05value\0"sv;  // binary: the rows are no text
constexpr std::string_view kAfterBatch = "\x12id\0\0\0\0\0\0\0\0\0\x02ns\0\x02\0\0\0n\0\0"sv;
constexpr std::string_view kOk = "\x01ok\0\0\0\0\0\0\0\xf0\x3f\0"sv;

template <typename T>
void AppendNumber(std::string& out, T number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

// Begins a document. Returns its place, for End.
size_t Begin(std::string& out, std::string_view field) {
  out.append(field);
  AppendNumber(out, int32_t{0});
  return out.size() - sizeof(int32_t);
}

// Ends the document at `place` with `rest`, the zero byte included.
void End(std::string& out, size_t place, std::string_view rest) {
  out.append(rest);
  const auto size = static_cast<int32_t>(out.size() - place);
  std::memcpy(out.data() + place, &size, sizeof(size));
}

}  // namespace

std::optional<size_t> TakeBareMongoMessage(std::string_view input, const BareStore& store,
                                           std::string& out) {
  const auto header = mongo::ReadHeader(input);
  if (!header.has_value() || input.size() < static_cast<size_t>(header->length)) return 0;
  const auto bytes = static_cast<size_t>(header->length);
  const size_t field = input.substr(0, bytes).find(kIdField);
  uint64_t number = 0;
  if (field == std::string_view::npos || field + kIdField.size() + sizeof(number) > bytes)
    return std::nullopt;
  std::memcpy(&number, input.data() + field + kIdField.size(), sizeof(number));
  static thread_local std::string key;  // its memory is used again
  RowMaker::MakeKey(number, key);

  const size_t message = Begin(out, {});
  AppendNumber(out, int32_t{1});
  AppendNumber(out, header->request_id);
  AppendNumber(out, static_cast<int32_t>(mongo::OpCode::kMsg));
  AppendNumber(out, int32_t{0});
  out.push_back('\0');
  const size_t reply = Begin(out, {});
  const size_t cursor = Begin(out, kCursor);
  const size_t batch = Begin(out, kBatch);
  static thread_local rocksdb::PinnableSlice value;  // its buffer is used again
  if (store.Get(key, value)) {
    const size_t document = Begin(out, kFirst);
    out.append(kIdField);
    AppendNumber(out, number);
    out.append(kValueField);
    AppendNumber(out, static_cast<int32_t>(value.size()));
    out.push_back('\0');
    out.append(value.ToStringView());
    End(out, document, "\0"sv);
  }
  value.Reset();  // lets go of the store, which ends before the thread
  End(out, batch, "\0"sv);
  End(out, cursor, kAfterBatch);
  End(out, reply, kOk);
  End(out, message, {});
  return bytes;
}

}  // namespace orrery::bench
