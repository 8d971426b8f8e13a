#include "cluster/system/system_copy.h"

#include "base/bytes.h"

namespace orrery::cluster {

void SystemCopy::Apply(const SystemChange& change, SystemVersion to) {
  for (const SystemChange::Edit& edit : change.edits()) {
    if (edit.value.has_value()) {
      entries_.insert_or_assign(edit.key, *edit.value);
    } else if (const auto found = entries_.find(edit.key); found != entries_.end()) {
      entries_.erase(found);
    }
  }
  version_ = to;
}

std::string SystemCopy::Encode() const {
  std::string bytes;
  AppendVarint(bytes, version_.term);
  AppendVarint(bytes, version_.commits);
  AppendVarint(bytes, entries_.size());
  for (const auto& [key, value] : entries_) {
    AppendLengthPrefixed(bytes, key);
    AppendLengthPrefixed(bytes, value);
  }
  return bytes;
}

Result<SystemCopy> SystemCopy::Decode(std::string_view bytes) {
  const auto damaged = [] {
    return Fail(Code::kInvalidArgument, "a copy of the system store that cannot be read");
  };
  SystemCopy copy;
  ByteReader reader(bytes);
  uint64_t count = 0;
  if (!reader.ReadVarint(copy.version_.term) || !reader.ReadVarint(copy.version_.commits) ||
      !reader.ReadVarint(count)) {
    return damaged();
  }
  for (uint64_t i = 0; i < count; ++i) {
    std::string_view key;
    std::string_view value;
    if (!reader.ReadLengthPrefixed(key) || !reader.ReadLengthPrefixed(value)) return damaged();
    copy.entries_.insert_or_assign(std::string(key), std::string(value));
  }
  if (!reader.empty()) return damaged();
  return copy;
}

}  // namespace orrery::cluster
