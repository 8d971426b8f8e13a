#include "api/cassandra/executor/read/paging_state.h"

#include <limits>

#include "base/bytes.h"
#include "base/murmur3.h"

namespace orrery::cassandra {
namespace {

constexpr uint8_t kVersion = 2;
// Its states were bound to statements.
constexpr uint8_t kVersionBefore = 1;
constexpr uint8_t kHasLeft = 0x01;
constexpr uint8_t kHasClustering = 0x02;

uint32_t CheckOf(std::string_view bytes) { return static_cast<uint32_t>(Murmur3(bytes).high); }

bool ReadString(ByteReader& reader, std::string& out) {
  std::string_view bytes;
  if (!reader.ReadLengthPrefixed(bytes)) return false;
  out = bytes;
  return true;
}

bool ReadCount(ByteReader& reader, uint32_t& count) {
  uint64_t value = 0;
  if (!reader.ReadVarint(value) || value > std::numeric_limits<uint32_t>::max()) return false;
  count = static_cast<uint32_t>(value);
  return true;
}

bool ReadPlace(ByteReader& reader, uint8_t flags, PagingState& state) {
  if (state.kind == PagingKind::kFeed)
    return (flags & kHasClustering) == 0 && ReadString(reader, state.continuation);
  if (!ReadString(reader, state.mark.key)) return false;
  if ((flags & kHasClustering) != 0 && !ReadString(reader, state.mark.clustering.emplace()))
    return false;
  return ReadCount(reader, state.partition_rows);
}

// Behind the version.
bool ReadState(ByteReader& reader, PagingState& state) {
  uint8_t kind = 0;
  uint8_t flags = 0;
  if (!reader.ReadBigEndian(kind) || !reader.ReadBigEndian(flags) ||
      (flags & ~(kHasLeft | kHasClustering)) != 0) {
    return false;
  }
  state.kind = static_cast<PagingKind>(kind);
  if (state.kind != PagingKind::kRows && state.kind != PagingKind::kFeed) return false;
  if (!ReadString(reader, state.table)) return false;
  // With nothing left there is no next page.
  if ((flags & kHasLeft) != 0 && (!ReadCount(reader, state.left.emplace()) || *state.left == 0))
    return false;
  return ReadPlace(reader, flags, state) && reader.empty();
}

}  // namespace

CqlError InvalidPagingState(std::string_view reason) {
  std::string text = "Invalid value for the paging state";
  if (!reason.empty()) text.append(": ").append(reason);
  return ProtocolError(std::move(text));
}

std::string EncodePagingState(const PagingState& state) {
  const bool is_rows = state.kind == PagingKind::kRows;
  const bool has_clustering = is_rows && state.mark.clustering.has_value();
  std::string bytes;
  bytes.push_back(kVersion);
  bytes.push_back(static_cast<char>(state.kind));
  bytes.push_back(static_cast<char>((state.left.has_value() ? kHasLeft : 0) |
                                    (has_clustering ? kHasClustering : 0)));
  AppendLengthPrefixed(bytes, state.table);
  if (state.left.has_value()) AppendVarint(bytes, *state.left);
  if (is_rows) {
    AppendLengthPrefixed(bytes, state.mark.key);
    if (has_clustering) AppendLengthPrefixed(bytes, *state.mark.clustering);
    AppendVarint(bytes, state.partition_rows);
  } else {
    AppendLengthPrefixed(bytes, state.continuation);
  }
  AppendBigEndian(bytes, CheckOf(bytes));
  return bytes;
}

CqlResult<PagingState> DecodePagingState(std::string_view bytes, PagingKind kind,
                                         std::string_view table) {
  if (bytes.size() < sizeof(uint32_t)) return std::unexpected(InvalidPagingState());
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint32_t));
  if (LoadBigEndian<uint32_t>(bytes.data() + body.size()) != CheckOf(body))
    return std::unexpected(InvalidPagingState());
  ByteReader reader(body);
  uint8_t version = 0;
  if (reader.ReadBigEndian(version) && version == kVersionBefore) {
    return std::unexpected(InvalidPagingState(
        "it is of an earlier version of the server; run the statement from its beginning"));
  }
  PagingState state;
  if (version != kVersion || !ReadState(reader, state))
    return std::unexpected(InvalidPagingState());
  if (state.table != table) return std::unexpected(InvalidPagingState("it is of another table"));
  if (state.kind != kind) {
    return std::unexpected(InvalidPagingState(kind == PagingKind::kFeed
                                                  ? "it is not one of the change feed"
                                                  : "it is one of the change feed"));
  }
  return state;
}

}  // namespace orrery::cassandra
