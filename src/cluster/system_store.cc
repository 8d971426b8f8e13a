#include "cluster/system_store.h"

#include <fmt/core.h>

#include "base/bytes.h"
#include "storage/resources.h"

namespace orrery::cluster {
namespace {

constexpr std::string_view kFormatKey = "fmt";
constexpr uint64_t kFormatVersion = 1;
constexpr size_t kWriteBufferBytes = 4 << 20;

std::string EncodeNumber(uint64_t number) {
  std::string bytes;
  AppendBigEndian(bytes, number);
  return bytes;
}

Result<uint64_t> DecodeNumber(std::string_view what, std::string_view bytes) {
  ByteReader reader(bytes);
  uint64_t number = 0;
  if (!reader.ReadBigEndian(number) || !reader.empty()) {
    return Fail(Code::kCorruption, fmt::format("the system store's record '{}' is damaged", what));
  }
  return number;
}

std::string SequenceKey(std::string_view sequence) { return std::string("id/").append(sequence); }

}  // namespace

Result<std::unique_ptr<SystemStore>> SystemStore::Open(storage::EngineResources& resources,
                                                       const std::string& path) {
  ORRERY_ASSIGN(
      auto engine,
      storage::Engine::Open(resources, {.path = path, .write_buffer_bytes = kWriteBufferBytes}));
  std::unique_ptr<SystemStore> store(new SystemStore(std::move(engine)));
  ORRERY_ASSIGN(const auto format, store->Get(kFormatKey));
  if (!format.has_value()) {
    Change change;
    change.Put(kFormatKey, EncodeNumber(kFormatVersion));
    ORRERY_TRY(store->Commit(std::move(change)));
    return store;
  }
  ORRERY_ASSIGN(const uint64_t version, DecodeNumber(kFormatKey, *format));
  if (version > kFormatVersion) {
    return Fail(
        Code::kUnsupported,
        fmt::format("{} has format {}, this program knows formats up to {}; use a newer orrery",
                    path, version, kFormatVersion));
  }
  return store;
}

Status SystemStore::Commit(Change change) {
  return engine_->Write(change.batch_, storage::Durability::kDurable);
}

Result<std::optional<std::string>> SystemStore::Get(std::string_view key) const {
  storage::PinnedValue value;
  ORRERY_ASSIGN(const bool found, engine_->Get(key, value));
  if (!found) return std::nullopt;
  return std::string(value.view());
}

Status SystemStore::ForEach(
    std::string_view prefix,
    const std::function<Status(std::string_view key, std::string_view value)>& visit) const {
  const auto cursor = engine_->NewIterator({.lower = std::string(prefix)});
  for (cursor->SeekToFirst(); cursor->Valid() && cursor->key().starts_with(prefix);
       cursor->Next()) {
    ORRERY_TRY(visit(cursor->key(), cursor->value()));
  }
  return cursor->status();
}

Result<uint64_t> SystemStore::NextId(std::string_view sequence, Change& change) {
  MutexLock lock(mutex_);
  auto last = last_ids_.find(sequence);
  if (last == last_ids_.end()) {
    uint64_t stored = 0;
    ORRERY_ASSIGN(const auto bytes, Get(SequenceKey(sequence)));
    if (bytes.has_value()) {
      ORRERY_ASSIGN(stored, DecodeNumber(sequence, *bytes));
    }
    last = last_ids_.emplace(sequence, stored).first;
  }
  ++last->second;
  change.Put(SequenceKey(sequence), EncodeNumber(last->second));
  return last->second;
}

}  // namespace orrery::cluster
