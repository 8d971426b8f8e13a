#include "api/sql/hybrid_row/record_io.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>

#include "api/sql/hybrid_row/flat_row.h"

namespace orrery::sql::hybrid {
namespace {

constexpr std::array<Column, 3> kSegmentColumns = {
    {{.name = "length"}, {"comment", Storage::kSparse}, {"sdl", Storage::kSparse}}};
constexpr Layout kSegment{2147473648, kSegmentColumns};
constexpr std::array<Column, 2> kRecordColumns = {
    {{.name = "length", .nullable = false}, {.name = "crc32", .nullable = false}}};
constexpr Layout kRecord{2147473649, kRecordColumns};

uint32_t Checksum(std::string_view bytes) {
  // zlib takes a null pointer for a request to start anew.
  if (bytes.empty()) return 0;
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

std::unexpected<Error> MalformedRecord(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("the RecordIO stream is malformed: {}", what));
}

}  // namespace

Result<std::vector<std::string_view>> SplitRecords(std::string_view stream, size_t records_max) {
  std::vector<std::string_view> records;
  bool begun = false;
  while (!stream.empty()) {
    if (auto segment = ReadFixed(kSegment, stream); segment.has_value()) {
      const size_t length = segment->front();
      if (length < FixedBytes(kSegment) || length > stream.size())
        return MalformedRecord(fmt::format("a segment's header of {} bytes", length));
      stream.remove_prefix(length);
      begun = true;
      continue;
    }
    if (!begun) return MalformedRecord("it does not begin with a segment");
    ORRERY_ASSIGN(const std::vector<uint32_t> header, ReadFixed(kRecord, stream));
    stream.remove_prefix(FixedBytes(kRecord));
    if (header[0] > stream.size()) return MalformedRecord("a record is cut off");
    const std::string_view body = stream.substr(0, header[0]);
    if (Checksum(body) != header[1]) return MalformedRecord("a record's checksum is wrong");
    if (records.size() == records_max)
      return MalformedRecord(fmt::format("it has more than {} records", records_max));
    records.push_back(body);
    stream.remove_prefix(body.size());
  }
  return records;
}

void AppendSegment(std::string& stream) {
  RowBuilder header(kSegment);
  header.PutFixed("length", static_cast<uint32_t>(FixedBytes(kSegment)));
  stream += std::move(header).Build();
}

void AppendRecord(std::string& stream, std::string_view body) {
  RowBuilder header(kRecord);
  header.PutFixed("length", static_cast<uint32_t>(body.size()));
  header.PutFixed("crc32", Checksum(body));
  stream += std::move(header).Build();
  stream += body;
}

}  // namespace orrery::sql::hybrid
