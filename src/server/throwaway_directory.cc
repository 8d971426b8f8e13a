#include "server/throwaway_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/log.h"

namespace orrery::server {
namespace {

constexpr std::string_view kThrowawayPrefix = "orrery-throwaway-";
// Containers have 64 MB of /dev/shm by default, which a few partitions fill.
constexpr uint64_t kMemoryBytesMin = uint64_t{512} << 20;
// A directory without a lock file may be one that a server is about to take.
constexpr time_t kYoungSeconds = 60;

bool HasRoom(const std::string& directory) {
  struct statvfs info{};
  if (access(directory.c_str(), W_OK) != 0 || statvfs(directory.c_str(), &info) != 0) return false;
  return uint64_t{info.f_bavail} * info.f_frsize >= kMemoryBytesMin;
}

std::vector<std::string> Candidates() {
  std::vector<std::string> parents;
  if (HasRoom("/dev/shm")) parents.emplace_back("/dev/shm");
  const char* const named = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe): at the start
  if (named != nullptr && *named != '\0') parents.emplace_back(named);
  parents.emplace_back("/tmp");
  if (parents.front() != "/dev/shm") parents.emplace_back("/dev/shm");
  return parents;
}

// Returns whether the server of the directory is gone: its lock can be had, or it never took one.
bool IsAbandoned(const std::string& path) {
  struct stat info{};
  if (lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid())
    return false;
  const int lock = open((path + "/LOCK").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (lock < 0) return errno == ENOENT && time(nullptr) - info.st_mtime > kYoungSeconds;
  const bool is_free = flock(lock, LOCK_EX | LOCK_NB) == 0;
  close(lock);
  return is_free;
}

}  // namespace

size_t SweepThrowaways(const std::string& parent) {
  size_t removed = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(parent, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    if (!entry->path().filename().string().starts_with(kThrowawayPrefix) || !IsAbandoned(path))
      continue;
    std::error_code failed;
    std::filesystem::remove_all(path, failed);
    if (!failed) ++removed;
  }
  return removed;
}

Result<std::unique_ptr<ThrowawayDirectory>> ThrowawayDirectory::Make() {
  std::string tried;
  for (const std::string& parent : Candidates()) {
    if (const size_t removed = SweepThrowaways(parent); removed > 0)
      LogInfo("removed {} throw-away directories that killed servers left in {}", removed, parent);
    std::string path = fmt::format("{}/{}XXXXXX", parent, kThrowawayPrefix);
    if (mkdtemp(path.data()) != nullptr)
      return std::unique_ptr<ThrowawayDirectory>(new ThrowawayDirectory(std::move(path)));
    tried += fmt::format("{}{} ({})", tried.empty() ? "" : ", ", parent, std::strerror(errno));
  }
  return Fail(Code::kForbidden,
              fmt::format("no folder for throw-away data can be made: {}; set TMPDIR to one that "
                          "can be written, or name a directory with --data",
                          tried));
}

ThrowawayDirectory::~ThrowawayDirectory() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (error)
    LogWarn("the throw-away data in '{}' could not be removed: {}", path_, error.message());
}

}  // namespace orrery::server
