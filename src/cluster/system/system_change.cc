#include "cluster/system/system_change.h"

#include "base/bytes.h"

namespace orrery::cluster {
namespace {

void AppendEdits(std::string& bytes, const std::vector<SystemChange::Edit>& edits) {
  AppendVarint(bytes, edits.size());
  for (const SystemChange::Edit& edit : edits) {
    AppendLengthPrefixed(bytes, edit.key);
    AppendBigEndian(bytes, static_cast<uint8_t>(edit.value.has_value()));
    if (edit.value.has_value()) AppendLengthPrefixed(bytes, *edit.value);
  }
}

bool ReadEdits(ByteReader& reader, std::vector<SystemChange::Edit>& edits) {
  uint64_t count = 0;
  if (!reader.ReadVarint(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    std::string_view key;
    std::string_view value;
    uint8_t there = 0;
    if (!reader.ReadLengthPrefixed(key) || !reader.ReadBigEndian(there) || there > 1) return false;
    if (there == 1 && !reader.ReadLengthPrefixed(value)) return false;
    edits.push_back(
        {std::string(key), there == 1 ? std::optional(std::string(value)) : std::nullopt});
  }
  return true;
}

}  // namespace

std::string SystemChange::Encode() const {
  std::string bytes;
  AppendEdits(bytes, expected_);
  AppendEdits(bytes, edits_);
  AppendVarint(bytes, sequences_.size());
  for (const std::string& sequence : sequences_) AppendLengthPrefixed(bytes, sequence);
  return bytes;
}

Result<SystemChange> SystemChange::Decode(std::string_view bytes) {
  const auto damaged = [] {
    return Fail(Code::kInvalidArgument, "a change of the system store that cannot be read");
  };
  SystemChange change;
  ByteReader reader(bytes);
  uint64_t sequences = 0;
  if (!ReadEdits(reader, change.expected_) || !ReadEdits(reader, change.edits_) ||
      !reader.ReadVarint(sequences)) {
    return damaged();
  }
  for (uint64_t i = 0; i < sequences; ++i) {
    std::string_view sequence;
    if (!reader.ReadLengthPrefixed(sequence)) return damaged();
    change.sequences_.emplace(sequence);
  }
  if (!reader.empty()) return damaged();
  return change;
}

}  // namespace orrery::cluster
