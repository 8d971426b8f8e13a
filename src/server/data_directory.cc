#include "server/data_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <string_view>
#include <system_error>

#include "base/bytes.h"
#include "base/log.h"

namespace orrery::server {
namespace {

constexpr std::string_view kFormatPrefix = "orrery data directory, format ";
constexpr int kFormat = 1;
constexpr size_t kSmallFileBytesMax = 256;
constexpr size_t kNodeIdBytes = 16;

// Closes a file descriptor at the end of its scope, unless released.
class ScopedFile {
 public:
  explicit ScopedFile(int fd) : fd_(fd) {}
  ~ScopedFile() {
    if (fd_ >= 0) close(fd_);
  }
  ScopedFile(const ScopedFile&) = delete;
  ScopedFile& operator=(const ScopedFile&) = delete;
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

std::unexpected<Error> Refuse(Code code, const std::string& path, std::string_view what) {
  return Fail(code, fmt::format("data directory '{}' {}", path, what));
}

std::unexpected<Error> RefuseErrno(const std::string& path, std::string_view doing, int error) {
  const Code code =
      error == ENOSPC || error == EDQUOT ? Code::kResourceExhausted : Code::kForbidden;
  return Refuse(code, path,
                fmt::format("cannot be {}: {}; check its owner and mode, or choose another --data",
                            doing, std::strerror(error)));
}

// The beginning of a small file; nullopt, with errno, when it cannot be opened.
std::optional<std::string> ReadSmall(const std::string& path) {
  const ScopedFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return std::nullopt;
  std::string text(kSmallFileBytesMax, '\0');
  const ssize_t size = read(file.get(), text.data(), text.size());
  text.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return text;
}

bool WriteAll(int fd, std::string_view text) {
  return write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Returns whether the name is a leftover of a start that was interrupted before FORMAT was written,
// or of mkfs.
bool CountsAsEmpty(const std::string& name) {
  return name == "LOCK" || name == "FORMAT.new" || name == "lost+found";
}

Status CheckFormat(const std::string& path, std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  int format = 0;
  const std::string_view digits =
      text.starts_with(kFormatPrefix) ? text.substr(kFormatPrefix.size()) : std::string_view();
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), format);
  if (error != std::errc() || end != digits.data() + digits.size() || format < 1) {
    return Refuse(Code::kCorruption, path,
                  "has a FORMAT file that is not Orrery's; restore the directory from a backup, or "
                  "choose another --data");
  }
  if (format > kFormat) {
    return Refuse(
        Code::kUnsupported, path,
        fmt::format(
            "has format {}, and this version of Orrery knows formats up to {}; use a newer version",
            format, kFormat));
  }
  return {};
}

// Puts a small file into place at once, durably.
Status WriteSmall(const std::string& path, std::string_view name, std::string_view text) {
  const std::string temporary = fmt::format("{}/{}.new", path, name);
  {
    const ScopedFile file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (file.get() < 0 || !WriteAll(file.get(), text) || fsync(file.get()) != 0) {
      return RefuseErrno(path, "written", errno);
    }
  }
  if (rename(temporary.c_str(), fmt::format("{}/{}", path, name).c_str()) != 0)
    return RefuseErrno(path, "written", errno);
  const ScopedFile directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() < 0 || fsync(directory.get()) != 0)
    return RefuseErrno(path, "written", errno);
  return {};
}

Result<std::string> ReadOrDrawNodeId(const std::string& path) {
  std::string id;
  if (auto text = ReadSmall(path + "/NODE")) {
    if (text->ends_with('\n')) text->pop_back();
    if (FromHex(*text, id) && id.size() == kNodeIdBytes) return id;
    return Refuse(Code::kCorruption, path,
                  "has a NODE file that is damaged; remove it, and clients will see a new node");
  }
  std::random_device random;
  while (id.size() < kNodeIdBytes) id.push_back(static_cast<char>(random()));
  // A version 4 uuid.
  id[6] = static_cast<char>((id[6] & 0x0f) | 0x40);
  id[8] = static_cast<char>((id[8] & 0x3f) | 0x80);
  ORRERY_TRY(WriteSmall(path, "NODE", ToHex(id) + "\n"));
  return id;
}

// Takes the rights of group and others from a directory that was there before, as systemd's
// StateDirectory= makes it: its files have all data and the hashes of passwords.
void CloseToOthers(const std::string& path) {
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  struct stat info{};
  if (stat(path.c_str(), &info) != 0 || (info.st_mode & kOthers) == 0) return;
  if (chmod(path.c_str(), info.st_mode & S_IRWXU) == 0) {
    LogInfo("the data directory '{}' was open to other users of this machine; it is closed now",
            path);
  } else {
    LogWarn(
        "other users of this machine can enter the data directory '{}', and only its owner can "
        "change that: chmod 700",
        path);
  }
}

// Makes the directory when missing. True when it has a FORMAT.
Result<bool> Inspect(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
    if (mkdir(path.c_str(), 0700) != 0) return RefuseErrno(path, "created", errno);
    return false;
  }
  if (!std::filesystem::is_directory(status)) {
    return Refuse(Code::kInvalidArgument, path, "is not a directory; choose another --data");
  }
  errno = 0;
  if (const auto format = ReadSmall(path + "/FORMAT")) {
    ORRERY_TRY(CheckFormat(path, *format));
    return true;
  }
  if (errno != ENOENT) return RefuseErrno(path, "read", errno);
  std::filesystem::directory_iterator entries(path, error);
  if (error) return RefuseErrno(path, "read", error.value());
  for (const auto& entry : entries) {
    if (CountsAsEmpty(entry.path().filename())) continue;
    return Refuse(Code::kInvalidArgument, path,
                  fmt::format("is not empty and not Orrery's (there is '{}' and no FORMAT file); "
                              "choose another --data",
                              entry.path().filename().string()));
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<DataDirectory>> DataDirectory::Open(const std::string& path) {
  std::error_code error;
  std::string absolute = std::filesystem::absolute(path, error).lexically_normal().string();
  if (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
  ORRERY_ASSIGN(const bool has_format, Inspect(absolute));

  CloseToOthers(absolute);
  const std::string lock_path = absolute + "/LOCK";
  ScopedFile lock(open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.get() < 0) return RefuseErrno(absolute, "written", errno);
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return RefuseErrno(absolute, "locked", errno);
    std::string holder = ReadSmall(lock_path).value_or("");
    while (!holder.empty() && holder.back() == '\n') holder.pop_back();
    return Refuse(Code::kUnavailable, absolute,
                  fmt::format("is in use by process {}; stop it or choose another --data",
                              holder.empty() ? "(unknown)" : holder));
  }
  // Over the former number, without giving its block back first: the disk may be full.
  const std::string holder = fmt::format("{}\n", getpid());
  if (!WriteAll(lock.get(), holder) ||
      ftruncate(lock.get(), static_cast<off_t>(holder.size())) != 0) {
    return RefuseErrno(absolute, "written", errno);
  }
  if (!has_format) {
    ORRERY_TRY(WriteSmall(absolute, "FORMAT", fmt::format("{}{}\n", kFormatPrefix, kFormat)));
  }
  ORRERY_ASSIGN(std::string node_id, ReadOrDrawNodeId(absolute));
  return std::unique_ptr<DataDirectory>(
      new DataDirectory(std::move(absolute), lock.Release(), std::move(node_id)));
}

DataDirectory::~DataDirectory() { close(lock_file_); }

}  // namespace orrery::server
