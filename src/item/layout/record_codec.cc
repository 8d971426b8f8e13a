#include "item/layout/record_codec.h"

#include <cstring>

#include "base/bytes.h"

namespace orrery::item {
namespace {

constexpr char kRecordVersion = 1;
constexpr char kHasExpiry = 1 << 0;
constexpr char kHasSeq = 1 << 1;
// An empty BSON document: its length and the closing zero.
constexpr size_t kDocumentBytesMin = 5;

size_t PutVarint(char* out, uint64_t value) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7) out[size++] = static_cast<char>(value | 0x80);
  out[size++] = static_cast<char>(value);
  return size;
}

size_t PutHeader(char* out, const RecordHeader& header) {
  size_t size = 0;
  out[size++] = kRecordVersion;
  out[size++] = static_cast<char>((header.expiry.has_value() ? kHasExpiry : 0) |
                                  (header.seq != 0 ? kHasSeq : 0));
  size += PutVarint(out + size, header.lsn.value());
  size += PutVarint(out + size, static_cast<uint64_t>(header.time.count()));
  if (header.expiry.has_value()) {
    size += PutVarint(out + size, static_cast<uint64_t>(header.expiry->count()));
  }
  if (header.seq != 0) size += PutVarint(out + size, header.seq);
  return size;
}

bool ReadMicros(ByteReader& reader, Micros& time) {
  uint64_t value = 0;
  if (!reader.ReadVarint(value) || value > INT64_MAX) return false;
  time = Micros(static_cast<int64_t>(value));
  return true;
}

bool ReadHeader(ByteReader& reader, RecordHeader& header) {
  uint8_t version = 0;
  uint8_t flags = 0;
  uint64_t lsn = 0;
  if (!reader.ReadBigEndian(version) || version != kRecordVersion) return false;
  if (!reader.ReadBigEndian(flags) || (flags & ~(kHasExpiry | kHasSeq)) != 0) return false;
  if (!reader.ReadVarint(lsn) || !ReadMicros(reader, header.time)) return false;
  header.lsn = Lsn(lsn);
  if ((flags & kHasExpiry) != 0 && !ReadMicros(reader, header.expiry.emplace())) return false;
  if ((flags & kHasSeq) != 0) {
    uint64_t seq = 0;
    if (!reader.ReadVarint(seq) || seq > UINT32_MAX) return false;
    header.seq = static_cast<uint32_t>(seq);
  }
  return true;
}

}  // namespace

RecordBuffer::RecordBuffer(std::string_view bson) {
  bytes_.reserve(kRecordHeaderBytesMax + bson.size());
  bytes_.append(bson);
}

std::string_view RecordBuffer::Stamp(const RecordHeader& header) {
  char encoded[kRecordHeaderBytesMax];
  const size_t size = PutHeader(encoded, header);
  const size_t start = kRecordHeaderBytesMax - size;
  std::memcpy(bytes_.data() + start, encoded, size);
  return std::string_view(bytes_).substr(start);
}

std::string EncodeRecord(const RecordHeader& header, std::string_view bson) {
  return std::string(RecordBuffer(bson).Stamp(header));
}

Result<RecordView> DecodeRecord(std::string_view record) {
  ByteReader reader(record);
  RecordView view;
  if (!ReadHeader(reader, view) || reader.rest().size() < kDocumentBytesMin) {
    return Fail(Code::kCorruption, "a stored item's header is damaged");
  }
  view.document = reader.rest();
  return view;
}

}  // namespace orrery::item
