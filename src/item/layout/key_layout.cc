#include "item/layout/key_layout.h"

#include <algorithm>

#include "base/bytes.h"

namespace orrery::item {
namespace {

constexpr size_t kSpacePrefixBytes = 1 + sizeof(uint32_t);
constexpr size_t kSizeBytesMax = 10;
// Stands for an empty clustering key; no component begins with it.
constexpr std::string_view kHeadKey{"\0", 1};

void Start(std::string& out, Space space, ContainerId container) {
  out.clear();
  out.push_back(static_cast<char>(space));
  AppendBigEndian(out, container.value());
}

void AppendItem(std::string& out, ItemRef item) {
  item.hash.AppendTo(out);
  out.append(item.partition_key);
  out.append(item.row_key);
}

void AppendSizeBackwards(std::string& out, uint64_t size) {
  char bytes[kSizeBytesMax];
  size_t at = kSizeBytesMax;
  do {
    const uint64_t rest = size >> 7;
    bytes[--at] = static_cast<char>((size & 0x7f) | (rest != 0 ? 0x80 : 0));
    size = rest;
  } while (size != 0);
  out.append(bytes + at, kSizeBytesMax - at);
}

void WriteItemKey(std::string& out, Space space, ContainerId container, ItemRef item) {
  Start(out, space, container);
  AppendItem(out, item);
  AppendSizeBackwards(out, item.partition_key.size());
}

// Takes a backwards size off the end of `rest`.
bool ReadSizeBackwards(std::string_view& rest, size_t& size) {
  uint64_t result = 0;
  for (size_t i = 0; i < rest.size() && i < kSizeBytesMax; ++i) {
    const auto byte = static_cast<uint8_t>(rest[rest.size() - 1 - i]);
    if (i == kSizeBytesMax - 1 && byte > 1) return false;
    result |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) != 0) continue;
    rest.remove_suffix(i + 1);
    size = result;
    return true;
  }
  return false;
}

bool ReadHash(ByteReader& reader, Hash128& hash) {
  return reader.ReadBigEndian(hash.high) && reader.ReadBigEndian(hash.low);
}

// hash16 pk rest, with pk's size already known.
bool ReadHashAndPartitionKey(ByteReader& reader, size_t partition_key_size, DecodedKey& key) {
  return ReadHash(reader, key.hash) && reader.ReadBytes(partition_key_size, key.partition_key);
}

bool ReadItemKey(ByteReader& reader, size_t partition_key_size, DecodedKey& key) {
  if (!ReadHashAndPartitionKey(reader, partition_key_size, key)) return false;
  key.row_key = reader.rest();
  return true;
}

bool ReadExpiry(ByteReader& reader, DecodedKey& key) {
  uint64_t expiry = 0;
  if (!reader.ReadBigEndian(expiry) || expiry > INT64_MAX) return false;
  key.expiry = Micros(static_cast<int64_t>(expiry));
  return true;
}

bool ReadIndexed(ByteReader& reader, size_t value_size, size_t partition_key_size,
                 DecodedKey& key) {
  uint64_t index = 0;
  if (!reader.ReadBigEndian(index) || !reader.ReadBytes(value_size, key.value)) return false;
  key.index = IndexId(index);
  return ReadItemKey(reader, partition_key_size, key);
}

bool ReadUnique(ByteReader& reader, size_t partition_key_size, DecodedKey& key) {
  if (!ReadHashAndPartitionKey(reader, partition_key_size, key)) return false;
  if (!reader.ReadBigEndian(key.unique_rule)) return false;
  key.value = reader.rest();
  return true;
}

bool ReadReceipt(ByteReader& reader, size_t partition_key_size, DecodedKey& key) {
  if (!ReadHashAndPartitionKey(reader, partition_key_size, key)) return false;
  key.value = reader.rest();
  return true;
}

bool ReadFeed(ByteReader& reader, DecodedKey& key) {
  uint64_t lsn = 0;
  if (!reader.ReadBigEndian(lsn) || !ReadHash(reader, key.hash) || !reader.ReadBigEndian(key.seq)) {
    return false;
  }
  key.lsn = Lsn(lsn);
  return reader.empty();
}

