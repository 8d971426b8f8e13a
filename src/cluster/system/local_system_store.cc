#include "cluster/system/local_system_store.h"

#include <fmt/core.h>

#include "base/bytes.h"
#include "storage/resources.h"

namespace orrery::cluster {

Result<std::unique_ptr<SystemStore>> SystemStore::Open(storage::EngineResources& resources,
                                                       const std::string& path) {
  return LocalSystemStore::Open(resources, path);
}

namespace {

constexpr std::string_view kFormatKey = "fmt";
constexpr uint64_t kFormatVersion = 1;
constexpr size_t kWriteBufferBytes = 4 << 20;

std::unexpected<Error> Missing(const std::string& path) {
  return Fail(Code::kCorruption,
              fmt::format("there was one, and '{}' is empty or missing now", path));
}

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

LocalSystemStore::Opened::~Opened() {
  engine.reset();
  closed.set_value();
}

Status LocalSystemStore::OpenEngine(bool create) {
  ORRERY_ASSIGN(auto engine,
                storage::Engine::Open(resources_, {.path = path_,
                                                   .create_if_missing = create,
                                                   .write_buffer_bytes = kWriteBufferBytes}));
  auto opened = std::make_shared<Opened>();
  opened->engine = std::move(engine);
  MutexLock lock(mutex_);
  opened_ = std::move(opened);
  return {};
}

Result<std::unique_ptr<LocalSystemStore>> LocalSystemStore::Open(
    storage::EngineResources& resources, const std::string& path, bool must_exist) {
  std::unique_ptr<LocalSystemStore> store(new LocalSystemStore(resources, path));
  const Status opened = store->OpenEngine(/*create=*/!must_exist);
  if (!opened.has_value() && opened.error().code() == Code::kNotFound) return Missing(path);
  ORRERY_TRY(opened);
  ORRERY_ASSIGN(const auto format, store->Get(kFormatKey));
  if (!format.has_value()) {
    if (must_exist) return Missing(path);
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

Result<std::shared_ptr<LocalSystemStore::Opened>> LocalSystemStore::Use() const {
  MutexLock lock(mutex_);
  if (opened_ == nullptr) {
    return Fail(Code::kUnavailable,
                "the system store is closed after an error of the disk and is opened again when "
                "that is mended; retry");
  }
  return opened_;
}

Status LocalSystemStore::Commit(Change change) {
  MutexLock one_at_a_time(commit_mutex_);
  ORRERY_ASSIGN(const auto opened, Use());
  // Refused ones changed nothing, and need not be taken back.
  if (auto failure = opened->engine->WriteFailure(); failure.has_value())
    return Fail(*std::move(failure));
  for (const Change::Edit& expected : change.expected()) {
    ORRERY_ASSIGN(const auto found, Get(expected.key));
    if (found != expected.value)
      return Fail(Code::kMoved, "another change was faster; look again and retry");
  }
  {
    // As of now, not as of when the change took its id: another's later one may be stored already.
    MutexLock lock(ids_mutex_);
    for (const std::string& sequence : change.sequences()) {
      const auto last = last_ids_.find(sequence);
      if (last == last_ids_.end())
        return Fail(Code::kMoved, "the change has ids that were not taken here; take others");
      change.Put(SequenceKey(sequence), EncodeNumber(last->second));
    }
  }
  storage::Batch batch;
  for (const Change::Edit& edit : change.edits()) {
    if (edit.value.has_value()) {
      batch.Put(edit.key, *edit.value);
    } else {
      batch.Delete(edit.key);
    }
  }
  Status written = opened->engine->Write(batch, storage::Durability::kDurable);
  if (!written.has_value()) {
    if (written.error().code() == Code::kInvalidArgument) return written;
    MutexLock lock(mutex_);
    for (const Change::Edit& edit : change.edits()) doubtful_.insert(edit.key);
    return written;
  }
  if (committed_) committed_(change);
  return {};
}

std::optional<Error> LocalSystemStore::Failure() const {
  const auto opened = Use();
  if (!opened.has_value()) return opened.error();
  return (*opened)->engine->WriteFailure();
}

Result<LocalSystemStore::Before> LocalSystemStore::ReadDoubtful() const {
  std::set<std::string> keys;
  {
    MutexLock lock(mutex_);
    keys = doubtful_;
  }
  Before before;
  for (const std::string& key : keys) {
    ORRERY_ASSIGN(before[key], Get(key));
  }
  return before;
}

Status LocalSystemStore::Reopen() {
  std::optional<std::future<void>> closed;
  bool known = false;
  {
    MutexLock lock(mutex_);
    known = before_.has_value();
  }
  if (!known) {
    // The failed engine still shows what was there before: a batch that it could not log it does
    // not apply.
    ORRERY_ASSIGN(Before before, ReadDoubtful());
    MutexLock lock(mutex_);
    before_ = std::move(before);
  }
  {
    MutexLock lock(mutex_);
    if (opened_ != nullptr) closed = opened_->closed.get_future();
    opened_.reset();
  }
  if (closed.has_value()) closed->wait();
  ORRERY_TRY(OpenEngine(/*create=*/false));

  storage::Batch back;
  {
    MutexLock lock(mutex_);
    for (const auto& [key, value] : *before_) {
      if (value.has_value()) {
        back.Put(key, *value);
      } else {
        back.Delete(key);
      }
    }
  }
  ORRERY_ASSIGN(const auto opened, Use());
  ORRERY_TRY(opened->engine->Write(back, storage::Durability::kDurable));
  MutexLock lock(mutex_);
  before_.reset();
  doubtful_.clear();
  return {};
}

Result<std::optional<std::string>> LocalSystemStore::Get(std::string_view key) const {
  ORRERY_ASSIGN(const auto opened, Use());
  storage::PinnedValue value;
  ORRERY_ASSIGN(const bool found, opened->engine->Get(key, value));
  if (!found) return std::nullopt;
  return std::string(value.view());
}

Status LocalSystemStore::ForEach(std::string_view prefix, const Visit& visit) const {
  ORRERY_ASSIGN(const auto opened, Use());
  const auto cursor = opened->engine->NewIterator({.lower = std::string(prefix)});
  for (cursor->SeekToFirst(); cursor->Valid() && cursor->key().starts_with(prefix);
       cursor->Next()) {
    ORRERY_TRY(visit(cursor->key(), cursor->value()));
  }
  return cursor->status();
}

Result<uint64_t> LocalSystemStore::NextId(std::string_view sequence, Change& change) {
  MutexLock lock(ids_mutex_);
  auto last = last_ids_.find(sequence);
  if (last == last_ids_.end()) {
    uint64_t stored = 0;
    ORRERY_ASSIGN(const auto bytes, Get(SequenceKey(sequence)));
    if (bytes.has_value()) {
      ORRERY_ASSIGN(stored, DecodeNumber(sequence, *bytes));
    }
    last = last_ids_.emplace(sequence, stored).first;
  }
  change.TookFrom(sequence);
  return ++last->second;
}

}  // namespace orrery::cluster
