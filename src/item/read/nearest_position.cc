#include "item/read/nearest_position.h"

#include <bit>
#include <cmath>

#include "base/bytes.h"

namespace orrery::item {
namespace {

constexpr uint64_t kSignBit = uint64_t{1} << 63;

std::unexpected<Error> Foreign() {
  return Fail(Code::kInvalidArgument, "the continuation is not one of this scan's");
}

}  // namespace

std::string EncodeRank(double rank) {
  const auto bits = std::bit_cast<uint64_t>(rank + 0.0);  // the two zeros are one
  std::string bytes;
  AppendBigEndian(bytes, (bits & kSignBit) != 0 ? ~bits : bits | kSignBit);
  return bytes;
}

Result<double> DecodeRank(std::string_view bytes) {
  if (bytes.size() != sizeof(uint64_t)) return Foreign();
  const auto bits = LoadBigEndian<uint64_t>(bytes.data());
  const auto rank = std::bit_cast<double>((bits & kSignBit) != 0 ? bits & ~kSignBit : ~bits);
  if (!std::isfinite(rank) || (rank == 0 && std::signbit(rank))) return Foreign();
  return rank;
}

std::string EncodeNearestPosition(const NearestPosition& position) {
  std::string bytes = EncodeRank(position.rank);
  position.key.hash.AppendTo(bytes);
  AppendLengthPrefixed(bytes, position.key.partition_key);
  bytes += position.key.row_key;
  return bytes;
}

Result<NearestPosition> DecodeNearestPosition(std::string_view bytes) {
  ByteReader reader(bytes);
  NearestPosition position;
  std::string_view rank;
  std::string_view partition_key;
  if (!reader.ReadBytes(sizeof(uint64_t), rank)) return Foreign();
  ORRERY_ASSIGN(position.rank, DecodeRank(rank));
  if (!reader.ReadBigEndian(position.key.hash.high) ||
      !reader.ReadBigEndian(position.key.hash.low) || !reader.ReadLengthPrefixed(partition_key))
    return Foreign();
  position.key.partition_key = partition_key;
  position.key.row_key = reader.rest();
  return position;
}

int Compare(double rank, ItemRef key, const NearestPosition& position) {
  if (rank != position.rank) return rank < position.rank ? -1 : 1;
  if (key.hash != position.key.hash) return key.hash < position.key.hash ? -1 : 1;
  if (const int order = key.partition_key.compare(position.key.partition_key)) return order;
  return key.row_key.compare(position.key.row_key);
}

}  // namespace orrery::item
