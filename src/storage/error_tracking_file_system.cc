// The file system behind WithErrorsTracked(): passes every call on and tells the tracker of the
// errors.
#include <rocksdb/file_system.h>

#include "storage/io_error_tracker.h"

namespace orrery::storage {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// The file whose calls are watched.
class Watched {
 public:
  Watched(std::shared_ptr<IoErrorTracker> tracker, std::string path)
      : tracker_(std::move(tracker)), path_(std::move(path)) {}
  IOStatus operator()(IOStatus status) const {
    if (!status.ok()) tracker_->Note(path_, status);
    return status;
  }

 private:
  const std::shared_ptr<IoErrorTracker> tracker_;
  const std::string path_;
};

class TrackedSequentialFile final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  TrackedSequentialFile(Watched watched, std::unique_ptr<rocksdb::FSSequentialFile> file)
      : FSSequentialFileOwnerWrapper(std::move(file)), watched_(std::move(watched)) {}
  IOStatus Read(size_t n, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) override {
    return watched_(FSSequentialFileOwnerWrapper::Read(n, options, result, scratch, debug));
  }
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options, Slice* result,
                          char* scratch, IODebugContext* debug) override {
    return watched_(
        FSSequentialFileOwnerWrapper::PositionedRead(offset, n, options, result, scratch, debug));
  }

 private:
  const Watched watched_;
};

class TrackedRandomAccessFile final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  TrackedRandomAccessFile(Watched watched, std::unique_ptr<rocksdb::FSRandomAccessFile> file)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), watched_(std::move(watched)) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) const override {
    return watched_(
        FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result, scratch, debug));
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    IOStatus status = FSRandomAccessFileOwnerWrapper::MultiRead(requests, count, options, debug);
    for (size_t i = 0; i < count; ++i) watched_(requests[i].status).PermitUncheckedError();
    return watched_(std::move(status));
  }

 private:
  const Watched watched_;
};

class TrackedWritableFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  TrackedWritableFile(Watched watched, std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)), watched_(std::move(watched)) {}
  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return watched_(FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& checksum, IODebugContext* debug) override {
    return watched_(FSWritableFileOwnerWrapper::Append(data, options, checksum, debug));
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    return watched_(FSWritableFileOwnerWrapper::Truncate(size, options, debug));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return watched_(FSWritableFileOwnerWrapper::Flush(options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return watched_(FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return watched_(FSWritableFileOwnerWrapper::Fsync(options, debug));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return watched_(FSWritableFileOwnerWrapper::Close(options, debug));
  }

 private:
  const Watched watched_;
};

class TrackedDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  TrackedDirectory(Watched watched, std::unique_ptr<rocksdb::FSDirectory> directory)
      : FSDirectoryWrapper(std::move(directory)), watched_(std::move(watched)) {}
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return watched_(FSDirectoryWrapper::Fsync(options, debug));
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& reason) override {
    return watched_(FSDirectoryWrapper::FsyncWithDirOptions(options, debug, reason));
  }

 private:
  const Watched watched_;
};

class ErrorTrackingFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  ErrorTrackingFileSystem(const std::shared_ptr<rocksdb::FileSystem>& files,
                          std::shared_ptr<IoErrorTracker> tracker)
      : FileSystemWrapper(files), tracker_(std::move(tracker)) {}
  const char* Name() const override { return "orrery.ErrorTracker"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result,
                             IODebugContext* debug) override {
    return Wrap<TrackedSequentialFile>(
        path, target()->NewSequentialFile(path, options, result, debug), result);
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext* debug) override {
    return Wrap<TrackedRandomAccessFile>(
        path, target()->NewRandomAccessFile(path, options, result, debug), result);
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* debug) override {
    return Wrap<TrackedWritableFile>(path, target()->NewWritableFile(path, options, result, debug),
                                     result);
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                              IODebugContext* debug) override {
    return Wrap<TrackedWritableFile>(
        path, target()->ReopenWritableFile(path, options, result, debug), result);
  }
  IOStatus ReuseWritableFile(const std::string& path, const std::string& former,
                             const FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* result,
                             IODebugContext* debug) override {
    return Wrap<TrackedWritableFile>(
        path, target()->ReuseWritableFile(path, former, options, result, debug), result);
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result,
                        IODebugContext* debug) override {
    return Wrap<TrackedDirectory>(path, target()->NewDirectory(path, options, result, debug),
                                  result);
  }
  IOStatus FileExists(const std::string& path, const IOOptions& options,
                      IODebugContext* debug) override {
    return Noted(path, target()->FileExists(path, options, debug));
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions& options, uint64_t* size,
                       IODebugContext* debug) override {
    return Noted(path, target()->GetFileSize(path, options, size, debug));
  }
  IOStatus GetChildren(const std::string& path, const IOOptions& options,
                       std::vector<std::string>* names, IODebugContext* debug) override {
    return Noted(path, target()->GetChildren(path, options, names, debug));
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions& options,
                      IODebugContext* debug) override {
    return Noted(path, target()->DeleteFile(path, options, debug));
  }
  IOStatus CreateDir(const std::string& path, const IOOptions& options,
                     IODebugContext* debug) override {
    return Noted(path, target()->CreateDir(path, options, debug));
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions& options,
                              IODebugContext* debug) override {
    return Noted(path, target()->CreateDirIfMissing(path, options, debug));
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions& options,
                     IODebugContext* debug) override {
    return Noted(path, target()->DeleteDir(path, options, debug));
  }
  // An error of two files is one of either's directory.
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    return Noted(from, Noted(to, target()->RenameFile(from, to, options, debug)));
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                    IODebugContext* debug) override {
    return Noted(from, Noted(to, target()->LinkFile(from, to, options, debug)));
  }

 private:
  IOStatus Noted(const std::string& path, IOStatus status) {
    if (!status.ok()) tracker_->Note(path, status);
    return status;
  }
  template <typename Wrapper, typename File>
  IOStatus Wrap(const std::string& path, IOStatus status, std::unique_ptr<File>* file) {
    if (status.ok()) *file = std::make_unique<Wrapper>(Watched(tracker_, path), std::move(*file));
    return Noted(path, std::move(status));
  }

  const std::shared_ptr<IoErrorTracker> tracker_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> WithErrorsTracked(std::shared_ptr<rocksdb::FileSystem> target,
                                                       std::shared_ptr<IoErrorTracker> tracker) {
  return std::make_shared<ErrorTrackingFileSystem>(target, std::move(tracker));
}

}  // namespace orrery::storage
