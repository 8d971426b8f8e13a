#include "api/cassandra/protocol/request/query_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "api/cassandra/protocol/body/body_writer.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

constexpr uint32_t kValues = 0x01;
constexpr uint32_t kSkipMetadata = 0x02;
constexpr uint32_t kPageRows = 0x04;
constexpr uint32_t kPagingState = 0x08;
constexpr uint32_t kSerialConsistency = 0x10;
constexpr uint32_t kTimestamp = 0x20;
constexpr uint32_t kNamedValues = 0x40;
constexpr uint32_t kKeyspace = 0x80;
constexpr uint32_t kNowInSeconds = 0x100;

// As in Cassandra, unknown flags are ignored, and one that fits into the byte of v3 and v4 means
// there what it means in v5.
uint32_t ReadFlags(BodyReader& reader, ProtocolVersion version) {
  if (version >= ProtocolVersion::kV5) return static_cast<uint32_t>(reader.Int());
  return reader.Byte();
}

// Everything behind the paging state.
void ReadContextFields(BodyReader& reader, uint32_t flags, StatementContext& context) {
  if ((flags & kSerialConsistency) != 0) context.serial_consistency = reader.Level();
  if ((flags & kTimestamp) != 0) {
    context.timestamp_us = reader.Long();
    // The documents forbid every negative time; Cassandra takes all but this one, its mark for
    // "none", and clients do backfill with times before 1970.
    if (*context.timestamp_us == std::numeric_limits<int64_t>::min()) {
      reader.Refuse(fmt::format("Out of bound timestamp, must be in [{}, {}] (got {})",
                                std::numeric_limits<int64_t>::min() + 1,
                                std::numeric_limits<int64_t>::max(), *context.timestamp_us));
    }
  }
  if ((flags & kKeyspace) != 0) context.keyspace = reader.String();
  if ((flags & kNowInSeconds) != 0) context.now_in_seconds = reader.Int();
}

void ReadNamedValues(BodyReader& reader, ProtocolVersion version, QueryParameters& parameters) {
  const size_t count = reader.Short();
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    parameters.names.push_back(reader.String());
    parameters.values.push_back(reader.Value(version));
  }
}

void AppendFlags(std::string& out, uint32_t flags, ProtocolVersion version) {
  if (version >= ProtocolVersion::kV5) return AppendInt(out, static_cast<int32_t>(flags));
  ORRERY_CHECK(flags <= 0xFF && (flags & kKeyspace) == 0);
  AppendByte(out, static_cast<uint8_t>(flags));
}

uint32_t ContextFlags(const StatementContext& context) {
  uint32_t flags = 0;
  if (context.serial_consistency != Consistency::kSerial) flags |= kSerialConsistency;
  if (context.timestamp_us) flags |= kTimestamp;
  if (context.keyspace) flags |= kKeyspace;
  if (context.now_in_seconds) flags |= kNowInSeconds;
  return flags;
}

void AppendContextFields(std::string& out, const StatementContext& context) {
  if (context.serial_consistency != Consistency::kSerial) {
    AppendConsistency(out, context.serial_consistency);
  }
  if (context.timestamp_us) AppendLong(out, *context.timestamp_us);
  if (context.keyspace) AppendString(out, *context.keyspace);
  if (context.now_in_seconds) AppendInt(out, *context.now_in_seconds);
}

void AppendNamedValues(std::string& out, const QueryParameters& parameters) {
  ORRERY_CHECK(parameters.names.size() == parameters.values.size());
  AppendShort(out, static_cast<uint16_t>(parameters.values.size()));
  for (size_t i = 0; i < parameters.values.size(); ++i) {
    AppendString(out, parameters.names[i]);
    AppendValue(out, parameters.values[i]);
  }
}

}  // namespace

size_t ReadValues(BodyReader& reader, ProtocolVersion version, std::vector<BoundValue>& values) {
  const size_t count = reader.Short();
  // A batch calls this for each statement: growing by exact sizes would copy over and over.
  const size_t needed = values.size() + std::min(count, reader.remaining() / sizeof(int32_t));
  if (needed > values.capacity()) values.reserve(std::max(needed, 2 * values.size()));
  for (size_t i = 0; i < count && reader.ok(); ++i) values.push_back(reader.Value(version));
  return count;
}

QueryParameters ReadQueryParameters(BodyReader& reader, ProtocolVersion version) {
  QueryParameters parameters;
  parameters.context.consistency = reader.Level();
  const uint32_t flags = ReadFlags(reader, version);
  if ((flags & kValues) != 0) {
    if ((flags & kNamedValues) != 0) {
      ReadNamedValues(reader, version, parameters);
    } else {
      ReadValues(reader, version, parameters.values);
    }
  }
  parameters.skip_metadata = (flags & kSkipMetadata) != 0;
  if ((flags & kPageRows) != 0) parameters.page_rows = reader.Int();
  if ((flags & kPagingState) != 0) parameters.paging_state = reader.Bytes();
  ReadContextFields(reader, flags, parameters.context);
  return parameters;
}

StatementContext ReadBatchContext(BodyReader& reader, ProtocolVersion version) {
  // Other parameters of a query are read and ignored.
  return ReadQueryParameters(reader, version).context;
}

void AppendValues(std::string& out, std::span<const BoundValue> values) {
  ORRERY_CHECK(values.size() <= std::numeric_limits<uint16_t>::max());
  AppendShort(out, static_cast<uint16_t>(values.size()));
  for (const BoundValue& value : values) AppendValue(out, value);
}

void AppendQueryParameters(std::string& out, const QueryParameters& parameters,
                           ProtocolVersion version) {
  uint32_t flags = ContextFlags(parameters.context);
  if (!parameters.values.empty()) flags |= kValues;
  if (!parameters.names.empty()) flags |= kNamedValues;
  if (parameters.skip_metadata) flags |= kSkipMetadata;
  if (parameters.page_rows) flags |= kPageRows;
  if (parameters.paging_state) flags |= kPagingState;
  AppendConsistency(out, parameters.context.consistency);
  AppendFlags(out, flags, version);
  if (!parameters.names.empty()) {
    AppendNamedValues(out, parameters);
  } else if (!parameters.values.empty()) {
    AppendValues(out, parameters.values);
  }
  if (parameters.page_rows) AppendInt(out, *parameters.page_rows);
  if (parameters.paging_state) AppendBytes(out, *parameters.paging_state);
  AppendContextFields(out, parameters.context);
}

void AppendBatchContext(std::string& out, const StatementContext& context,
                        ProtocolVersion version) {
  AppendConsistency(out, context.consistency);
  AppendFlags(out, ContextFlags(context), version);
  AppendContextFields(out, context);
}

}  // namespace orrery::cassandra
