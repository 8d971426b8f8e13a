#include "item/layout/entry_codec.h"

#include "base/bytes.h"
#include "base/check.h"

namespace orrery::item {
namespace {

constexpr char kOneOfSeveral = 1;
constexpr char kPayload = 2;

void AppendExpiry(std::string& out, const std::optional<Micros>& expiry) {
  AppendVarint(out, expiry.has_value() ? static_cast<uint64_t>(expiry->count()) : 0);
}

bool ReadExpiry(ByteReader& reader, std::optional<Micros>& expiry) {
  uint64_t value = 0;
  if (!reader.ReadVarint(value) || value > INT64_MAX) return false;
  if (value != 0) expiry = Micros(static_cast<int64_t>(value));
  return true;
}

std::unexpected<Error> Damaged(std::string_view what) {
  return Fail(Code::kCorruption, "a stored " + std::string(what) + " entry is damaged");
}

}  // namespace

void WriteTotals(std::string& out, const Totals& totals) {
  ORRERY_CHECK(totals.bytes >= 0 && totals.items >= 0);
  out.clear();
  AppendVarint(out, static_cast<uint64_t>(totals.bytes));
  AppendVarint(out, static_cast<uint64_t>(totals.items));
}

void WriteUniqueEntry(std::string& out, const UniqueEntry& entry) {
  out.clear();
  AppendExpiry(out, entry.expiry);
  out.append(entry.row_key);
}

void WriteIndexEntry(std::string& out, const IndexEntry& entry) {
  out.clear();
  AppendExpiry(out, entry.expiry);
  ORRERY_CHECK(!entry.one_of_several || entry.payload.empty());
  if (entry.one_of_several) out.push_back(kOneOfSeveral);
  if (entry.payload.empty()) return;
  out.push_back(kPayload);
  out.append(entry.payload);
}

void WriteReceiptEntry(std::string& out, const ReceiptEntry& entry) {
  out.clear();
  AppendExpiry(out, entry.expiry);
  out.append(entry.bytes);
}

void WriteExpiryEntry(std::string& out, const ExpiryEntry& entry) {
  out.clear();
  AppendVarint(out, entry.lsn.value());
  AppendVarint(out, entry.seq);
  AppendVarint(out, entry.bytes);
}

Result<Totals> DecodeTotals(std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t total_bytes = 0;
  uint64_t items = 0;
  if (!reader.ReadVarint(total_bytes) || !reader.ReadVarint(items) || !reader.empty() ||
      total_bytes > INT64_MAX || items > INT64_MAX) {
    return Damaged("size");
  }
  return Totals{static_cast<int64_t>(total_bytes), static_cast<int64_t>(items)};
}

Result<UniqueEntry> DecodeUniqueEntry(std::string_view bytes) {
  ByteReader reader(bytes);
  UniqueEntry entry;
  if (!ReadExpiry(reader, entry.expiry)) return Damaged("unique key");
  entry.row_key = reader.rest();
  return entry;
}

Result<ReceiptEntry> DecodeReceiptEntry(std::string_view bytes) {
  ByteReader reader(bytes);
  ReceiptEntry entry;
  if (!ReadExpiry(reader, entry.expiry)) return Damaged("receipt");
  entry.bytes = reader.rest();
  return entry;
}

Result<IndexEntry> DecodeIndexEntry(std::string_view bytes) {
  ByteReader reader(bytes);
  IndexEntry entry;
  if (!ReadExpiry(reader, entry.expiry)) return Damaged("index");
  if (reader.empty()) return entry;
  if (reader.rest().front() == kPayload && reader.rest().size() > 1) {
    entry.payload = reader.rest().substr(1);
    return entry;
  }
  if (reader.rest() != std::string_view(&kOneOfSeveral, 1)) return Damaged("index");
  entry.one_of_several = true;
  return entry;
}

Result<ExpiryEntry> DecodeExpiryEntry(std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t lsn = 0;
  uint64_t seq = 0;
  ExpiryEntry entry;
  if (!reader.ReadVarint(lsn) || !reader.ReadVarint(seq) || seq > UINT32_MAX ||
      !reader.ReadVarint(entry.bytes) || !reader.empty()) {
    return Damaged("expiry");
  }
  entry.lsn = Lsn(lsn);
  entry.seq = static_cast<uint32_t>(seq);
  return entry;
}

}  // namespace orrery::item
