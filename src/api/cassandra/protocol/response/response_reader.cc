#include "api/cassandra/protocol/response/response_reader.h"

#include <fmt/format.h>

#include <utility>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/response/result_kind.h"

namespace orrery::cassandra {
namespace {

// A name and a native type's id.
constexpr size_t kColumnBytesMin = 4;
constexpr size_t kCellBytesMin = 4;

// A count of things that take at least `bytes_min` each; 0, and a failed reader, for one that the
// bytes left cannot hold.
size_t ReadCount(BodyReader& reader, size_t bytes_min, std::string_view what) {
  const int32_t count = reader.Int();
  if (count < 0 || static_cast<size_t>(count) > reader.remaining() / bytes_min) {
    reader.Refuse(fmt::format("{} {} do not fit the message", count, what));
    return 0;
  }
  return static_cast<size_t>(count);
}

std::vector<ColumnDescription> ReadColumns(BodyReader& reader, size_t count, bool one_table) {
  ColumnDescription column;
  const auto read_table = [&] {
    column.keyspace = reader.String();
    column.table = reader.String();
  };
  if (one_table) read_table();
  std::vector<ColumnDescription> columns;
  columns.reserve(count);
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    if (!one_table) read_table();
    column.name = reader.String();
    column.type = ReadType(reader);
    columns.push_back(column);
  }
  return columns;
}

ErrorResponse ReadError(BodyReader& reader) {
  ErrorResponse error;
  error.code = static_cast<ErrorCode>(reader.Int());
  error.message = reader.String();
  if (error.code == ErrorCode::kUnprepared) error.unprepared_id = reader.ShortBytes();
  return error;
}

PreparedResult ReadPrepared(BodyReader& reader, ProtocolVersion version) {
  PreparedResult prepared;
  prepared.id = reader.ShortBytes();
  if (version >= ProtocolVersion::kV5) prepared.result_metadata_id = reader.ShortBytes();

  const int32_t flags = reader.Int();
  const size_t variables = ReadCount(reader, kColumnBytesMin, "variables");
  if (version >= ProtocolVersion::kV4) {
    const size_t indexes = ReadCount(reader, sizeof(uint16_t), "partition key indexes");
    for (size_t i = 0; i < indexes; ++i) prepared.partition_key_indexes.push_back(reader.Short());
  }
  prepared.variables = ReadColumns(reader, variables, (flags & kMetadataOneTable) != 0);

  const int32_t result_flags = reader.Int();
  if ((result_flags & kMetadataNone) != 0) return prepared;
  const size_t columns = ReadCount(reader, kColumnBytesMin, "columns");
  prepared.columns = ReadColumns(reader, columns, (result_flags & kMetadataOneTable) != 0);
  return prepared;
}

void ReadCells(BodyReader& reader, RowsResult& rows) {
  // Neither factor exceeds an [int]: the product fits.
  const uint64_t cells = uint64_t{rows.row_count} * rows.column_count;
  if (cells > reader.remaining() / kCellBytesMin) {
    reader.Refuse(fmt::format("{} rows of {} columns do not fit the message", rows.row_count,
                              rows.column_count));
    return;
  }
  rows.cells.reserve(cells);
  for (uint64_t i = 0; i < cells; ++i) rows.cells.push_back(reader.Bytes());
}

RowsResult ReadRows(BodyReader& reader) {
  RowsResult rows;
  const int32_t flags = reader.Int();
  const bool described = (flags & kMetadataNone) == 0;
  // Columns that are not described take no bytes here, only their cells do.
  const int32_t columns = reader.Int();
  if (columns < 0 ||
      (described && static_cast<size_t>(columns) > reader.remaining() / kColumnBytesMin)) {
    reader.Refuse(fmt::format("Invalid count {} of columns", columns));
    return rows;
  }
  rows.column_count = static_cast<size_t>(columns);
  if ((flags & kMetadataMorePages) != 0) rows.paging_state = reader.Bytes();
  if ((flags & kMetadataChanged) != 0) rows.new_metadata_id = reader.ShortBytes();
  if (described) {
    rows.columns = ReadColumns(reader, rows.column_count, (flags & kMetadataOneTable) != 0);
  }
  const int32_t count = reader.Int();
  if (count < 0) reader.Refuse(fmt::format("Invalid count {} of rows", count));
  if (!reader.ok()) return rows;
  rows.row_count = static_cast<size_t>(count);
  ReadCells(reader, rows);
  return rows;
}

SchemaChangeResult ReadSchemaChange(BodyReader& reader) {
  SchemaChangeResult change;
  change.change = reader.String();
  change.target = reader.String();
  change.keyspace = reader.String();
  return change;
}

Response ReadResult(BodyReader& reader, ProtocolVersion version) {
  const int32_t kind = reader.Int();
  switch (kind) {
    case kResultVoid:
      return VoidResult{};
    case kResultRows:
      return ReadRows(reader);
    case kResultSetKeyspace:
      return SetKeyspaceResult{reader.String()};
    case kResultPrepared:
      return ReadPrepared(reader, version);
    case kResultSchemaChange:
      return ReadSchemaChange(reader);
    default:
      reader.Refuse(fmt::format("Unknown kind {} of a RESULT", kind));
      return VoidResult{};
  }
}

Response ReadResponse(Opcode opcode, ProtocolVersion version, BodyReader& reader) {
  switch (opcode) {
    case Opcode::kError:
      return ReadError(reader);
    case Opcode::kReady:
      return ReadyResponse{};
    case Opcode::kAuthenticate:
      return AuthenticateResponse{reader.String()};
    case Opcode::kAuthChallenge:
      return AuthChallengeResponse{reader.Bytes()};
    case Opcode::kAuthSuccess:
      return AuthSuccessResponse{reader.Bytes()};
    case Opcode::kSupported:
      return SupportedResponse{reader.ReadStringMultimap()};
    case Opcode::kEvent:
      return EventResponse{reader.String()};
    case Opcode::kResult:
      return ReadResult(reader, version);
    default:
      reader.Refuse(fmt::format("{} is no response", OpcodeName(opcode)));
      return ReadyResponse{};
  }
}

}  // namespace

Result<ResponseMessage> DecodeResponse(const Envelope& envelope) {
  const EnvelopeHeader& header = envelope.header;
  BodyReader reader(envelope.body);
  ResponseMessage message;
  if ((header.flags & kFlagTracing) != 0) message.tracing_id = reader.ReadUuid();
  if ((header.flags & kFlagWarnings) != 0) message.warnings = reader.StringList();
  if ((header.flags & kFlagCustomPayload) != 0) message.payload = reader.BytesMap();
  message.response = ReadResponse(header.opcode, header.version, reader);
  ORRERY_TRY(reader.status());
  return message;
}

}  // namespace orrery::cassandra
