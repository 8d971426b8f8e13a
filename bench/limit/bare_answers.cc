#include "limit/bare_answers.h"

#include <rocksdb/slice.h>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/response/error_writer.h"
#include "api/cassandra/protocol/response/response_writer.h"
#include "api/cassandra/protocol/response/result_kind.h"

namespace orrery::bench {
namespace {

using namespace cassandra;

constexpr uint8_t kFlagValues = 0x01;

void AppendRow(std::string& out, const EnvelopeHeader& request, const rocksdb::Slice* value) {
  constexpr size_t kIntBytes = sizeof(int32_t);
  const size_t cell_bytes = value == nullptr ? 0 : kIntBytes + value->size();
  EnvelopeHeader header = request;
  header.flags = 0;
  header.opcode = Opcode::kResult;
  header.body_bytes = static_cast<uint32_t>(4 * kIntBytes + cell_bytes);
  AppendEnvelopeHeader(out, Direction::kResponse, header);
  AppendInt(out, kResultRows);
  AppendInt(out, kMetadataNone);
  AppendInt(out, 1);  // columns
  AppendInt(out, value == nullptr ? 0 : 1);
  if (value != nullptr) AppendBytes(out, value->ToStringView());
}

void AnswerExecute(std::string& out, const Envelope& request, const ResponseHead& head,
                   BareStore& store) {
  BodyReader reader(request.body);
  reader.ShortBytes();  // the statement's id
  reader.Short();       // consistency
  const uint8_t flags = reader.Byte();
  const bool inserts = reader.Short() > 1;
  const BoundValue key = reader.Value(head.version);
  const BoundValue row = inserts ? reader.Value(head.version) : BoundValue();
  if (!reader.ok() || (flags & kFlagValues) == 0) {
    return WriteError(out, head, ProtocolError("an EXECUTE needs the key as its first value"));
  }
  if (inserts) {
    store.Stage(key.bytes, row.bytes);
    return WriteVoid(out, head);
  }
  static thread_local rocksdb::PinnableSlice value;  // its buffer is used again
  AppendRow(out, request.header, store.Get(key.bytes, value) ? &value : nullptr);
  value.Reset();  // lets go of the store, which ends before the thread
}

}  // namespace

void AppendBareAnswer(std::string& out, const Envelope& request, BareStore& store) {
  ResponseHead head;
  head.version = request.header.version;
  head.stream = request.header.stream;
  switch (request.header.opcode) {
    case Opcode::kExecute:
      return AnswerExecute(out, request, head, store);
    case Opcode::kOptions:
      return WriteSupported(out, head, {{"CQL_VERSION", {"3.4.5"}}});
    case Opcode::kStartup:
      return WriteReady(out, head);
    case Opcode::kPrepare:
      return WritePrepared(out, head, {"bare", "", ResultColumns(), {}, ResultColumns()});
    default:
      return WriteVoid(out, head);
  }
}

}  // namespace orrery::bench
