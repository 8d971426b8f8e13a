#include "api/cassandra/server/session/response_encoder.h"

#include <array>
#include <bit>
#include <cstring>
#include <variant>

#include "api/cassandra/protocol/response/error_writer.h"
#include "api/cassandra/protocol/response/moved_event.h"
#include "api/cassandra/protocol/response/response_writer.h"
#include "api/cassandra/protocol/response/rows_writer.h"
#include "base/overload.h"

namespace orrery::cassandra {
namespace {

// A response's head and the bytes that it views.
class ChargedHead {
 public:
  ChargedHead(const WireForm& form, const PendingRequest& request) {
    head_.version = form.version;
    head_.compression = form.compression;
    head_.stream = request.stream;
    head_.tracing_id = request.tracing_id;
  }
  ChargedHead(const ChargedHead&) = delete;
  ChargedHead& operator=(const ChargedHead&) = delete;

  void SetCharge(RequestUnits charge) {
    auto bits = std::bit_cast<uint64_t>(charge.ToDouble());
    if constexpr (std::endian::native == std::endian::little) bits = std::byteswap(bits);
    std::memcpy(charge_.data(), &bits, charge_.size());
    payload_ = {kChargePayloadKey, std::string_view(charge_.data(), charge_.size())};
    head_.payload = std::span(&payload_, 1);
  }
  void SetWarnings(std::span<const std::string> warnings) { head_.warnings = warnings; }

  const ResponseHead& head() const { return head_; }

 private:
  std::array<char, sizeof(double)> charge_{};
  PayloadEntry payload_;
  ResponseHead head_;
};

std::string_view ClientMetadata(const PendingRequest& request) {
  return {request.client_metadata.data(), request.client_metadata.size()};
}

void EncodeRows(std::string& out, const ResponseHead& head, const PendingRequest& request,
                const RowsOutcome& rows) {
  RowsOptions options;
  if (!rows.shape_varies) {
    options.skip_metadata = request.skip_metadata;
    if (request.check_metadata && rows.shape->id() != ClientMetadata(request))
      options.new_metadata_id = rows.shape->id();
  }
  RowsWriter writer(out, head, rows.shape->For(head.version), options);
  writer.buffer().append(rows.cells);
  for (int32_t i = 0; i < rows.rows; ++i) writer.EndRow();
  writer.Finish(rows.paging_state);
}

// Of statements that give no rows.
const ColumnShape& NoColumns() {
  static const ColumnShape kNone{std::vector<ColumnSpec>{}};
  return kNone;
}

}  // namespace

void EncodeOutcome(std::string& out, const WireForm& form, const PendingRequest& request,
                   const Outcome& outcome) {
  ChargedHead charged(form, request);
  const bool failed = std::holds_alternative<CqlError>(outcome.result);
  if (!failed || outcome.charge != RequestUnits()) charged.SetCharge(outcome.charge);
  charged.SetWarnings(outcome.warnings);
  const ResponseHead& head = charged.head();
  std::visit(Overload{
                 [&](const VoidOutcome&) { WriteVoid(out, head); },
                 [&](const KeyspaceSet& set) { WriteSetKeyspace(out, head, set.keyspace); },
                 [&](const RowsOutcome& rows) { EncodeRows(out, head, request, rows); },
                 [&](const SchemaChange& change) { WriteSchemaChange(out, head, change); },
                 [&](const CqlError& error) { WriteError(out, head, error); },
             },
             outcome.result);
}

void EncodePrepared(std::string& out, const WireForm& form, const PendingRequest& request,
                    const PreparedInfo& prepared) {
  ChargedHead charged(form, request);
  charged.SetCharge(RequestUnits());
  const ColumnShape& variables = prepared.variables ? *prepared.variables : NoColumns();
  const ColumnShape& result = prepared.result ? *prepared.result : NoColumns();
  WritePrepared(out, charged.head(),
                {.id = prepared.id,
                 .result_metadata_id = result.id(),
                 .variables = variables.For(form.version),
                 .partition_key_indexes = prepared.partition_key_indexes,
                 .result = result.For(form.version)});
}

void EncodeEvent(std::string& out, const WireForm& form, const Event& event) {
  ResponseHead head;
  head.version = form.version;
  head.compression = form.compression;
  std::visit(Overload{
                 [&](const SchemaChange& change) { WriteSchemaEvent(out, head, change); },
                 [&](const TopologyEvent& topology) {
                   WriteTopologyEvent(out, head, topology.change, topology.node);
                 },
                 [&](const MovedEvent& moved) { WriteMovedEvent(out, head, moved.node); },
                 [&](const StatusEvent& status) {
                   WriteStatusEvent(out, head, status.status, status.node);
                 },
             },
             event);
}

}  // namespace orrery::cassandra
