#include "cli/transfer/resumable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "net/http/url.h"

namespace orrery::cli {
namespace {

Error TransferFileError(std::string_view what, const std::string& path) {
  return {Code::kUnavailable, fmt::format("{} {}: {}", what, path, std::strerror(errno))};
}

Status WriteAllTo(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Fail(Code::kUnavailable, std::strerror(errno));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace

Status WriteWholeFile(const std::string& path, std::string_view text) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  const std::string aside = path + ".new";
  const int file = open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return Fail(TransferFileError("cannot write", path));
  const Status written = WriteAllTo(file, text);
  const bool is_stored = fsync(file) == 0;
  const bool is_closed = close(file) == 0;
  if (!written.has_value() || !is_stored || !is_closed ||
      rename(aside.c_str(), path.c_str()) != 0) {
    const Error why = TransferFileError("cannot write", path);
    unlink(aside.c_str());
    return Fail(why);
  }
  return {};
}

ResumableFile::ResumableFile(std::string path) : path_(std::move(path)) {}

ResumableFile::~ResumableFile() {
  if (file_ >= 0) close(file_);
}

ResumableFile::ResumableFile(ResumableFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      bytes_(other.bytes_),
      items_(other.items_),
      position_(std::move(other.position_)) {}

std::string ResumableFile::Beside(std::string_view suffix) const {
  const std::filesystem::path path(path_);
  return (path.parent_path() / fmt::format(".{}.{}", path.filename().string(), suffix)).string();
}

Error ResumableFile::Failure(std::string_view what) const {
  return TransferFileError(what, path_);
}

Result<ResumableFile> ResumableFile::Open(const std::string& path) {
  ResumableFile opened(path);
  std::error_code error;
  if (std::filesystem::exists(path, error)) return opened;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  std::ifstream state(opened.Beside("state"));
  std::string position;
  if (state >> opened.bytes_ >> opened.items_) {
    state >> position;
    ORRERY_ASSIGN(opened.position_, net::PercentDecode(position));
  } else {
    opened.bytes_ = 0;
    opened.items_ = 0;
  }
  opened.file_ = open(opened.Beside("part").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (opened.file_ < 0) return Fail(opened.Failure("cannot write"));
  // What a piece that does not count has left, or what is missing of one that does.
  const off_t size = lseek(opened.file_, 0, SEEK_END);
  if (size < static_cast<off_t>(opened.bytes_)) {
    opened.bytes_ = 0;
    opened.items_ = 0;
    opened.position_.clear();
  }
  if (ftruncate(opened.file_, static_cast<off_t>(opened.bytes_)) != 0 ||
      lseek(opened.file_, 0, SEEK_END) < 0)
    return Fail(opened.Failure("cannot write"));
  return opened;
}

Status ResumableFile::Append(std::string_view bytes, uint64_t items, std::string position) {
  if (!WriteAllTo(file_, bytes).has_value() || fdatasync(file_) != 0)
    return Fail(Failure("cannot write"));
  bytes_ += bytes.size();
  items_ += items;
  position_ = std::move(position);
  return WriteWholeFile(Beside("state"), fmt::format("{} {} {}\n", bytes_, items_,
                                                     net::PercentEncode(position_)));
}

Status ResumableFile::Finish() {
  const bool is_stored = fsync(file_) == 0;
  const bool is_closed = close(std::exchange(file_, -1)) == 0;
  if (!is_stored || !is_closed || rename(Beside("part").c_str(), path_.c_str()) != 0)
    return Fail(Failure("cannot write"));
  unlink(Beside("state").c_str());
  return {};
}

}  // namespace orrery::cli
