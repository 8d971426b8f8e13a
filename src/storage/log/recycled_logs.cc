#include "storage/log/recycled_logs.h"

#include <rocksdb/file_system.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>

#include "storage/log/log_scan.h"
#include "storage/log/unsynced_mark.h"

namespace orrery::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

constexpr size_t kFillBytes = 1 << 20;
// More engines than this that replace their logs at the same time delete some of them.
constexpr size_t kFillsQueuedMax = 256;

// Engines may be given "a//b/".
std::string NormalDirectory(const std::string& directory) {
  const std::filesystem::path normal = std::filesystem::path(directory + "/").lexically_normal();
  return normal.parent_path().string();
}
std::string DirectoryOf(const std::string& path) {
  return NormalDirectory(std::filesystem::path(path).parent_path().string());
}
std::string RecycledLogIn(const std::string& directory) {
  return directory + "/" + std::string(kRecycledLog);
}
bool IsLog(const std::string& path) {
  return LogNumber(std::filesystem::path(path).filename().string()).has_value();
}

// The written sizes of the logs whose files are longer. Outlives its readers.
class WrittenSizes {
 public:
  void Set(const std::string& path, std::shared_ptr<const std::atomic<uint64_t>> size)
      EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    sizes_[path] = std::move(size);
  }
  void Erase(const std::string& path) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    sizes_.erase(path);
  }
  std::optional<uint64_t> Find(const std::string& path) const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto found = sizes_.find(path);
    if (found == sizes_.end()) return std::nullopt;
    return found->second->load(std::memory_order_acquire);
  }

 private:
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<const std::atomic<uint64_t>>> sizes_ GUARDED_BY(mutex_);
};

// A log that is written over a recycled log of `recycled_bytes`.
class OverwrittenLog final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  OverwrittenLog(std::unique_ptr<rocksdb::FSWritableFile> file, std::string path,
                 uint64_t recycled_bytes, std::shared_ptr<WrittenSizes> sizes)
      : FSWritableFileOwnerWrapper(std::move(file)),
        path_(std::move(path)),
        recycled_bytes_(recycled_bytes),
        sizes_(std::move(sizes)) {
    sizes_->Set(path_, written_);
  }
  ~OverwrittenLog() override { sizes_->Erase(path_); }

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  IODebugContext* debug) override {
    return Count(data.size(), FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& checksum, IODebugContext* debug) override {
    return Count(data.size(), FSWritableFileOwnerWrapper::Append(data, options, checksum, debug));
  }
  uint64_t GetFileSize(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return written_->load(std::memory_order_relaxed);
  }
  // RocksDB would reserve space that is there.
  void PrepareWrite(size_t, size_t, const IOOptions&, IODebugContext*) override {}

  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    const uint64_t written = written_->load(std::memory_order_relaxed);
    IOStatus cut;
    if (written < recycled_bytes_)
      cut = FSWritableFileOwnerWrapper::Truncate(written, options, debug);
    const IOStatus closed = FSWritableFileOwnerWrapper::Close(options, debug);
    if (cut.ok()) sizes_->Erase(path_);
    return cut.ok() ? closed : cut;
  }

 private:
  IOStatus Count(size_t bytes, IOStatus status) {
    if (status.ok()) written_->fetch_add(bytes, std::memory_order_release);
    return status;
  }

  const std::string path_;
  const uint64_t recycled_bytes_;
  const std::shared_ptr<WrittenSizes> sizes_;
  const std::shared_ptr<std::atomic<uint64_t>> written_ =
      std::make_shared<std::atomic<uint64_t>>(0);
};

}  // namespace

class RecycledLogs::Files final : public rocksdb::FileSystemWrapper {
 public:
  Files(const std::shared_ptr<rocksdb::FileSystem>& files, RecycledLogs& recycled_logs)
      : FileSystemWrapper(files), recycled_(recycled_logs) {}
  const char* Name() const override { return "orrery.SpareLogs"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* debug) override {
    const uint64_t recycled_bytes = IsLog(path) ? recycled_.Take(path) : 0;
    if (recycled_bytes == 0) return target()->NewWritableFile(path, options, result, debug);
    const std::string recycled = RecycledLogIn(DirectoryOf(path));
    const IOStatus reused = target()->ReuseWritableFile(path, recycled, options, result, debug);
    if (!reused.ok()) return target()->NewWritableFile(path, options, result, debug);
    *result =
        std::make_unique<OverwrittenLog>(std::move(*result), path, recycled_bytes, written_sizes_);
    return reused;
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* debug) override {
    if (IsLog(path) && recycled_.Keep(path)) return IOStatus::OK();
    return target()->DeleteFile(path, options, debug);
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions& options, uint64_t* size,
                       IODebugContext* debug) override {
    if (const std::optional<uint64_t> written = written_sizes_->Find(path)) {
      *size = *written;
      return IOStatus::OK();
    }
    return target()->GetFileSize(path, options, size, debug);
  }

 private:
  RecycledLogs& recycled_;
  const std::shared_ptr<WrittenSizes> written_sizes_ = std::make_shared<WrittenSizes>();
};

RecycledLogs::RecycledLogs(std::shared_ptr<rocksdb::FileSystem> files, uint64_t bytes_min)
    : files_(std::move(files)),
      file_system_(std::make_shared<Files>(files_, *this)),
      bytes_min_(std::max<uint64_t>(bytes_min, 1)),
      filler_("spare-logs", /*threads=*/1, kFillsQueuedMax, ThreadPriority::kLow) {}

