#include "storage/fault/fault_file_system.h"

#include <rocksdb/file_system.h>

#include <fstream>

#include "storage/fault/fault_core_rep.h"

namespace orrery::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

using Core = FaultFileSystem::Core;

class FaultSequentialFile final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  FaultSequentialFile(std::shared_ptr<Core> core, std::string path,
                      std::unique_ptr<rocksdb::FSSequentialFile> target)
      : FSSequentialFileOwnerWrapper(std::move(target)),
        core_(std::move(core)),
        path_(std::move(path)) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) override {
    return core_->Run(FileCall::kRead, path_, [&](PowerCut&) {
      return FSSequentialFileOwnerWrapper::Read(n, options, result, scratch, debug);
    });
  }

 private:
  const std::shared_ptr<Core> core_;
  const std::string path_;
};

class FaultRandomAccessFile final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  FaultRandomAccessFile(std::shared_ptr<Core> core, std::string path,
                        std::unique_ptr<rocksdb::FSRandomAccessFile> target)
      : FSRandomAccessFileOwnerWrapper(std::move(target)),
        core_(std::move(core)),
        path_(std::move(path)) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) const override {
    return core_->Run(FileCall::kRead, path_, [&](PowerCut&) {
      return FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result, scratch, debug);
    });
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    return core_->Run(FileCall::kRead, path_, [&](PowerCut&) {
      return FSRandomAccessFileOwnerWrapper::MultiRead(requests, count, options, debug);
    });
  }

 private:
  const std::shared_ptr<Core> core_;
  const std::string path_;
};

class FaultWritableFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultWritableFile(std::shared_ptr<Core> core, std::string path,
                    std::shared_ptr<TrackedFile> tracked,
                    std::unique_ptr<rocksdb::FSWritableFile> target)
      : FSWritableFileOwnerWrapper(std::move(target)),
        core_(std::move(core)),
        path_(std::move(path)),
        tracked_(std::move(tracked)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return core_->Run(FileCall::kAppend, path_, [&](PowerCut&) {
      const IOStatus status = FSWritableFileOwnerWrapper::Append(data, options, debug);
      if (status.ok()) tracked_->Appended(data.size());
      return status;
    });
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*checksum*/,
                  IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    return core_->Run(FileCall::kTruncate, path_, [&](PowerCut&) {
      const IOStatus status = FSWritableFileOwnerWrapper::Truncate(size, options, debug);
      tracked_->Truncated();
      return status;
    });
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return core_->Run(FileCall::kFlush, path_,
                      [&](PowerCut&) { return FSWritableFileOwnerWrapper::Flush(options, debug); });
  }
  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return core_->Run(FileCall::kSync, path_, [&](PowerCut&) {
      tracked_->Synced();
      return IOStatus::OK();
    });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Sync(options, debug);
  }
  IOStatus RangeSync(uint64_t, uint64_t, const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();  // a hint, not a promise
  }
  // No preallocation: closing would then set the size of a file after the power was cut.
  void SetPreallocationBlockSize(size_t) override {}
  void PrepareWrite(size_t, size_t, const IOOptions&, IODebugContext*) override {}
  IOStatus Allocate(uint64_t, uint64_t, const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    const IOStatus status =
        core_->Run(FileCall::kClose, path_, [&](PowerCut&) { return IOStatus::OK(); });
    // The descriptor is given back even without power.
    const IOStatus closed = FSWritableFileOwnerWrapper::Close(options, debug);
    return status.ok() ? closed : status;
  }

 private:
  const std::shared_ptr<Core> core_;
  const std::string path_;
  const std::shared_ptr<TrackedFile> tracked_;
};

// A power cut does not take back what is written here: nothing may rely on it before it is synced.
class FaultRandomRWFile final : public rocksdb::FSRandomRWFileOwnerWrapper {
 public:
  FaultRandomRWFile(std::shared_ptr<Core> core, std::string path,
                    std::unique_ptr<rocksdb::FSRandomRWFile> target)
      : FSRandomRWFileOwnerWrapper(std::move(target)),
        core_(std::move(core)),
        path_(std::move(path)) {}

  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* debug) override {
    return core_->Run(FileCall::kAppend, path_, [&](PowerCut&) {
      return FSRandomRWFileOwnerWrapper::Write(offset, data, options, debug);
    });
  }
  IOStatus Sync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return core_->Run(FileCall::kSync, path_, [&](PowerCut&) { return IOStatus::OK(); });
  }

 private:
  const std::shared_ptr<Core> core_;
  const std::string path_;
};

class FaultDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  FaultDirectory(std::shared_ptr<Core> core, std::string path,
                 std::unique_ptr<rocksdb::FSDirectory> target)
      : FSDirectoryWrapper(std::move(target)), core_(std::move(core)), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions& /*options*/, IODebugContext* /*debug*/) override {
    return core_->Run(FileCall::kSyncDirectory, path_, [&](PowerCut& cut) {
      cut.DirectorySynced(path_);
      return IOStatus::OK();
    });
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& /*reason*/) override {
    return Fsync(options, debug);
  }

 private:
  const std::shared_ptr<Core> core_;
  const std::string path_;
};

class FaultingFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit FaultingFileSystem(std::shared_ptr<Core> core)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), core_(std::move(core)) {}

  const char* Name() const override { return "orrery.FaultFileSystem"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result,
                             IODebugContext* debug) override {
    return core_->Run(FileCall::kOpenToRead, path, [&](PowerCut&) {
      const IOStatus status = target()->NewSequentialFile(path, options, result, debug);
      if (status.ok()) {
        *result = std::make_unique<FaultSequentialFile>(core_, path, std::move(*result));
      }
      return status;
    });
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext* debug) override {
    return core_->Run(FileCall::kOpenToRead, path, [&](PowerCut&) {
      const IOStatus status = target()->NewRandomAccessFile(path, options, result, debug);
      if (status.ok()) {
        *result = std::make_unique<FaultRandomAccessFile>(core_, path, std::move(*result));
      }
      return status;
    });
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* debug) override {
    return core_->Run(FileCall::kOpenToWrite, path, [&](PowerCut& cut) {
      const bool there = target()->FileExists(path, IOOptions(), debug).ok();
      const IOStatus status = target()->NewWritableFile(path, options, result, debug);
      if (status.ok()) Wrap(cut, path, there, TrackedFile::Content::kNone, result);
      return status;
    });
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                              IODebugContext* debug) override {
    return core_->Run(FileCall::kOpenToWrite, path, [&](PowerCut& cut) {
      const bool there = target()->FileExists(path, IOOptions(), debug).ok();
      const IOStatus status = target()->ReopenWritableFile(path, options, result, debug);
      using enum TrackedFile::Content;
      if (status.ok()) Wrap(cut, path, there, there ? kDurable : kNone, result);
      return status;
    });
  }
  // Of files that hold nothing but durable zeros.
  IOStatus ReuseWritableFile(const std::string& path, const std::string& former,
                             const FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* result,
                             IODebugContext* debug) override {
    return core_->Run(FileCall::kOpenToWrite, path, [&](PowerCut& cut) {
      const IOStatus status = target()->ReuseWritableFile(path, former, options, result, debug);
      if (!status.ok()) return status;
      cut.Renamed(former, path, {});
      Wrap(cut, path, /*was_there=*/true, TrackedFile::Content::kZeros, result);
      return status;
    });
  }
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSRandomRWFile>* result,
                           IODebugContext* debug) override {
    return core_->Run(FileCall::kOpenToWrite, path, [&](PowerCut&) {
      const IOStatus status = target()->NewRandomRWFile(path, options, result, debug);
      if (status.ok())
        *result = std::make_unique<FaultRandomRWFile>(core_, path, std::move(*result));
      return status;
    });
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result,
                        IODebugContext* debug) override {
    return core_->Run(FileCall::kOpenDirectory, path, [&](PowerCut&) {
      const IOStatus status = target()->NewDirectory(path, options, result, debug);
      if (status.ok()) *result = std::make_unique<FaultDirectory>(core_, path, std::move(*result));
      return status;
    });
  }
  IOStatus FileExists(const std::string& path, const IOOptions& options,
                      IODebugContext* debug) override {
    return core_->Run(FileCall::kInspect, path,
                      [&](PowerCut&) { return target()->FileExists(path, options, debug); });
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions& options, uint64_t* size,
                       IODebugContext* debug) override {
    return core_->Run(FileCall::kInspect, path,
                      [&](PowerCut&) { return target()->GetFileSize(path, options, size, debug); });
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions& options, bool* is_directory,
                       IODebugContext* debug) override {
    return core_->Run(FileCall::kInspect, path, [&](PowerCut&) {
      return target()->IsDirectory(path, options, is_directory, debug);
    });
  }
  IOStatus GetChildren(const std::string& path, const IOOptions& options,
                       std::vector<std::string>* names, IODebugContext* debug) override {
    return core_->Run(FileCall::kList, path, [&](PowerCut&) {
      return target()->GetChildren(path, options, names, debug);
    });
  }
  IOStatus GetChildrenFileAttributes(const std::string& path, const IOOptions& options,
                                     std::vector<rocksdb::FileAttributes>* result,
                                     IODebugContext* debug) override {
    return core_->Run(FileCall::kList, path, [&](PowerCut&) {
      return target()->GetChildrenFileAttributes(path, options, result, debug);
    });
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* debug) override {
    return core_->Run(FileCall::kDelete, path, [&](PowerCut& cut) {
      std::string kept = cut.KeepAside(path);
      const IOStatus status = target()->DeleteFile(path, options, debug);
      status.ok() ? cut.Deleted(path, std::move(kept)) : cut.Discard(kept);
      return status;
    });
  }
  IOStatus CreateDir(const std::string& path, const IOOptions& options,
                     IODebugContext* debug) override {
    return core_->Run(FileCall::kCreateDirectory, path, [&](PowerCut& cut) {
      const IOStatus status = target()->CreateDir(path, options, debug);
      if (status.ok()) cut.Created(path);
      return status;
    });
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& options,
                              IODebugContext* debug) override {
    return core_->Run(FileCall::kCreateDirectory, path, [&](PowerCut& cut) {
      const bool there = target()->FileExists(path, options, debug).ok();
      const IOStatus status = target()->CreateDirIfMissing(path, options, debug);
      if (status.ok() && !there) cut.Created(path);
      return status;
    });
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions& options,
                     IODebugContext* debug) override {
    return core_->Run(FileCall::kDeleteDirectory, path, [&](PowerCut& cut) {
      const IOStatus status = target()->DeleteDir(path, options, debug);
      if (status.ok()) cut.DirectoryDeleted(path);
      return status;
    });
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    return core_->Run(FileCall::kRename, from, [&](PowerCut& cut) {
      std::string replaced = cut.KeepAside(to);
      const IOStatus status = target()->RenameFile(from, to, options, debug);
      status.ok() ? cut.Renamed(from, to, std::move(replaced)) : cut.Discard(replaced);
      return status;
    });
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                    IODebugContext* debug) override {
    return core_->Run(FileCall::kLink, from, [&](PowerCut& cut) {
      const IOStatus status = target()->LinkFile(from, to, options, debug);
      if (status.ok()) cut.Created(to);
      return status;
    });
  }
  IOStatus LockFile(const std::string& path, const IOOptions& options, rocksdb::FileLock** lock,
                    IODebugContext* debug) override {
    return core_->Run(FileCall::kLock, path,
                      [&](PowerCut&) { return target()->LockFile(path, options, lock, debug); });
  }
  IOStatus GetFreeSpace(const std::string& path, const IOOptions& options, uint64_t* bytes,
                        IODebugContext* debug) override {
    const std::optional<uint64_t> told = core_->free_bytes();
    if (!told.has_value()) return target()->GetFreeSpace(path, options, bytes, debug);
    *bytes = *told;
    return IOStatus::OK();
  }
  IOStatus UnlockFile(rocksdb::FileLock* lock, const IOOptions& options,
                      IODebugContext* debug) override {
    const IOStatus status =
        core_->Run(FileCall::kUnlock, {}, [&](PowerCut&) { return IOStatus::OK(); });
    // Without power the process is gone and its locks with it.
    const IOStatus unlocked = target()->UnlockFile(lock, options, debug);
    return status.ok() ? unlocked : status;
  }

 private:
  void Wrap(PowerCut& cut, const std::string& path, bool was_there, TrackedFile::Content content,
            std::unique_ptr<rocksdb::FSWritableFile>* file) {
    if (!was_there) cut.Created(path);
    *file = std::make_unique<FaultWritableFile>(core_, path, cut.Track(path, content),
                                                std::move(*file));
  }

  const std::shared_ptr<Core> core_;
};

}  // namespace

