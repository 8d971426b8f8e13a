#include "storage/rados/rados_file_system.h"

#include <fmt/core.h>
#include <rocksdb/file_system.h>

#include <utility>

#include "base/check.h"
#include "storage/rados/directory/path.h"
#include "storage/rados/file/file_handles_rep.h"
#include "storage/rados/file/stripes.h"
#include "storage/rados/file_system_core_rep.h"
#include "storage/rados/io_status.h"

namespace orrery::storage::rados {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

constexpr size_t kGarbagePage = 1'000;

// RocksDB looks for a missing file or directory by another code than for one that cannot be opened.
IOStatus AsLookup(IOStatus status) {
  return status.IsPathNotFound() ? IOStatus::NotFound(status.ToString()) : status;
}

class HeldLock final : public rocksdb::FileLock {
 public:
  explicit HeldLock(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

// Engines log elsewhere (rocks_log.h), and a log file beside the data would only cost.
class NullLogger final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

class Files final : public rocksdb::FileSystem {
 public:
  explicit Files(std::shared_ptr<FileSystemCore> core) : core_(std::move(core)) {}
  const char* Name() const override { return "orrery.Rados"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions& /*options*/,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result,
                             IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kRead, path, [&]() -> Status {
      ORRERY_ASSIGN(auto reader, core_->names.OpenToRead(NormalPath(path)));
      *result = std::make_unique<SequentialFile>(core_, std::move(reader), path);
      return {};
    });
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& /*options*/,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kRead, path, [&]() -> Status {
      ORRERY_ASSIGN(auto reader, core_->names.OpenToRead(NormalPath(path)));
      *result = std::make_unique<RandomAccessFile>(core_, std::move(reader), path);
      return {};
    });
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kWrite, path, [&]() -> Status {
      ORRERY_ASSIGN(auto writing, core_->names.Create(NormalPath(path)));
      *result =
          std::make_unique<WritableFile>(core_, std::move(writing), NormalPath(path), options);
      return {};
    });
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                              IODebugContext* debug) override {
    IOStatus reopened = Guarded(IoKind::kWrite, path, [&]() -> Status {
      ORRERY_ASSIGN(const FoundFile file, core_->names.Find(NormalPath(path)));
      if (file.writer != nullptr) return Fail(Code::kUnsupported, "the file is being written");
      ORRERY_ASSIGN(auto former, core_->names.OpenToRead(NormalPath(path)));
      *result = std::make_unique<WritableFile>(core_, std::move(former), NormalPath(path), options);
      return {};
    });
    if (!reopened.IsPathNotFound()) return reopened;
    return NewWritableFile(path, options, result, debug);
  }
  // Only to be written over, which objects are not for.
  IOStatus ReuseWritableFile(const std::string& /*path*/, const std::string& /*former*/,
                             const FileOptions& /*options*/,
                             std::unique_ptr<rocksdb::FSWritableFile>* /*result*/,
                             IODebugContext* /*debug*/) override {
    return IOStatus::NotSupported("files are not written over");
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& /*options*/,
                        std::unique_ptr<rocksdb::FSDirectory>* result,
                        IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kRead, path, [&]() -> Status {
      ORRERY_ASSIGN(DirectoryTree::Place place, core_->tree.Locate(NormalPath(path)));
      *result = std::make_unique<OpenDirectory>(core_, std::move(place.owned), NormalPath(path));
      return {};
    });
  }
  IOStatus CreateDir(const std::string& path, const IOOptions& /*options*/,
                     IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kWrite, path, [&] { return core_->tree.Make(NormalPath(path)); });
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& /*options*/,
                              IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kWrite, path, [&]() -> Status {
      const std::string normal = NormalPath(path);
      const auto is_there = [&]() -> Result<bool> {
        ORRERY_ASSIGN(const std::optional<Found> found, core_->tree.Find(normal));
        if (found.has_value() && !std::holds_alternative<DirectoryId>(*found))
          return Fail(Code::kAlreadyExists, fmt::format("'{}' is a file", path));
        return found.has_value();
      };
      ORRERY_ASSIGN(const bool there, is_there());
      if (there) return {};
      const Status made = core_->tree.Make(normal);
      if (made.has_value() || made.error().code() != Code::kAlreadyExists) return made;
      ORRERY_TRY(is_there());
      return {};
    });
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions& /*options*/,
                     IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kWrite, path, [&] { return core_->tree.Remove(NormalPath(path)); });
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions& /*options*/, bool* is_directory,
                       IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kRead, path, [&]() -> Status {
      ORRERY_ASSIGN(const std::optional<Found> found, core_->tree.Find(NormalPath(path)));
      if (!found.has_value()) return Fail(Code::kNotFound, "there is none");
      *is_directory = std::holds_alternative<DirectoryId>(*found);
      return {};
    });
  }

  IOStatus FileExists(const std::string& path, const IOOptions& /*options*/,
                      IODebugContext* /*debug*/) override {
    return AsLookup(Guarded(IoKind::kRead, path, [&]() -> Status {
      ORRERY_ASSIGN(const std::optional<Found> found, core_->tree.Find(NormalPath(path)));
      if (!found.has_value()) return Fail(Code::kNotFound, "there is none");
      return {};
    }));
  }
  IOStatus GetChildren(const std::string& path, const IOOptions& /*options*/,
                       std::vector<std::string>* names, IODebugContext* /*debug*/) override {
    return AsLookup(Guarded(IoKind::kRead, path, [&]() -> Status {
      names->clear();
      ORRERY_ASSIGN(const auto list, core_->tree.List(NormalPath(path)));
      for (const auto& [name, found] : list) names->push_back(name);
      return {};
    }));
  }
  IOStatus GetChildrenFileAttributes(const std::string& path, const IOOptions& /*options*/,
                                     std::vector<rocksdb::FileAttributes>* attributes,
                                     IODebugContext* /*debug*/) override {
    return AsLookup(Guarded(IoKind::kRead, path, [&]() -> Status {
      attributes->clear();
      ORRERY_ASSIGN(const auto list, core_->tree.List(NormalPath(path)));
      for (const auto& [name, found] : list) {
        uint64_t bytes = 0;
        if (const auto* file = std::get_if<FoundFile>(&found)) {
          ORRERY_ASSIGN(bytes, core_->names.Size(*file));
        }
        attributes->push_back({.name = name, .size_bytes = bytes});
      }
      return {};
    }));
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions& /*options*/, uint64_t* size,
                       IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kRead, path, [&]() -> Status {
      ORRERY_ASSIGN(const FoundFile file, core_->names.Find(NormalPath(path)));
      ORRERY_ASSIGN(*size, core_->names.Size(file));
      return {};
    });
  }
  IOStatus GetFileModificationTime(const std::string& path, const IOOptions& /*options*/,
                                   uint64_t* time, IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kRead, path, [&]() -> Status {
      ORRERY_ASSIGN(const FoundFile file, core_->names.Find(NormalPath(path)));
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(file.entry.modified);
      *time = static_cast<uint64_t>(seconds.count());
      return {};
    });
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& /*options*/,
                      IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kWrite, path, [&] { return core_->names.Delete(NormalPath(path)); });
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& /*options*/,
                      IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kWrite, from,
                   [&] { return core_->names.Rename(NormalPath(from), NormalPath(to)); });
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& /*options*/,
                    IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kWrite, to,
                   [&] { return core_->names.Link(NormalPath(from), NormalPath(to)); });
  }
  IOStatus NumFileLinks(const std::string& path, const IOOptions& /*options*/, uint64_t* count,
                        IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kRead, path, [&]() -> Status {
      ORRERY_ASSIGN(*count, core_->names.CountLinks(NormalPath(path)));
      return {};
    });
  }
  IOStatus AreFilesSame(const std::string& first, const std::string& second,
                        const IOOptions& /*options*/, bool* same,
                        IODebugContext* /*debug*/) override {
    return Guarded(IoKind::kRead, first, [&]() -> Status {
      ORRERY_ASSIGN(const FoundFile one, core_->names.Find(NormalPath(first)));
      ORRERY_ASSIGN(const FoundFile other, core_->names.Find(NormalPath(second)));
      *same = one.entry.id == other.entry.id;
      return {};
    });
  }

  // No object is made for it: the fence tells processes apart, this the engines of one process.
  IOStatus LockFile(const std::string& path, const IOOptions& /*options*/, rocksdb::FileLock** lock,
                    IODebugContext* /*debug*/) override {
    *lock = nullptr;
    return Guarded(IoKind::kWrite, path, [&]() -> Status {
      std::string normal = NormalPath(path);
      {
        MutexLock guard(core_->mutex);
        if (!core_->locks.insert(normal).second)
          return Fail(Code::kAlreadyExists, "the lock is held by this process already");
      }
      const Status prepared = core_->tree.PrepareToLock(SplitPath(normal).first);
      if (!prepared.has_value()) {
        MutexLock guard(core_->mutex);
        core_->locks.erase(normal);
        return prepared;
      }
      *lock = std::make_unique<HeldLock>(std::move(normal)).release();
      return {};
    });
  }
  IOStatus UnlockFile(rocksdb::FileLock* lock, const IOOptions& /*options*/,
                      IODebugContext* /*debug*/) override {
    const std::unique_ptr<HeldLock> held(static_cast<HeldLock*>(lock));
    MutexLock guard(core_->mutex);
    core_->locks.erase(held->path());
    return IOStatus::OK();
  }

  IOStatus GetFreeSpace(const std::string& /*path*/, const IOOptions& /*options*/, uint64_t* bytes,
                        IODebugContext* /*debug*/) override {
    const std::optional<uint64_t> free = core_->free_bytes ? core_->free_bytes() : std::nullopt;
    if (!free.has_value()) return IOStatus::NotSupported("the store has not told yet");
    *bytes = *free;
    return IOStatus::OK();
  }
  IOStatus NewLogger(const std::string& /*path*/, const IOOptions& /*options*/,
                     std::shared_ptr<rocksdb::Logger>* result, IODebugContext* /*debug*/) override {
    *result = std::make_shared<NullLogger>();
    return IOStatus::OK();
  }
  IOStatus GetTestDirectory(const IOOptions& options, std::string* path,
                            IODebugContext* debug) override {
    *path = "/test";
    return CreateDirIfMissing(*path, options, debug);
  }
  IOStatus GetAbsolutePath(const std::string& path, const IOOptions& /*options*/,
                           std::string* absolute, IODebugContext* /*debug*/) override {
    *absolute = NormalPath(path);
    return IOStatus::OK();
  }

  IOStatus Poll(std::vector<void*>& handles, size_t /*min_completions*/) override {
    return Guarded(IoKind::kRead, "", [&]() -> Status {
      for (void* handle : handles) FinishAsyncRead(handle);
      return {};
    });
  }
  IOStatus AbortIO(std::vector<void*>& handles) override {
    for (void* handle : handles) AbandonAsyncRead(handle);
    return IOStatus::OK();
  }

 private:
  const std::shared_ptr<FileSystemCore> core_;
};

}  // namespace

