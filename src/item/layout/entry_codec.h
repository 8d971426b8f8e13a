// The small values that stand beside records: what sizes, unique, index, receipt and expiry
// entries hold.
//
//   sizes  := bytes:varint items:varint
//   unique := expiry_us:varint rk                 ; who holds the values, and until when
//   index  := expiry_us:varint [01 | 02 payload]  ; 01: the item has further terms in this index;
//                                                 ; 02: what the index keeps of the item
//   receipt := expiry_us:varint bytes             ; what a program keeps of itself
//   expiry := lsn:varint seq:varint bytes:varint  ; the version, and what it counts for in sizes
//
// An expiry of 0 means never. Index and unique entries repeat their record's expiry, so that
// readers and compaction see that they are void without looking at the record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"

namespace orrery::item {

// Bytes and number of items; also used for differences, which may be negative.
struct Totals {
  int64_t bytes = 0;
  int64_t items = 0;

  Totals& operator+=(const Totals& other) {
    bytes += other.bytes;
    items += other.items;
    return *this;
  }
  Totals operator-() const { return {-bytes, -items}; }
  friend bool operator==(const Totals&, const Totals&) = default;
};

struct UniqueEntry {
  std::optional<Micros> expiry;
  std::string_view row_key;  // points into the decoded bytes
};

struct IndexEntry {
  std::optional<Micros> expiry;
  bool one_of_several = false;
  std::string_view payload = {};  // points into the decoded bytes; none beside one_of_several
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

struct ReceiptEntry {
  std::optional<Micros> expiry;
  std::string_view bytes;  // point into the decoded bytes
};

struct ExpiryEntry {
  Lsn lsn;
  uint32_t seq = 0;
  uint64_t bytes = 0;
  friend bool operator==(const ExpiryEntry&, const ExpiryEntry&) = default;
};

inline bool ExpiredAt(const std::optional<Micros>& expiry, Micros now) {
  return expiry.has_value() && *expiry <= now;
}

// Each replaces what `out` holds. Totals REQUIRE not to be negative.
void WriteTotals(std::string& out, const Totals& totals);
void WriteUniqueEntry(std::string& out, const UniqueEntry& entry);
void WriteIndexEntry(std::string& out, const IndexEntry& entry);
void WriteReceiptEntry(std::string& out, const ReceiptEntry& entry);
void WriteExpiryEntry(std::string& out, const ExpiryEntry& entry);

// kCorruption when the bytes are none that the matching Write makes.
Result<Totals> DecodeTotals(std::string_view bytes);
Result<UniqueEntry> DecodeUniqueEntry(std::string_view bytes);
Result<IndexEntry> DecodeIndexEntry(std::string_view bytes);
Result<ReceiptEntry> DecodeReceiptEntry(std::string_view bytes);
Result<ExpiryEntry> DecodeExpiryEntry(std::string_view bytes);

}  // namespace orrery::item
