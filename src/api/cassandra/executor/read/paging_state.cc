#include "api/cassandra/executor/read/paging_state.h"

#include <limits>

#include "base/bytes.h"
#include "base/murmur3.h"

namespace orrery::cassandra {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kHasMark = 0x01;
constexpr uint8_t kHasLeft = 0x02;
constexpr uint8_t kHasPartition = 0x04;

uint32_t CheckOf(std::string_view bytes) { return static_cast<uint32_t>(Murmur3(bytes).high); }

bool ReadString(ByteReader& reader, std::string& out) {
  std::string_view bytes;
  if (!reader.ReadLengthPrefixed(bytes)) return false;
  out = bytes;
  return true;
}

bool ReadMark(ByteReader& reader, RowMark& mark) {
  std::string_view hash;
  uint8_t has_row = 0;
  if (!reader.ReadBytes(Hash128::kBytes, hash) || !ReadString(reader, mark.key) ||
      !reader.ReadBigEndian(has_row) || has_row > 1) {
    return false;
  }
  mark.hash = Hash128::Load(hash.data());
  return has_row == 0 || ReadString(reader, mark.clustering.emplace());
}

bool ReadCount(ByteReader& reader, uint32_t& count) {
  uint64_t value = 0;
  if (!reader.ReadVarint(value) || value > std::numeric_limits<uint32_t>::max()) return false;
  count = static_cast<uint32_t>(value);
  return true;
}

bool ReadState(ByteReader& reader, PagingState& state) {
  uint8_t version = 0;
  uint8_t flags = 0;
  if (!reader.ReadBigEndian(version) || version != kVersion || !reader.ReadBigEndian(flags) ||
      !reader.ReadBigEndian(state.statement) || !reader.ReadVarint(state.position.step) ||
      !ReadString(reader, state.position.continuation)) {
    return false;
  }
  if ((flags & kHasMark) != 0 && !ReadMark(reader, state.mark.emplace())) return false;
  if ((flags & kHasLeft) != 0 && !ReadCount(reader, state.left.emplace())) return false;
  if ((flags & kHasPartition) != 0 &&
      (!ReadString(reader, state.partition) || !ReadCount(reader, state.partition_rows))) {
    return false;
  }
  return reader.empty();
}

}  // namespace

std::string EncodePagingState(const PagingState& state) {
  std::string bytes;
  bytes.push_back(kVersion);
  const bool has_partition = !state.partition.empty();
  bytes.push_back(static_cast<char>((state.mark.has_value() ? kHasMark : 0) |
                                    (state.left.has_value() ? kHasLeft : 0) |
                                    (has_partition ? kHasPartition : 0)));
  AppendBigEndian(bytes, state.statement);
  AppendVarint(bytes, state.position.step);
  AppendLengthPrefixed(bytes, state.position.continuation);
  if (state.mark.has_value()) {
    state.mark->hash.AppendTo(bytes);
    AppendLengthPrefixed(bytes, state.mark->key);
    bytes.push_back(state.mark->clustering.has_value() ? 1 : 0);
    if (state.mark->clustering.has_value()) AppendLengthPrefixed(bytes, *state.mark->clustering);
  }
  if (state.left.has_value()) AppendVarint(bytes, *state.left);
  if (has_partition) {
    AppendLengthPrefixed(bytes, state.partition);
    AppendVarint(bytes, state.partition_rows);
  }
  AppendBigEndian(bytes, CheckOf(bytes));
  return bytes;
}

CqlResult<PagingState> DecodePagingState(std::string_view bytes, uint64_t statement) {
  const auto refuse = [] {
    return std::unexpected(ProtocolError("Invalid value for the paging state"));
  };
  if (bytes.size() < sizeof(uint32_t)) return refuse();
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint32_t));
  if (LoadBigEndian<uint32_t>(bytes.data() + body.size()) != CheckOf(body)) return refuse();
  ByteReader reader(body);
  PagingState state;
  if (!ReadState(reader, state) || state.statement != statement) return refuse();
  return state;
}

}  // namespace orrery::cassandra
