#include "server/staged_data.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/state/linked_copy.h"

namespace orrery::server {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStagedName = "seeding";
constexpr std::string_view kRetiredName = "retired";
constexpr std::string_view kAdoptName = "ADOPT";
// The files of a state. SEEDED: server/seeding.h.
constexpr std::array<std::string_view, 3> kStateNames = {"system", "partitions", "SEEDED"};

std::unexpected<Error> RefuseStage(std::string_view doing, const std::error_code& error) {
  const bool is_full = error == std::errc::no_space_on_device;
  return Fail(is_full ? Code::kResourceExhausted : Code::kForbidden,
              fmt::format("{}: {}", doing, error.message()));
}

// Replaces the first state by the second, from wherever a crash left it.
Status FinishAdoption(const std::string& directory) {
  std::error_code error;
  const fs::path base(directory);
  fs::create_directories(base / kRetiredName, error);
  for (const std::string_view name : kStateNames) {
    const fs::path staged = base / kStagedName / name;
    if (!fs::exists(staged, error)) continue;
    if (fs::exists(base / name, error)) {
      fs::remove_all(base / kRetiredName / name, error);
      fs::rename(base / name, base / kRetiredName / name, error);
    }
    if (!error) fs::rename(staged, base / name, error);
    if (error) return RefuseStage(fmt::format("moving {}", staged.string()), error);
  }
  ORRERY_TRY(SyncPath(directory));
  fs::remove(base / kAdoptName, error);
  ORRERY_TRY(SyncPath(directory));
  fs::remove_all(base / kRetiredName, error);
  fs::remove_all(base / kStagedName, error);
  return {};
}

}  // namespace

Status StagedData::Recover(const std::string& data_directory) {
  std::error_code error;
  const fs::path base(data_directory);
  if (fs::exists(base / kAdoptName, error)) return FinishAdoption(data_directory);
  fs::remove_all(base / kStagedName, error);
  fs::remove_all(base / kRetiredName, error);
  return {};
}

Result<StagedData> StagedData::Make(const std::string& data_directory) {
  const fs::path base(data_directory);
  StagedData staged(data_directory, (base / kStagedName).string());
  std::error_code error;
  for (const std::string_view name : {"FORMAT", "NODE", "system", "partitions"}) {
    if (fs::is_directory(base / name, error)) {
      ORRERY_TRY(CopyLinked((base / name).string(), (fs::path(staged.path_) / name).string()));
    } else if (fs::exists(base / name, error)) {
      fs::create_directories(staged.path_, error);
      fs::copy_file(base / name, fs::path(staged.path_) / name, error);
      if (error) return RefuseStage(fmt::format("copying {}", name), error);
    }
  }
  return staged;
}

StagedData::StagedData(StagedData&& other) noexcept
    : data_directory_(std::move(other.data_directory_)), path_(std::exchange(other.path_, "")) {}

StagedData::~StagedData() {
  if (path_.empty()) return;
  std::error_code error;
  fs::remove_all(path_, error);
}

Status StagedData::Adopt() {
  ORRERY_TRY(SyncTree(path_));
  const std::string marker = fmt::format("{}/{}", data_directory_, kAdoptName);
  const int file = open(marker.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    return RefuseStage("writing " + marker, std::error_code(errno, std::generic_category()));
  close(file);
  ORRERY_TRY(SyncPath(marker));
  ORRERY_TRY(SyncPath(data_directory_));
  path_.clear();
  return FinishAdoption(data_directory_);
}

}  // namespace orrery::server
