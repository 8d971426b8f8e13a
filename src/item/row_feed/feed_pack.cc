#include "item/row_feed/feed_pack.h"

#include <limits>

#include "base/bytes.h"
#include "item/layout/key_layout.h"

namespace orrery::item {
namespace {

bool Read(ByteReader& reader, Lsn before, PackedChange& change) {
  uint64_t step = 0;
  std::string_view hash;
  uint64_t seq = 0;
  if (!reader.ReadVarint(step) || step > UINT64_MAX - before.value() ||
      !reader.ReadBytes(Hash128::kBytes, hash) || !reader.ReadVarint(seq) ||
      seq > std::numeric_limits<uint32_t>::max() || !reader.ReadLengthPrefixed(change.change)) {
    return false;
  }
  change.lsn = Lsn(before.value() + step);
  change.hash = Hash128::Load(hash.data());
  change.seq = static_cast<uint32_t>(seq);
  return true;
}

}  // namespace

bool PackBuilder::TakesMoreAt(Lsn lsn) const {
  if (empty() || lsn == last_) return true;
  return lsn.value() - first_.value() < kPackSpan && bytes_.size() < kPackBytes;
}

void PackBuilder::Add(const PackedChange& change) {
  if (empty()) {
    first_ = change.lsn;
    last_ = Lsn();
    hash_ = change.hash;
  }
  AppendVarint(bytes_, change.lsn.value() - last_.value());
  change.hash.AppendTo(bytes_);
  AppendVarint(bytes_, change.seq);
  AppendLengthPrefixed(bytes_, change.change);
  last_ = change.lsn;
}

void PackBuilder::WriteKey(std::string& key, ContainerId container) const {
  WriteRowFeedKey(key, container, last_, hash_);
}

StoredPack PackBuilder::Build(ContainerId container) const {
  StoredPack built;
  WriteKey(built.key, container);
  built.pack = bytes_;
  return built;
}

Status DecodePack(std::string_view pack, std::vector<PackedChange>& changes) {
  ByteReader reader(pack);
  Lsn last;
  do {
    PackedChange change;
    if (!Read(reader, last, change)) {
      return Fail(Code::kCorruption, "a stored pack of changes is damaged");
    }
    last = change.lsn;
    changes.push_back(change);
  } while (!reader.empty());
  return {};
}

}  // namespace orrery::item
