// Encodes a document item: a small header, then the document as BSON.
//
//   record := version:uint8 (1) flags:uint8 lsn:varint time_us:varint [expiry_us:varint]
//             [seq:varint] bson
//   flags  := bit 0: expiry follows, bit 1: seq follows (else 0)
//
// lsn is the position of the transaction that wrote this version; it is also the item's etag. lsn
// and seq together lead to the version's entry in the change feed.
// docs/format/items.md has a worked example.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"

namespace orrery::item {

struct RecordHeader {
  Lsn lsn;
  Micros time{0};
  std::optional<Micros> expiry;
  uint32_t seq = 0;  // place among the changes of its transaction

  bool ExpiredAt(Micros now) const { return expiry.has_value() && *expiry <= now; }
};

struct RecordView : RecordHeader {
  std::string_view document;  // BSON bytes, points into the decoded record
};

inline constexpr size_t kRecordHeaderBytesMax = 2 + 3 * 10 + 5;

// A record whose header is still to come: the document is copied once, where there is time for it,
// with room in front; the sequencer only stamps the header there.
class RecordBuffer {
 public:
  RecordBuffer() = default;
  explicit RecordBuffer(std::string_view bson);

  // Writes the header directly before the document. The view is good until the next Stamp.
  std::string_view Stamp(const RecordHeader& header);
  std::string_view bson() const { return std::string_view(bytes_).substr(kRecordHeaderBytesMax); }

 private:
  std::string bytes_ = std::string(kRecordHeaderBytesMax, '\0');
};

std::string EncodeRecord(const RecordHeader& header, std::string_view bson);
// kCorruption when the header is damaged. The BSON itself is trusted: it was validated when
// written.
Result<RecordView> DecodeRecord(std::string_view record);

}  // namespace orrery::item
