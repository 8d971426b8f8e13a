#include "query/operator/spill_space.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace orrery::query {
namespace {

constexpr size_t kSpillBufferBytes = size_t{256} << 10;

std::unexpected<Error> SpillFailure(std::string_view what) {
  return Fail(errno == ENOSPC ? Code::kResourceExhausted : Code::kUnavailable,
              fmt::format("{} a temporary file of a query failed: {}", what,
                          std::generic_category().message(errno)));
}

}  // namespace

SpillFile::~SpillFile() {
  ::close(descriptor_);
  space_.bytes_.fetch_sub(bytes_, std::memory_order_relaxed);
}

Status SpillFile::Flush() {
  ORRERY_TRY(space_.Take(buffer_.size()));
  bytes_ += buffer_.size();
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return SpillFailure("writing");
    }
    left.remove_prefix(static_cast<size_t>(written));
  }
  buffer_.clear();
  return {};
}

Status SpillFile::Append(std::string_view record) {
  const auto size = static_cast<uint32_t>(record.size());
  char prefix[sizeof(size)];
  std::memcpy(prefix, &size, sizeof(size));
  buffer_.append(prefix, sizeof(prefix)).append(record);
  return buffer_.size() < kSpillBufferBytes ? Status() : Flush();
}

Status SpillFile::Rewind() {
  ORRERY_TRY(Flush());
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) return SpillFailure("rewinding");
  read_ = 0;
  buffer_next_ = 0;
  return {};
}

Result<bool> SpillFile::Next(std::string& record) {
  const auto fill = [&](size_t wanted) -> Status {
    while (buffer_.size() - buffer_next_ < wanted) {
      buffer_.erase(0, buffer_next_);
      buffer_next_ = 0;
      const size_t before = buffer_.size();
      const uint64_t chunk =
          std::min<uint64_t>(std::max(wanted, kSpillBufferBytes), bytes_ - read_);
      if (chunk == 0) return Fail(Code::kCorruption, "a temporary file of a query ends too soon");
      buffer_.resize(before + chunk);
      const ssize_t got = ::read(descriptor_, buffer_.data() + before, chunk);
      buffer_.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
      if (got < 0 && errno != EINTR) return SpillFailure("reading");
      if (got == 0) return Fail(Code::kCorruption, "a temporary file of a query ends too soon");
      if (got > 0) read_ += static_cast<uint64_t>(got);
    }
    return {};
  };
  if (buffer_next_ == buffer_.size() && read_ == bytes_) return false;
  uint32_t size = 0;
  ORRERY_TRY(fill(sizeof(size)));
  std::memcpy(&size, buffer_.data() + buffer_next_, sizeof(size));
  ORRERY_TRY(fill(sizeof(size) + size));
  record.assign(buffer_, buffer_next_ + sizeof(size), size);
  buffer_next_ += sizeof(size) + size;
  return true;
}

Result<std::unique_ptr<SpillSpace>> SpillSpace::Open(std::string directory, uint64_t bytes_max) {
  std::error_code error;
  std::filesystem::remove_all(directory, error);
  std::filesystem::create_directories(directory, error);
  if (error) {
    return Fail(Code::kUnavailable,
                fmt::format("the directory '{}' for temporary files cannot be made: {}", directory,
                            error.message()));
  }
  return std::unique_ptr<SpillSpace>(new SpillSpace(std::move(directory), bytes_max));
}

Result<std::unique_ptr<SpillFile>> SpillSpace::Create() {
  std::string name = directory_ + "/spill-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) return SpillFailure("making");
  ::unlink(name.c_str());
  return std::unique_ptr<SpillFile>(new SpillFile(*this, descriptor));
}

Status SpillSpace::Take(uint64_t bytes) {
  const uint64_t now = bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (now <= bytes_max_) return {};
  bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  return Fail(Code::kResourceExhausted,
              fmt::format("temporary files of queries have {} bytes, the most that they may have",
                          bytes_max_));
}

}  // namespace orrery::query
