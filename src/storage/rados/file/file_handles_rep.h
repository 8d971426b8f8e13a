// Files and directories as RocksDB opens them. Internal to storage/rados.
//
// They translate: what they do is in FileReader, FileWriter and OwnedDirectory.
#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "storage/rados/file/file_names.h"
#include "storage/rados/file/file_reader.h"

namespace orrery::storage::rados {

struct FileSystemCore;

// Reads ahead, the next part while one is used: logs and manifests are read from the start to the
// end, in small pieces.
class SequentialFile final : public rocksdb::FSSequentialFile {
 public:
  SequentialFile(std::shared_ptr<FileSystemCore> core, std::shared_ptr<FileReader> reader,
                 std::string path);
  ~SequentialFile() override;

  rocksdb::IOStatus Read(size_t n, const rocksdb::IOOptions& options, rocksdb::Slice* result,
                         char* scratch, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Skip(uint64_t n) override;
  rocksdb::IOStatus PositionedRead(uint64_t offset, size_t n, const rocksdb::IOOptions& options,
                                   rocksdb::Slice* result, char* scratch,
                                   rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus InvalidateCache(size_t, size_t) override { return rocksdb::IOStatus::OK(); }

 private:
  // False at the end of the file.
  Result<bool> ReadAhead();

  const std::shared_ptr<FileSystemCore> core_;
  const std::shared_ptr<FileReader> reader_;
  const std::string path_;
  uint64_t position_ = 0;
  std::string ahead_;  // what was read from ahead_offset_ on
  uint64_t ahead_offset_ = 0;
  std::shared_ptr<FileReader::Pending> next_;  // from next_offset_ on, when it is on its way
  uint64_t next_offset_ = 0;
  size_t next_bytes_ = 0;
};

// Does not read ahead: RocksDB does, when a file says that it cannot (Prefetch).
class RandomAccessFile final : public rocksdb::FSRandomAccessFile {
 public:
  RandomAccessFile(std::shared_ptr<FileSystemCore> core, std::shared_ptr<FileReader> reader,
                   std::string path);
  ~RandomAccessFile() override;

  rocksdb::IOStatus Read(uint64_t offset, size_t n, const rocksdb::IOOptions& options,
                         rocksdb::Slice* result, char* scratch,
                         rocksdb::IODebugContext* debug) const override;
  rocksdb::IOStatus MultiRead(rocksdb::FSReadRequest* requests, size_t count,
                              const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  // Answered by Poll, on the thread that calls it.
  rocksdb::IOStatus ReadAsync(rocksdb::FSReadRequest& request, const rocksdb::IOOptions& options,
                              std::function<void(const rocksdb::FSReadRequest&, void*)> callback,
                              void* callback_argument, void** handle,
                              rocksdb::IOHandleDeleter* deleter,
                              rocksdb::IODebugContext* debug) override;
  size_t GetUniqueId(char* id, size_t max_size) const override;
  rocksdb::IOStatus InvalidateCache(size_t, size_t) override { return rocksdb::IOStatus::OK(); }

 private:
  const std::shared_ptr<FileSystemCore> core_;
  const std::shared_ptr<FileReader> reader_;
  const std::string path_;
};

// Implement FileSystem::Poll and AbortIO for the handles of ReadAsync.
void FinishAsyncRead(void* handle);
void AbandonAsyncRead(void* handle);

class WritableFile final : public rocksdb::FSWritableFile {
 public:
  // A new file.
  WritableFile(std::shared_ptr<FileSystemCore> core, FileNames::Writing writing, std::string path,
               const rocksdb::FileOptions& options);
  // One that is there. The first change writes it anew, under another id, with what it had: a
  // former owner may be adding stripes to the old one. It takes the name as a new file does.
  WritableFile(std::shared_ptr<FileSystemCore> core, std::shared_ptr<FileReader> former,
               std::string path, const rocksdb::FileOptions& options);
  ~WritableFile() override;

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& checksum,
                           rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Truncate(uint64_t size, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Close(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override;
  // Readers of this process see what was appended already.
  rocksdb::IOStatus Flush(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override;
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                         rocksdb::IODebugContext* debug) override;
  bool IsSyncThreadSafe() const override { return true; }
  uint64_t GetFileSize(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RangeSync(uint64_t, uint64_t, const rocksdb::IOOptions&,
                              rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();  // a hint, not a promise
  }
  void PrepareWrite(size_t, size_t, const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {}
  rocksdb::IOStatus Allocate(uint64_t, uint64_t, const rocksdb::IOOptions&,
                             rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus InvalidateCache(size_t, size_t) override { return rocksdb::IOStatus::OK(); }

 private:
  // Makes the writer of a file that was there, with what it had.
  Status BeginWriting() EXCLUDES(mutex_);
  std::shared_ptr<FileWriter> writer() const EXCLUDES(mutex_);
  // Tells the directory when it is lost.
  Status Noted(Status status);
  Status CloseOnce() EXCLUDES(mutex_);

  const std::shared_ptr<FileSystemCore> core_;
  const std::string path_;
  const bool verifies_;  // the checksums handed over are ones that it knows

  mutable Mutex mutex_;
  FileNames::Writing writing_ GUARDED_BY(mutex_);
  std::shared_ptr<FileReader> former_ GUARDED_BY(mutex_);
  std::unique_ptr<FileRemover::Hold> hold_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

class OpenDirectory final : public rocksdb::FSDirectory {
 public:
  // `owned` is null when the directory is not ours: there is nothing to store then.
  OpenDirectory(std::shared_ptr<FileSystemCore> core, std::shared_ptr<OwnedDirectory> owned,
                std::string path);
  ~OpenDirectory() override;
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Close(const rocksdb::IOOptions&, rocksdb::IODebugContext*) override {
    return rocksdb::IOStatus::OK();
  }
  size_t GetUniqueId(char*, size_t) const override { return 0; }

 private:
  const std::shared_ptr<FileSystemCore> core_;
  const std::shared_ptr<OwnedDirectory> owned_;
  const std::string path_;
};

}  // namespace orrery::storage::rados