FaultFileSystem::FaultFileSystem(std::string scratch, PowerCutOptions options)
    : core_(std::make_shared<Core>(std::move(scratch), options)),
      file_system_(std::make_shared<FaultingFileSystem>(core_)) {}
FaultFileSystem::~FaultFileSystem() = default;

std::shared_ptr<rocksdb::FileSystem> FaultFileSystem::AsFileSystem() const { return file_system_; }

uint64_t FaultFileSystem::calls() const { return core_->calls(); }
uint64_t FaultFileSystem::calls(FileCall kind) const { return core_->calls(kind); }
void FaultFileSystem::CrashAfter(uint64_t calls) { core_->CrashAfter(calls); }
void FaultFileSystem::Crash() { core_->Crash(); }
bool FaultFileSystem::crashed() const { return core_->crashed(); }
void FaultFileSystem::Restart() { core_->Restart(); }
void FaultFileSystem::Fail(FileCall kind, Fault fault, uint64_t skip, uint64_t times) {
  core_->Fail(kind, {fault, skip, times});
}
void FaultFileSystem::ClearFaults() { core_->ClearFaults(); }
void FaultFileSystem::SetFreeBytes(std::optional<uint64_t> bytes) { core_->SetFreeBytes(bytes); }
void FaultFileSystem::Before(FileCall kind, std::function<void(const std::string&)> hook) {
  core_->Before(kind, std::move(hook));
}

Status FaultFileSystem::CorruptByte(const std::string& path, uint64_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(static_cast<char>(~byte));
  file.flush();
  if (!file || byte == EOF) {
    return orrery::Fail(Code::kNotFound, "no byte to corrupt in '" + path + "'");
  }
  return {};
}

}  // namespace orrery::storage
