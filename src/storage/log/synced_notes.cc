#include "storage/log/synced_notes.h"

#include <rocksdb/file_system.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "storage/log/log_mark.h"
#include "storage/log/log_scan.h"

namespace orrery::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

// Engines may be given "a//b/".
std::string NotedDirectory(const std::string& directory) {
  return std::filesystem::path(directory + "/").lexically_normal().parent_path().string();
}

}  // namespace

// Counts what is written to a log, and tells of its syncs.
class SyncedNotes::Log final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  Log(std::unique_ptr<rocksdb::FSWritableFile> file, uint64_t number, SyncedNotes& notes,
      std::shared_ptr<Progress> progress)
      : FSWritableFileOwnerWrapper(std::move(file)),
        number_(number),
        notes_(notes),
        progress_(std::move(progress)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  IODebugContext* debug) override {
    return Count(data.size(), FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& checksum, IODebugContext* debug) override {
    return Count(data.size(), FSWritableFileOwnerWrapper::Append(data, options, checksum, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    const uint64_t written = written_.load(std::memory_order_acquire);
    return Note(written, FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    const uint64_t written = written_.load(std::memory_order_acquire);
    return Note(written, FSWritableFileOwnerWrapper::Fsync(options, debug));
  }

 private:
  IOStatus Count(size_t bytes, IOStatus status) {
    if (status.ok()) written_.fetch_add(bytes, std::memory_order_release);
    return status;
  }
  IOStatus Note(uint64_t synced, IOStatus status) {
    // RocksDB syncs the directory behind the first sync.
    if (status.ok() && is_named_.exchange(true)) notes_.Synced(*progress_, number_, synced);
    return status;
  }

  const uint64_t number_;
  SyncedNotes& notes_;
  const std::shared_ptr<Progress> progress_;
  std::atomic<uint64_t> written_{0};
  std::atomic<bool> is_named_{false};
};

class SyncedNotes::Files final : public rocksdb::FileSystemWrapper {
 public:
  Files(const std::shared_ptr<rocksdb::FileSystem>& files, SyncedNotes& notes)
      : FileSystemWrapper(files), notes_(notes) {}
  const char* Name() const override { return "orrery.SyncedNotes"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* debug) override {
    const IOStatus made = target()->NewWritableFile(path, options, result, debug);
    const std::filesystem::path name(path);
    const std::optional<uint64_t> number = LogNumber(name.filename().string());
    if (made.ok() && number.has_value()) {
      *result = std::make_unique<Log>(std::move(*result), *number, notes_,
                                      notes_.ProgressOf(name.parent_path().string()));
    }
    return made;
  }

 private:
  SyncedNotes& notes_;
};

SyncedNotes::SyncedNotes(const std::shared_ptr<rocksdb::FileSystem>& files)
    : file_system_(std::make_shared<Files>(files, *this)), noter_([this] { Run(); }) {}

SyncedNotes::~SyncedNotes() {
  MutexLock lock(wake_mutex_);
  stopping_ = true;
  changed_.NotifyAll();
}

std::shared_ptr<SyncedNotes::Progress> SyncedNotes::ProgressOf(const std::string& directory) {
  MutexLock lock(mutex_);
  std::shared_ptr<Progress>& progress = progress_[NotedDirectory(directory)];
  if (progress == nullptr) progress = std::make_shared<Progress>();
  return progress;
}

void SyncedNotes::Watch(const std::string& directory) {
  const auto progress = ProgressOf(directory);
  MutexLock lock(mutex_);
  progress->is_watched = true;
}

void SyncedNotes::Forget(const std::string& directory) {
  MutexLock lock(mutex_);
  const auto found = progress_.find(NotedDirectory(directory));
  if (found == progress_.end()) return;
  const uint64_t word = found->second->word.load(std::memory_order_acquire);
  if (found->second->is_watched && word != found->second->noted) WriteLogNote(directory, word);
  progress_.erase(found);
}

void SyncedNotes::Synced(Progress& progress, uint64_t number, uint64_t bytes) {
  const uint64_t word = LogNoteWord({.number = number, .bytes = bytes});
  uint64_t known = progress.word.load(std::memory_order_relaxed);
  // Syncs of two threads may be told in another order.
  while (known < word && !progress.word.compare_exchange_weak(known, word)) {
  }
  if (is_due_.load(std::memory_order_relaxed) || is_due_.exchange(true)) return;
  MutexLock lock(wake_mutex_);
  changed_.NotifyAll();
}

void SyncedNotes::Run() {
  for (;;) {
    {
      MutexLock lock(wake_mutex_);
      while (!is_due_.load() && !stopping_) changed_.Wait(wake_mutex_);
      if (!stopping_) changed_.WaitFor(wake_mutex_, kNotePause);
      if (stopping_) return;
    }
    is_due_.store(false);
    MutexLock lock(mutex_);
    for (const auto& [directory, progress] : progress_) {
      const uint64_t word = progress->word.load(std::memory_order_acquire);
      if (!progress->is_watched || word == progress->noted) continue;
      WriteLogNote(directory, word);
      progress->noted = word;
    }
  }
}

}  // namespace orrery::storage
