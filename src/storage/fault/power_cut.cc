#include "storage/fault/power_cut.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/check.h"

namespace orrery::storage {
namespace {

std::string NormalPath(const std::string& path) {
  std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  if (!normal.has_filename()) normal = normal.parent_path();
  return normal.string();
}

std::string Parent(const std::string& path) {
  return std::filesystem::path(NormalPath(path)).parent_path().string();
}

uint64_t InodeOf(int descriptor) {
  struct stat status;
  ORRERY_CHECK(fstat(descriptor, &status) == 0);
  return status.st_ino;
}

}  // namespace

TrackedFile::TrackedFile(const std::string& path, Content content)
    : descriptor_(open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  ORRERY_CHECK(descriptor_ >= 0);
  if (content == Content::kDurable) synced_bytes_ = size();
  if (content == Content::kZeros) written_over_ = 0;
}

TrackedFile::~TrackedFile() { close(descriptor_); }

uint64_t TrackedFile::size() const {
  if (written_over_.has_value()) return *written_over_;
  struct stat status;
  ORRERY_CHECK(fstat(descriptor_, &status) == 0);
  return static_cast<uint64_t>(status.st_size);
}

void TrackedFile::Truncated() {
  written_over_.reset();
  synced_bytes_ = std::min(synced_bytes_, size());
}

PowerCut::PowerCut(std::string scratch, PowerCutOptions options)
    : scratch_(std::move(scratch)), options_(options), random_(options.seed) {
  std::filesystem::create_directories(scratch_);
}

std::shared_ptr<TrackedFile> PowerCut::Track(const std::string& path,
                                             TrackedFile::Content content) {
  std::erase_if(files_, [](const auto& entry) {
    return entry.second.use_count() == 1 && entry.second->durable();
  });
  auto file = std::make_shared<TrackedFile>(path, content);
  std::shared_ptr<TrackedFile>& known = files_[InodeOf(file->descriptor_)];
  if (known == nullptr || content != TrackedFile::Content::kDurable) known = std::move(file);
  return known;
}

void PowerCut::Created(const std::string& path) {
  pending_.push_back({Change::kCreated, NormalPath(path), {}, {}});
}

void PowerCut::DirectoryDeleted(const std::string& path) {
  pending_.push_back({Change::kDirectoryDeleted, NormalPath(path), {}, {}});
}

std::string PowerCut::KeepAside(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::string kept = scratch_ + "/" + std::to_string(kept_count_++);
  std::filesystem::create_hard_link(path, kept, error);
  return error ? std::string() : kept;
}

void PowerCut::Deleted(const std::string& path, std::string kept) {
  pending_.push_back({Change::kDeleted, NormalPath(path), {}, std::move(kept)});
}

void PowerCut::Renamed(const std::string& from, const std::string& to, std::string replaced) {
  pending_.push_back({Change::kRenamed, NormalPath(from), NormalPath(to), std::move(replaced)});
}

void PowerCut::Discard(const std::string& kept) {
  if (!kept.empty()) unlink(kept.c_str());
}

void PowerCut::DirectorySynced(const std::string& path) {
  const std::string directory = NormalPath(path);
  size_t durable = pending_.size();
  while (durable > 0) {
    const NameChange& change = pending_[durable - 1];
    if (Parent(change.path) == directory) break;
    if (change.change == Change::kRenamed && Parent(change.to) == directory) break;
    --durable;
  }
  for (size_t i = 0; i < durable; ++i) Discard(pending_[i].kept);
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<ptrdiff_t>(durable));
}

void PowerCut::Undo(const NameChange& change) {
  std::error_code ignored;  // an undone creation may have been deleted outside our sight
  switch (change.change) {
    case Change::kCreated:
      std::filesystem::remove_all(change.path, ignored);
      break;
    case Change::kDirectoryDeleted:
      std::filesystem::create_directory(change.path, ignored);
      break;
    case Change::kDeleted:
      std::filesystem::rename(change.kept, change.path, ignored);
      break;
    case Change::kRenamed:
      std::filesystem::rename(change.to, change.path, ignored);
      if (!change.kept.empty()) std::filesystem::rename(change.kept, change.to, ignored);
      break;
  }
}

void PowerCut::CutBytes(TrackedFile& file) {
  const uint64_t unsynced = file.size() - file.synced_bytes_;
  if (unsynced == 0) return;
  const bool keeps = options_.bytes != PowerCutOptions::Bytes::kLost;
  const uint64_t kept = keeps ? random_() % (unsynced + 1) : 0;
  const auto end = static_cast<off_t>(file.synced_bytes_ + kept);
  if (file.written_over_.has_value()) {
    const std::string zeros(unsynced - kept, '\0');
    ORRERY_CHECK(pwrite(file.descriptor_, zeros.data(), zeros.size(), end) ==
                 static_cast<ssize_t>(zeros.size()));
  } else {
    ORRERY_CHECK(ftruncate(file.descriptor_, end) == 0);
  }
  if (options_.bytes != PowerCutOptions::Bytes::kGarbled || kept == 0) return;
  std::string garbage(1 + random_() % kept, '\0');
  // Half of the time zeros: blocks that were allocated and never written.
  if (random_() % 2 == 0) {
    for (char& byte : garbage) byte = static_cast<char>(random_());
  }
  const uint64_t at = file.synced_bytes_ + kept - garbage.size();
  ORRERY_CHECK(pwrite(file.descriptor_, garbage.data(), garbage.size(), static_cast<off_t>(at)) ==
               static_cast<ssize_t>(garbage.size()));
}

void PowerCut::Cut() {
  size_t survive = pending_.size();
  if (options_.names == PowerCutOptions::Names::kLost) survive = 0;
  if (options_.names == PowerCutOptions::Names::kSomeLost) survive = random_() % (survive + 1);
  while (pending_.size() > survive) {
    Undo(pending_.back());
    pending_.pop_back();
  }
  for (const NameChange& change : pending_) Discard(change.kept);
  pending_.clear();
  for (const auto& [inode, file] : files_) CutBytes(*file);
  files_.clear();
}

}  // namespace orrery::storage