bool ReadRowFeed(ByteReader& reader, DecodedKey& key) {
  uint64_t lsn = 0;
  if (!reader.ReadBigEndian(lsn) || !ReadHash(reader, key.hash)) return false;
  key.lsn = Lsn(lsn);
  return reader.empty();
}

bool ReadOutbox(ByteReader& reader, DecodedKey& key) {
  uint64_t lsn = 0;
  if (!ReadHash(reader, key.hash) || !reader.ReadBigEndian(lsn)) return false;
  key.lsn = Lsn(lsn);
  return reader.empty();
}

bool ReadCommit(ByteReader& reader, DecodedKey& key) {
  return ReadHash(reader, key.hash) && reader.ReadBigEndian(key.number) && reader.empty();
}

bool ReadRest(std::string_view rest, DecodedKey& key) {
  size_t value_size = 0;
  size_t partition_key_size = 0;
  if (key.space == Space::kIndex && !ReadSizeBackwards(rest, value_size)) return false;
  const bool has_size = key.space != Space::kSizes && key.space != Space::kFeed &&
                        key.space != Space::kRowFeed && key.space != Space::kOutbox &&
                        key.space != Space::kCommit;
  if (has_size && !ReadSizeBackwards(rest, partition_key_size)) return false;

  ByteReader reader(rest);
  switch (key.space) {
    case Space::kCommit:
      return ReadCommit(reader, key);
    case Space::kData:
    case Space::kRangeTombstone:
      return ReadItemKey(reader, partition_key_size, key);
    case Space::kRow:
      if (!ReadItemKey(reader, partition_key_size, key) || key.row_key.empty()) return false;
      if (key.row_key == kHeadKey) key.row_key = {};
      return true;
    case Space::kSizes:
      if (!ReadHash(reader, key.hash)) return false;
      key.partition_key = reader.rest();
      return true;
    case Space::kUnique:
      return ReadUnique(reader, partition_key_size, key);
    case Space::kReceipt:
      return ReadReceipt(reader, partition_key_size, key);
    case Space::kIndex:
      return ReadIndexed(reader, value_size, partition_key_size, key);
    case Space::kFeed:
      return ReadFeed(reader, key);
    case Space::kRowFeed:
      return ReadRowFeed(reader, key);
    case Space::kOutbox:
      return ReadOutbox(reader, key);
    case Space::kExpiry:
      return ReadExpiry(reader, key) && ReadItemKey(reader, partition_key_size, key);
  }
  return false;
}

}  // namespace

std::string SpacePrefix(Space space, ContainerId container) {
  std::string out;
  Start(out, space, container);
  return out;
}

std::string PrefixEnd(std::string prefix) {
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) == 0xff) prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

std::string RingPrefix(Space space, ContainerId container, Hash128 hash) {
  std::string out = SpacePrefix(space, container);
  hash.AppendTo(out);
  return out;
}

std::string LogicalPartitionPrefix(Space space, ContainerId container, Hash128 hash,
                                   std::string_view partition_key) {
  std::string out = RingPrefix(space, container, hash);
  out.append(partition_key);
  return out;
}

KeyBounds RingBounds(Space space, ContainerId container, const partition::HashRange& range) {
  const auto end = range.end();
  return {RingPrefix(space, container, range.begin()),
          end.has_value() ? RingPrefix(space, container, *end)
                          : PrefixEnd(SpacePrefix(space, container))};
}

void WriteDataKey(std::string& out, ContainerId container, ItemRef item) {
  WriteItemKey(out, Space::kData, container, item);
}

void WriteRowKey(std::string& out, ContainerId container, ItemRef item) {
  if (item.row_key.empty()) item.row_key = kHeadKey;
  WriteItemKey(out, Space::kRow, container, item);
}

void WriteRangeTombstoneKey(std::string& out, ContainerId container, ItemRef lower) {
  WriteItemKey(out, Space::kRangeTombstone, container, lower);
}

void WriteSizesKey(std::string& out, ContainerId container, Hash128 hash,
                   std::string_view partition_key) {
  Start(out, Space::kSizes, container);
  hash.AppendTo(out);
  out.append(partition_key);
}

