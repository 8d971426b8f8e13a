#include "storage/rados/file/file_remover.h"

#include <utility>

#include "base/log.h"
#include "storage/rados/file/link_tags.h"
#include "storage/rados/file/stripes.h"

namespace orrery::storage::rados {
namespace {

constexpr size_t kThreads = 2;
// Beyond it files are left to the collection of garbage: whoever lets go of one must not wait.
constexpr size_t kQueueMax = 65'536;

}  // namespace

Status RemoveLinkedFile(ObjectStore& store, const FileEntry& entry) {
  ORRERY_ASSIGN(const bool last, RemoveLink(store, entry.id, entry.tag));
  if (!last) return {};
  return RemoveStripes(store, entry.id,
                       entry.closed ? std::optional(StripeCount(entry)) : std::nullopt);
}

FileRemover::FileRemover(ObjectStore& store)
    : store_(store), workers_("rados-remove", kThreads, kQueueMax, ThreadPriority::kLow) {}

FileRemover::Hold::Hold(FileRemover& remover, const FileId& file) : remover_(remover), file_(file) {
  MutexLock lock(remover_.mutex_);
  ++remover_.held_[file_].holds;
}

FileRemover::Hold::~Hold() { remover_.Release(file_); }

void FileRemover::Release(const FileId& file) {
  std::vector<FileEntry> unlinked;
  {
    MutexLock lock(mutex_);
    const auto found = held_.find(file);
    if (--found->second.holds > 0) return;
    unlinked = std::move(found->second.unlinked);
    held_.erase(found);
  }
  for (const FileEntry& entry : unlinked) Unlink(entry);
}

void FileRemover::Unlink(const FileEntry& entry) {
  {
    MutexLock lock(mutex_);
    const auto found = held_.find(entry.id);
    if (found != held_.end()) {
      found->second.unlinked.push_back(entry);
      return;
    }
    ++running_;
  }
  if (workers_.Submit([this, entry] { Remove(entry); })) return;
  MutexLock lock(mutex_);
  --running_;
}

void FileRemover::Remove(const FileEntry& entry) {
  const Status removed = RemoveLinkedFile(store_, entry);
  if (!removed.has_value()) {
    LogDebug("object '{}' is left to the collection of garbage: {}", StripeObject(entry.id, 0),
             removed.error().ToString());
  }
  MutexLock lock(mutex_);
  --running_;
  changed_.NotifyAll();
}

bool FileRemover::Holds(const FileId& file) const {
  MutexLock lock(mutex_);
  return held_.contains(file);
}

void FileRemover::Wait() {
  MutexLock lock(mutex_);
  while (running_ > 0) changed_.Wait(mutex_);
}

}  // namespace orrery::storage::rados