Result<std::unique_ptr<RadosFileSystem>> RadosFileSystem::Open(std::shared_ptr<ObjectStore> store,
                                                               RadosOptions options) {
  ORRERY_CHECK(options.clock != nullptr && options.random != nullptr);
  if (options.stripe_bytes < kStripeBytesMin || options.stripe_bytes > kStripeBytesMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a stripe has {} to {} bytes, not {}", kStripeBytesMin, kStripeBytesMax,
                            options.stripe_bytes));
  }
  ORRERY_TRY(MakeRoot(*store));
  return std::unique_ptr<RadosFileSystem>(
      new RadosFileSystem(std::make_shared<FileSystemCore>(std::move(store), options)));
}

RadosFileSystem::RadosFileSystem(std::shared_ptr<FileSystemCore> core)
    : core_(std::move(core)), file_system_(std::make_shared<Files>(core_)) {}
RadosFileSystem::~RadosFileSystem() = default;

Status RadosFileSystem::Take(const std::string& path) { return core_->tree.Take(NormalPath(path)); }
void RadosFileSystem::Release(const std::string& path) { core_->tree.Release(NormalPath(path)); }

std::unique_ptr<GarbageSweep> RadosFileSystem::NewGarbageSweep() {
  return std::make_unique<GarbageSweep>(*core_->store, core_->tree, core_->remover);
}

Result<GarbageCount> RadosFileSystem::CollectGarbage() {
  const auto sweep = NewGarbageSweep();
  for (;;) {
    ORRERY_ASSIGN(const std::optional<GarbageCount> count, sweep->Step(kGarbagePage));
    if (count.has_value()) return *count;
  }
}

void RadosFileSystem::WaitForRemovals() { core_->remover.Wait(); }

}  // namespace orrery::storage::rados