void WriteUniqueKey(std::string& out, ContainerId container, Hash128 hash,
                    std::string_view partition_key, uint8_t rule, std::string_view values) {
  Start(out, Space::kUnique, container);
  hash.AppendTo(out);
  out.append(partition_key);
  AppendBigEndian(out, rule);
  out.append(values);
  AppendSizeBackwards(out, partition_key.size());
}

void WriteIndexKey(std::string& out, ContainerId container, IndexId index, std::string_view value,
                   ItemRef item) {
  Start(out, Space::kIndex, container);
  AppendBigEndian(out, index.value());
  out.append(value);
  AppendItem(out, item);
  AppendSizeBackwards(out, item.partition_key.size());
  AppendSizeBackwards(out, value.size());
}

void WriteFeedKey(std::string& out, ContainerId container, Lsn lsn, Hash128 hash, uint32_t seq) {
  Start(out, Space::kFeed, container);
  AppendBigEndian(out, lsn.value());
  hash.AppendTo(out);
  AppendBigEndian(out, seq);
}

void WriteRowFeedKey(std::string& out, ContainerId container, Lsn lsn, Hash128 hash) {
  Start(out, Space::kRowFeed, container);
  AppendBigEndian(out, lsn.value());
  hash.AppendTo(out);
}

void WriteExpiryKey(std::string& out, ContainerId container, Micros expiry, ItemRef item) {
  Start(out, Space::kExpiry, container);
  AppendBigEndian(out, static_cast<uint64_t>(expiry.count()));
  AppendItem(out, item);
  AppendSizeBackwards(out, item.partition_key.size());
}

void WriteOutboxKey(std::string& out, ContainerId container, Hash128 hash, Lsn lsn) {
  Start(out, Space::kOutbox, container);
  hash.AppendTo(out);
  AppendBigEndian(out, lsn.value());
}

void WriteCommitKey(std::string& out, ContainerId container, Hash128 hash, uint64_t number) {
  Start(out, Space::kCommit, container);
  hash.AppendTo(out);
  AppendBigEndian(out, number);
}

void WriteReceiptKey(std::string& out, ContainerId container, Hash128 hash,
                     std::string_view partition_key, std::string_view name) {
  Start(out, Space::kReceipt, container);
  hash.AppendTo(out);
  out.append(partition_key);
  out.append(name);
  AppendSizeBackwards(out, partition_key.size());
}

std::string DataKey(ContainerId container, ItemRef item) {
  std::string out;
  WriteDataKey(out, container, item);
  return out;
}

std::string SizesKey(ContainerId container, Hash128 hash, std::string_view partition_key) {
  std::string out;
  WriteSizesKey(out, container, hash, partition_key);
  return out;
}

std::string FeedKey(ContainerId container, Lsn lsn, Hash128 hash, uint32_t seq) {
  std::string out;
  WriteFeedKey(out, container, lsn, hash, seq);
  return out;
}

std::string IndexPrefix(ContainerId container, IndexId index) {
  std::string out = SpacePrefix(Space::kIndex, container);
  AppendBigEndian(out, index.value());
  return out;
}

std::string FeedPrefix(ContainerId container, Lsn lsn) {
  std::string out = SpacePrefix(Space::kFeed, container);
  AppendBigEndian(out, lsn.value());
  return out;
}

std::string RowFeedPrefix(ContainerId container, Lsn lsn) {
  std::string out = SpacePrefix(Space::kRowFeed, container);
  AppendBigEndian(out, lsn.value());
  return out;
}

std::string ExpiryPrefix(ContainerId container, Micros expiry) {
  std::string out = SpacePrefix(Space::kExpiry, container);
  AppendBigEndian(out, static_cast<uint64_t>(expiry.count()));
  return out;
}

std::optional<DecodedKey> DecodeKey(std::string_view key) {
  if (key.size() < kSpacePrefixBytes) return std::nullopt;
  DecodedKey decoded;
  decoded.space = static_cast<Space>(key[0]);
  if (std::ranges::find(kSpaces, decoded.space) == std::end(kSpaces)) return std::nullopt;
  decoded.container = ContainerId(LoadBigEndian<uint32_t>(key.data() + 1));
  if (!ReadRest(key.substr(kSpacePrefixBytes), decoded)) return std::nullopt;
  return decoded;
}

}  // namespace orrery::item
