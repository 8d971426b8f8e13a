#include "storage/ballast.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/log.h"

namespace orrery::storage {
namespace {

constexpr size_t kFilledAtOnce = 1 << 20;

// Writes bytes that no file system makes smaller.
int FillBallast(int file, uint64_t bytes) {
  std::vector<uint64_t> block(kFilledAtOnce / sizeof(uint64_t));
  uint64_t state = 1;
  for (uint64_t at = 0; at < bytes;) {
    for (uint64_t& word : block) {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      word = state;
    }
    const size_t size = std::min<uint64_t>(kFilledAtOnce, bytes - at);
    const ssize_t written = pwrite(file, block.data(), size, static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    at += static_cast<uint64_t>(written);
  }
  return 0;
}

// Returns errno's number, or 0.
int ReserveBlocks(int file, uint64_t bytes) {
  // Not posix_fallocate, which writes a byte into each block where blocks cannot be reserved: they
  // could be made small, or shared.
  int error = 0;
  do {
    error = fallocate(file, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error == EOPNOTSUPP || error == ENOSYS) error = FillBallast(file, bytes);
  if (error == 0 && fsync(file) != 0) error = errno;
  return error;
}

}  // namespace

Ballast::Ballast(const std::string& directory, uint64_t bytes)
    : path_(directory + "/" + std::string(kBallastFile)), bytes_(bytes) {
  struct stat info{};
  if (stat(path_.c_str(), &info) != 0) {
    is_new_ = bytes_ > 0;
    return;
  }
  if (bytes_ == 0) {
    unlink(path_.c_str());
    return;
  }
  const auto size = static_cast<uint64_t>(info.st_size);
  owed_ = bytes_ - std::min(bytes_, size);
  // The setting was lowered. What does not go now goes with the next start.
  if (size > bytes_ && truncate(path_.c_str(), static_cast<off_t>(bytes_)) != 0) return;
}

bool Ballast::GiveUpBelow(uint64_t free_min) {
  struct statvfs disk{};
  if (statvfs(path_.c_str(), &disk) != 0) return false;  // there is none
  return uint64_t{disk.f_bavail} * disk.f_frsize < free_min && GiveUp();
}

bool Ballast::GiveUp() {
  if (bytes_ == 0 || is_new_ || owed_ == bytes_) return false;
  if (truncate(path_.c_str(), 0) != 0) {
    LogWarn("the disk is full, and '{}' cannot be emptied: {}", path_, std::strerror(errno));
    return false;
  }
  LogWarn(
      "the disk is full: the {} MB that were kept for this are given up, so that items and "
      "containers can be deleted; more data is taken when there is room for them again",
      (bytes_ - owed_) >> 20);
  owed_ = bytes_;
  return true;
}

Status Ballast::Make() {
  if (bytes_ == 0 || (owed_ == 0 && !is_new_)) return {};
  const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  int error = file < 0 ? errno : ReserveBlocks(file, bytes_);
  if (file >= 0) {
    is_new_ = false;
    owed_ = error == 0 ? 0 : bytes_;
    if (error != 0 && ftruncate(file, 0) != 0) error = errno;
    close(file);
  }
  if (error == 0) return {};
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return Fail(full ? Code::kResourceExhausted : Code::kUnavailable,
              fmt::format("'{}' cannot be made: {}", path_, std::strerror(error)));
}

}  // namespace orrery::storage
