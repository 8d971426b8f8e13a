#include <algorithm>
#include <cstring>
#include <utility>

#include "storage/rados/file/file_handles_rep.h"
#include "storage/rados/file_system_core_rep.h"
#include "storage/rados/io_status.h"

namespace orrery::storage::rados {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

constexpr size_t kReadAheadBytes = 4 << 20;
// Of one MultiRead, at the same time.
constexpr size_t kReadsAtOnce = 64;

Status ReadInto(const FileReader& reader, uint64_t offset, size_t n, Slice* result, char* scratch) {
  *result = Slice(scratch, 0);
  ORRERY_ASSIGN(const size_t read, reader.Read(offset, n, scratch));
  *result = Slice(scratch, read);
  return {};
}

struct AsyncRead {
  std::shared_ptr<FileReader::Pending> pending;  // null when it was answered or abandoned
  rocksdb::FSReadRequest request;
  std::function<void(const rocksdb::FSReadRequest&, void*)> callback;
  void* argument = nullptr;
  std::string path;
};

}  // namespace

SequentialFile::SequentialFile(std::shared_ptr<FileSystemCore> core,
                               std::shared_ptr<FileReader> reader, std::string path)
    : core_(std::move(core)), reader_(std::move(reader)), path_(std::move(path)) {}
SequentialFile::~SequentialFile() = default;

IOStatus SequentialFile::Read(size_t n, const IOOptions& /*options*/, Slice* result, char* scratch,
                              IODebugContext* /*debug*/) {
  return Guarded(IoKind::kRead, path_, [&]() -> Status {
    if (n >= kReadAheadBytes) {
      ORRERY_TRY(ReadInto(*reader_, position_, n, result, scratch));
      position_ += result->size();
      return {};
    }
    *result = Slice(scratch, 0);
    size_t done = 0;
    while (done < n) {
      const uint64_t ahead_end = ahead_offset_ + ahead_.size();
      if (position_ < ahead_offset_ || position_ >= ahead_end) {
        ORRERY_ASSIGN(const bool more, ReadAhead());
        if (!more) break;
        continue;
      }
      const size_t part = std::min<uint64_t>(n - done, ahead_end - position_);
      std::memcpy(scratch + done, ahead_.data() + (position_ - ahead_offset_), part);
      done += part;
      position_ += part;
    }
    *result = Slice(scratch, done);
    return {};
  });
}

Result<bool> SequentialFile::ReadAhead() {
  const std::shared_ptr<FileReader::Pending> started = std::exchange(next_, nullptr);
  const uint64_t size = reader_->size();
  if (position_ >= size) return false;
  std::string bytes(std::min<uint64_t>(kReadAheadBytes, size - position_), '\0');
  // Drops a read that was started when the file was shorter, or that did not reach the end.
  const bool fits = started != nullptr && next_offset_ == position_ && next_bytes_ == bytes.size();
  const std::shared_ptr<FileReader::Pending> reading =
      fits ? started : reader_->Start(position_, bytes.size());
  ORRERY_ASSIGN(const size_t read, reading->Finish(bytes.data()));
  if (read == 0) return false;
  bytes.resize(read);
  ahead_ = std::move(bytes);
  ahead_offset_ = position_;
  next_offset_ = position_ + read;
  if (next_offset_ < size) {
    next_bytes_ = std::min<uint64_t>(kReadAheadBytes, size - next_offset_);
    next_ = reader_->Start(next_offset_, next_bytes_);
  }
  return true;
}

IOStatus SequentialFile::Skip(uint64_t n) {
  position_ = std::max(position_, std::min(position_ + n, reader_->size()));
  return IOStatus::OK();
}

IOStatus SequentialFile::PositionedRead(uint64_t offset, size_t n, const IOOptions& /*options*/,
                                        Slice* result, char* scratch, IODebugContext* /*debug*/) {
  return Guarded(IoKind::kRead, path_,
                 [&] { return ReadInto(*reader_, offset, n, result, scratch); });
}

RandomAccessFile::RandomAccessFile(std::shared_ptr<FileSystemCore> core,
                                   std::shared_ptr<FileReader> reader, std::string path)
    : core_(std::move(core)), reader_(std::move(reader)), path_(std::move(path)) {}
RandomAccessFile::~RandomAccessFile() = default;

IOStatus RandomAccessFile::Read(uint64_t offset, size_t n, const IOOptions& /*options*/,
                                Slice* result, char* scratch, IODebugContext* /*debug*/) const {
  return Guarded(IoKind::kRead, path_,
                 [&] { return ReadInto(*reader_, offset, n, result, scratch); });
}

IOStatus RandomAccessFile::MultiRead(rocksdb::FSReadRequest* requests, size_t count,
                                     const IOOptions& /*options*/, IODebugContext* /*debug*/) {
  return Guarded(IoKind::kRead, path_, [&]() -> Status {
    for (size_t first = 0; first < count; first += kReadsAtOnce) {
      const size_t end = std::min(count, first + kReadsAtOnce);
      std::vector<std::shared_ptr<FileReader::Pending>> reads;
      for (size_t i = first; i < end; ++i)
        reads.push_back(reader_->Start(requests[i].offset, requests[i].len));
      for (size_t i = first; i < end; ++i) {
        const Result<size_t> read = reads[i - first]->Finish(requests[i].scratch);
        requests[i].result = Slice(requests[i].scratch, read.value_or(0));
        requests[i].status =
            read.has_value() ? IOStatus::OK() : ToIoStatus(read.error(), IoKind::kRead, path_);
      }
    }
    return {};
  });
}

IOStatus RandomAccessFile::ReadAsync(
    rocksdb::FSReadRequest& request, const IOOptions& /*options*/,
    std::function<void(const rocksdb::FSReadRequest&, void*)> callback, void* callback_argument,
    void** handle, rocksdb::IOHandleDeleter* deleter, IODebugContext* /*debug*/) {
  return Guarded(IoKind::kRead, path_, [&]() -> Status {
    auto read = std::make_unique<AsyncRead>();
    read->pending = reader_->Start(request.offset, request.len);
    read->request.offset = request.offset;
    read->request.len = request.len;
    read->request.scratch = request.scratch;
    read->callback = std::move(callback);
    read->argument = callback_argument;
    read->path = path_;
    *deleter = [](void* given) {
      std::default_delete<AsyncRead>()(static_cast<AsyncRead*>(given));
    };
    *handle = read.release();
    return {};
  });
}

void FinishAsyncRead(void* handle) {
  auto& read = *static_cast<AsyncRead*>(handle);
  if (read.pending == nullptr) return;
  const Result<size_t> bytes = std::exchange(read.pending, nullptr)->Finish(read.request.scratch);
  read.request.result = Slice(read.request.scratch, bytes.value_or(0));
  read.request.status =
      bytes.has_value() ? IOStatus::OK() : ToIoStatus(bytes.error(), IoKind::kRead, read.path);
  read.callback(read.request, read.argument);
}

void AbandonAsyncRead(void* handle) { static_cast<AsyncRead*>(handle)->pending = nullptr; }

size_t RandomAccessFile::GetUniqueId(char* id, size_t max_size) const {
  // The name of the first stripe's object says all, and has a length of its own.
  const std::string name = StripeObject(reader_->id(), 0);
  if (name.size() > max_size) return 0;
  std::memcpy(id, name.data(), name.size());
  return name.size();
}

}  // namespace orrery::storage::rados