RecycledLogs::~RecycledLogs() {
  {
    MutexLock lock(mutex_);
    for (auto& [directory, recycled] : recycled_)
      if (recycled.state == State::kFilling) recycled.state = State::kCancelled;
    changed_.NotifyAll();
  }
  filler_.Stop();
}

bool RecycledLogs::Keep(const std::string& path) {
  const std::string directory = DirectoryOf(path);
  const IOOptions io;
  uint64_t bytes = 0;
  uint64_t links = 0;
  // A checkpoint may share the file, and must not see it written over.
  if (!files_->GetFileSize(path, io, &bytes, nullptr).ok() || bytes < bytes_min_ ||
      !files_->NumFileLinks(path, io, &links, nullptr).ok() || links != 1)
    return false;
  const Result<bool> unsynced = HasUnsyncedMark(*files_, directory);
  if (!unsynced.has_value() || *unsynced) return false;
  {
    MutexLock lock(mutex_);
    if (banned_.contains(directory) ||
        !recycled_.try_emplace(directory, RecycledLog{State::kFilling, bytes}).second)
      return false;
  }
  if (!files_->RenameFile(path, RecycledLogIn(directory), io, nullptr).ok()) {
    Unkeep(directory);
    return false;
  }
  if (!filler_.Submit([this, directory, bytes] { Fill(directory, bytes); })) {
    Remove(directory);
    Unkeep(directory);
  }
  return true;
}

void RecycledLogs::Unkeep(const std::string& directory) {
  MutexLock lock(mutex_);
  recycled_.erase(directory);
  changed_.NotifyAll();  // Forget may wait for it
}

uint64_t RecycledLogs::Take(const std::string& path) {
  MutexLock lock(mutex_);
  const auto found = recycled_.find(DirectoryOf(path));
  if (found == recycled_.end() || found->second.state != State::kReady) return 0;
  const uint64_t bytes = found->second.bytes;
  recycled_.erase(found);
  return bytes;
}

void RecycledLogs::Fill(const std::string& directory, uint64_t bytes) {
  const bool filled = FillWithZeros(directory, bytes);
  MutexLock lock(mutex_);
  const auto found = recycled_.find(directory);
  if (filled && found->second.state == State::kFilling) {
    found->second.state = State::kReady;
  } else {
    Remove(directory);
    recycled_.erase(found);
  }
  changed_.NotifyAll();
}

bool RecycledLogs::FillWithZeros(const std::string& directory, uint64_t bytes) {
  const IOOptions io;
  // Or a power cut could bring the log's name back, with zeros in it.
  std::unique_ptr<rocksdb::FSDirectory> names;
  if (!files_->NewDirectory(directory, io, &names, nullptr).ok() || !names->Fsync(io, nullptr).ok())
    return false;
  std::unique_ptr<rocksdb::FSRandomRWFile> file;
  if (!files_->NewRandomRWFile(RecycledLogIn(directory), FileOptions(), &file, nullptr).ok())
    return false;
  const std::string zeros(kFillBytes, '\0');
  for (uint64_t at = 0; at < bytes; at += zeros.size()) {
    const size_t part = std::min<uint64_t>(zeros.size(), bytes - at);
    const auto start = std::chrono::steady_clock::now();
    // Synced bit by bit: much at once would keep the engines' own syncs waiting.
    if (!file->Write(at, rocksdb::Slice(zeros.data(), part), io, nullptr).ok() ||
        !file->Sync(io, nullptr).ok())
      return false;
    if (!Rest(directory, std::chrono::steady_clock::now() - start)) return false;
  }
  return file->Close(io, nullptr).ok();
}

bool RecycledLogs::Rest(const std::string& directory, std::chrono::nanoseconds time) {
  MutexLock lock(mutex_);
  const auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    if (recycled_.at(directory).state == State::kCancelled) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now >= end) return true;
    changed_.WaitFor(mutex_, end - now);
  }
}

void RecycledLogs::Discard(const std::string& path) {
  const std::string directory = NormalDirectory(path);
  MutexLock lock(mutex_);
  if (!recycled_.contains(directory)) Remove(directory);
}

void RecycledLogs::Forget(const std::string& path) {
  const std::string directory = NormalDirectory(path);
  MutexLock lock(mutex_);
  for (auto found = recycled_.find(directory); found != recycled_.end();
       found = recycled_.find(directory)) {
    if (found->second.state == State::kReady) {
      Remove(directory);
      recycled_.erase(found);
      return;
    }
    found->second.state = State::kCancelled;
    changed_.NotifyAll();
    changed_.Wait(mutex_);
  }
}

RecycledLogs::Ban::Ban(RecycledLogs& recycled_logs, const std::string& path)
    : recycled_(recycled_logs), directory_(NormalDirectory(path)) {
  {
    MutexLock lock(recycled_.mutex_);
    recycled_.banned_.insert(directory_);
  }
  // One that is there, or that came in between.
  recycled_.Forget(directory_);
  recycled_.Discard(directory_);
}

RecycledLogs::Ban::~Ban() {
  MutexLock lock(recycled_.mutex_);
  recycled_.banned_.erase(recycled_.banned_.find(directory_));
}

void RecycledLogs::WaitUntilFilled() {
  MutexLock lock(mutex_);
  while (std::ranges::any_of(recycled_,
                             [](const auto& entry) { return entry.second.state != State::kReady; }))
    changed_.Wait(mutex_);
}

void RecycledLogs::Remove(const std::string& directory) const {
  files_->DeleteFile(RecycledLogIn(directory), IOOptions(), nullptr).PermitUncheckedError();
}

}  // namespace orrery::storage
