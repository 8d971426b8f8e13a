#include <fmt/core.h>

#include <utility>

#include "base/crc32c.h"
#include "storage/rados/file/file_handles_rep.h"
#include "storage/rados/file_system_core_rep.h"
#include "storage/rados/io_status.h"

namespace orrery::storage::rados {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// As RocksDB hands it over: little-endian.
Status Verify(const Slice& data, const Slice& checksum) {
  uint32_t expected = 0;
  if (checksum.size() != sizeof(expected)) return {};
  for (size_t i = sizeof(expected); i-- > 0;)
    expected = expected << 8 | static_cast<uint8_t>(checksum[i]);
  if (Crc32c(0, {data.data(), data.size()}) == expected) return {};
  return Fail(Code::kCorruption, "the bytes to be appended do not fit their checksum");
}

}  // namespace

WritableFile::WritableFile(std::shared_ptr<FileSystemCore> core, FileNames::Writing writing,
                           std::string path, const rocksdb::FileOptions& options)
    : FSWritableFile(options),
      core_(std::move(core)),
      path_(std::move(path)),
      verifies_(options.handoff_checksum_type == rocksdb::ChecksumType::kCRC32c),
      writing_(std::move(writing)),
      hold_(std::make_unique<FileRemover::Hold>(core_->remover, writing_.writer->entry().id)) {}

WritableFile::WritableFile(std::shared_ptr<FileSystemCore> core, std::shared_ptr<FileReader> former,
                           std::string path, const rocksdb::FileOptions& options)
    : FSWritableFile(options),
      core_(std::move(core)),
      path_(std::move(path)),
      verifies_(options.handoff_checksum_type == rocksdb::ChecksumType::kCRC32c),
      former_(std::move(former)) {}

WritableFile::~WritableFile() {
  Guarded(IoKind::kWrite, path_, [this] { return CloseOnce(); }).PermitUncheckedError();
}

std::shared_ptr<FileWriter> WritableFile::writer() const {
  MutexLock lock(mutex_);
  return writing_.writer;
}

Status WritableFile::BeginWriting() {
  std::shared_ptr<FileReader> former;
  {
    MutexLock lock(mutex_);
    if (closed_) return Fail(Code::kInvalidArgument, "the file is closed");
    if (former_ == nullptr) return {};
    former = former_;
  }
  ORRERY_ASSIGN(FileNames::Writing writing, core_->names.CreateFrom(*former, path_));
  MutexLock lock(mutex_);
  hold_ = std::make_unique<FileRemover::Hold>(core_->remover, writing.writer->entry().id);
  writing_ = std::move(writing);
  former_ = nullptr;
  return {};
}

Status WritableFile::Noted(Status status) {
  if (!status.has_value() && status.error().code() == Code::kFenced) {
    MutexLock lock(mutex_);
    if (writing_.directory != nullptr) writing_.directory->Fence();
  }
  return status;
}

IOStatus WritableFile::Append(const Slice& data, const IOOptions& /*options*/,
                              IODebugContext* /*debug*/) {
  return Guarded(IoKind::kWrite, path_, [&]() -> Status {
    ORRERY_TRY(BeginWriting());
    return Noted(writer()->Append({data.data(), data.size()}));
  });
}

IOStatus WritableFile::Append(const Slice& data, const IOOptions& options,
                              const rocksdb::DataVerificationInfo& checksum,
                              IODebugContext* debug) {
  if (verifies_) {
    IOStatus verified =
        Guarded(IoKind::kWrite, path_, [&] { return Verify(data, checksum.checksum); });
    if (!verified.ok()) return verified;
  }
  return Append(data, options, debug);
}

IOStatus WritableFile::Truncate(uint64_t size, const IOOptions& options, IODebugContext* debug) {
  return Guarded(IoKind::kWrite, path_, [&]() -> Status {
    if (size == GetFileSize(options, debug)) return {};
    ORRERY_TRY(BeginWriting());
    return Noted(writer()->Truncate(size));
  });
}

IOStatus WritableFile::Flush(const IOOptions& /*options*/, IODebugContext* /*debug*/) {
  return Guarded(IoKind::kWrite, path_, [&]() -> Status {
    const std::shared_ptr<FileWriter> now = writer();
    if (now == nullptr) return {};
    if (const auto failure = now->failure()) return Fail(*failure);
    return {};
  });
}

IOStatus WritableFile::Sync(const IOOptions& /*options*/, IODebugContext* /*debug*/) {
  return Guarded(IoKind::kWrite, path_, [&]() -> Status {
    std::shared_ptr<OwnedDirectory> directory;
    std::shared_ptr<FileWriter> now;
    {
      MutexLock lock(mutex_);
      directory = writing_.directory;
      now = writing_.writer;
    }
    if (now == nullptr) return {};
    ORRERY_TRY(Noted(now->Sync()));
    directory->Synced(now->entry().tag);
    return directory->CheckOwned();
  });
}

Status WritableFile::CloseOnce() {
  FileNames::Writing writing;
  std::unique_ptr<FileRemover::Hold> hold;
  {
    MutexLock lock(mutex_);
    if (std::exchange(closed_, true)) return {};
    writing = writing_;
    hold = std::move(hold_);
  }
  if (writing.writer == nullptr) return {};
  ORRERY_TRY(Noted(writing.writer->Sync()));
  return writing.directory->Closed(writing.writer->entry().tag, writing.writer->size());
}

IOStatus WritableFile::Close(const IOOptions& /*options*/, IODebugContext* /*debug*/) {
  return Guarded(IoKind::kWrite, path_, [this] { return CloseOnce(); });
}

uint64_t WritableFile::GetFileSize(const IOOptions& /*options*/, IODebugContext* /*debug*/) {
  MutexLock lock(mutex_);
  if (former_ != nullptr) return former_->size();
  return writing_.writer == nullptr ? 0 : writing_.writer->size();
}

OpenDirectory::OpenDirectory(std::shared_ptr<FileSystemCore> core,
                             std::shared_ptr<OwnedDirectory> owned, std::string path)
    : core_(std::move(core)), owned_(std::move(owned)), path_(std::move(path)) {}
OpenDirectory::~OpenDirectory() = default;

IOStatus OpenDirectory::Fsync(const IOOptions& /*options*/, IODebugContext* /*debug*/) {
  return Guarded(IoKind::kWrite, path_, [this]() -> Status {
    // A directory may have become ours since it was opened.
    std::shared_ptr<OwnedDirectory> owned = owned_;
    if (owned == nullptr) {
      ORRERY_ASSIGN(const DirectoryTree::Place now, core_->tree.Locate(path_));
      owned = now.owned;
    }
    return owned == nullptr ? Status() : owned->StoreNames();
  });
}

}  // namespace orrery::storage::rados
