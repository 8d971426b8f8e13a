#include "query/source/scan_position.h"

#include "base/bytes.h"

namespace orrery::query {

std::string EncodePosition(const ScanPosition& position) {
  std::string bytes;
  bytes.push_back(position.resume == DocumentSource::Resume::kWith ? 1 : 0);
  AppendLengthPrefixed(bytes, position.value);
  position.key.hash.AppendTo(bytes);
  AppendLengthPrefixed(bytes, position.key.partition_key);
  AppendLengthPrefixed(bytes, position.key.row_key);
  return bytes;
}

Result<ScanPosition> DecodePosition(std::string_view bytes) {
  ByteReader reader(bytes);
  uint8_t resume = 0;
  std::string_view value;
  std::string_view hash;
  std::string_view partition_key;
  std::string_view row_key;
  if (!reader.ReadBigEndian(resume) || resume > 1 || !reader.ReadLengthPrefixed(value) ||
      !reader.ReadBytes(Hash128::kBytes, hash) || !reader.ReadLengthPrefixed(partition_key) ||
      !reader.ReadLengthPrefixed(row_key) || !reader.empty())
    return Fail(Code::kInvalidArgument, "the position in the continuation is malformed");
  return ScanPosition{
      .resume = resume == 1 ? DocumentSource::Resume::kWith : DocumentSource::Resume::kBehind,
      .value = std::string(value),
      .key = {Hash128::Load(hash.data()), std::string(partition_key), std::string(row_key)}};
}

std::string RingOrder(const item::ItemKey& key) {
  std::string bytes;
  key.hash.AppendTo(bytes);
  bytes += key.partition_key;
  bytes += key.row_key;
  return bytes;
}

}  // namespace orrery::query
