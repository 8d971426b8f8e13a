#include "storage/rados/directory/owned_directory.h"

#include <fmt/core.h>

#include <utility>

#include "storage/rados/file/stripes.h"

namespace orrery::storage::rados {
namespace {

std::unexpected<Error> NoSuch(const std::string& name) {
  return Fail(Code::kNotFound, fmt::format("there is no '{}'", name));
}
std::unexpected<Error> IsDirectory(const std::string& name) {
  return Fail(Code::kInvalidArgument, fmt::format("'{}' is a directory", name));
}

}  // namespace

// One change after the other: a change sees what the former has made of the names.
class OwnedDirectory::Turn {
 public:
  explicit Turn(OwnedDirectory& directory) : directory_(directory) {
    MutexLock lock(directory_.mutex_);
    while (directory_.busy_) directory_.turn_ended_.Wait(directory_.mutex_);
    directory_.busy_ = true;
  }
  ~Turn() {
    MutexLock lock(directory_.mutex_);
    directory_.busy_ = false;
    directory_.turn_ended_.NotifyOne();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  OwnedDirectory& directory_;
};

OwnedDirectory::OwnedDirectory(ObjectStore& store, FileRemover& remover, const Clock& clock,
                               Taken taken)
    : store_(store),
      remover_(remover),
      clock_(clock),
      place_(std::move(taken.place)),
      epoch_(taken.epoch),
      object_(DirectoryObject(place_.id)),
      version_(taken.version) {
  MutexLock lock(mutex_);
  for (auto& [name, entry] : taken.entries) {
    if (auto* file = std::get_if<FileEntry>(&entry)) {
      Put(name, OwnedFile{.entry = *file,
                          .synced = true,
                          .stored = true,
                          .current = true,
                          .replaced = std::nullopt,
                          .writer = {}});
    } else {
      names_.emplace(name, std::get<DirectoryId>(entry));
    }
  }
}

std::optional<Error> OwnedDirectory::ProblemLocked() const {
  if (fenced_)
    return Error(Code::kFenced,
                 fmt::format("another process owns the directory '{}' now", object_));
  return uncertain_;
}

Status OwnedDirectory::CheckOwned() const {
  MutexLock lock(mutex_);
  if (fenced_) return Fail(*ProblemLocked());
  return {};
}

Status OwnedDirectory::CheckChangeable() const {
  MutexLock lock(mutex_);
  if (const auto problem = ProblemLocked()) return Fail(*problem);
  return {};
}

void OwnedDirectory::Fence() {
  MutexLock lock(mutex_);
  fenced_ = true;
}

void OwnedDirectory::Failed(const Error& error) {
  switch (error.code()) {
    case Code::kResourceExhausted:
      return;  // nothing was changed
    case Code::kPreconditionFailed:
    case Code::kNotFound:
    case Code::kFenced:
      fenced_ = true;
      return;
    default:
      uncertain_ = Error(Code::kUnavailable,
                         fmt::format("what became of a change of the directory '{}' is unknown; "
                                     "take it again ({})",
                                     object_, error.ToString()));
  }
}

OwnedDirectory::OwnedFile* OwnedDirectory::FindFile(const std::string& name) {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : std::get_if<OwnedFile>(&found->second);
}

OwnedDirectory::OwnedFile* OwnedDirectory::FindTag(const LinkTag& tag) {
  const auto found = names_by_tag_.find(tag);
  return found == names_by_tag_.end() ? nullptr : FindFile(found->second);
}

std::optional<Found> OwnedDirectory::Find(const std::string& name) const {
  MutexLock lock(mutex_);
  const auto found = names_.find(name);
  if (found == names_.end()) return std::nullopt;
  if (const auto* file = std::get_if<OwnedFile>(&found->second))
    return FoundFile{.entry = file->entry, .writer = file->writer.lock()};
  return std::get<DirectoryId>(found->second);
}

std::vector<std::pair<std::string, Found>> OwnedDirectory::List() const {
  MutexLock lock(mutex_);
  std::vector<std::pair<std::string, Found>> list;
  for (const auto& [name, value] : names_) {
    if (const auto* file = std::get_if<OwnedFile>(&value)) {
      list.emplace_back(name, FoundFile{.entry = file->entry, .writer = file->writer.lock()});
    } else {
      list.emplace_back(name, std::get<DirectoryId>(value));
    }
  }
  return list;
}

LinkTag OwnedDirectory::NewTag() {
  MutexLock lock(mutex_);
  const LinkTag tag{.directory = place_.id, .epoch = epoch_, .number = ++last_number_};
  unnamed_.insert(tag);
  return tag;
}

void OwnedDirectory::Abandon(const LinkTag& tag) {
  MutexLock lock(mutex_);
  unnamed_.erase(tag);
}

void OwnedDirectory::Put(const std::string& name, OwnedFile file) {
  names_by_tag_[file.entry.tag] = name;
  unnamed_.erase(file.entry.tag);
  names_.insert_or_assign(name, std::move(file));
}

void OwnedDirectory::Forget(const std::string& name, std::vector<FileEntry>& unlinked) {
  const auto found = names_.find(name);
  if (found == names_.end()) return;
  if (const auto* file = std::get_if<OwnedFile>(&found->second)) {
    unlinked.push_back(file->entry);
    if (file->replaced.has_value()) unlinked.push_back(*file->replaced);
    names_by_tag_.erase(file->entry.tag);
  }
  names_.erase(found);
}

Status OwnedDirectory::Commit(ObjectWrite change, bool all) {
  ObjectWrite write;
  std::vector<LinkTag> storing;
  std::vector<LinkTag> first;  // of those the ones that were not stored before
  uint64_t version = 0;
  {
    MutexLock lock(mutex_);
    if (const auto problem = ProblemLocked()) return Fail(*problem);
    version = version_ + 1;
    write.RequireAttribute(kEpochAttribute, EpochText(epoch_));
    const bool needed = !change.steps().empty();
    for (auto& [name, value] : names_) {
      auto* file = std::get_if<OwnedFile>(&value);
      if (file == nullptr || file->current || !(file->synced || all)) continue;
      if (!file->stored) first.push_back(file->entry.tag);
      file->stored = true;
      storing.push_back(file->entry.tag);
      write.SetEntry(name, EncodeEntry(file->entry));
    }
    // That a file is closed can wait.
    if (!needed && first.empty()) return {};
  }
  write.SetAttribute(kVersionAttribute, std::to_string(version));
  for (ObjectWrite::Step& step : change.steps()) write.steps().push_back(std::move(step));
  const Status changed = store_.Apply(object_, std::move(write));

  std::vector<FileEntry> unlinked;
  {
    MutexLock lock(mutex_);
    if (!changed.has_value()) {
      Failed(changed.error());
      if (const auto problem = ProblemLocked()) return Fail(*problem);
      for (const LinkTag& tag : first)
        if (OwnedFile* file = FindTag(tag)) file->stored = false;
      return changed;
    }
    version_ = version;
    for (const LinkTag& tag : storing) {
      OwnedFile* file = FindTag(tag);
      if (file == nullptr) continue;
      file->current = true;
      if (file->replaced.has_value()) unlinked.push_back(*std::exchange(file->replaced, {}));
    }
  }
  for (const FileEntry& entry : unlinked) remover_.Unlink(entry);
  return {};
}

Result<std::shared_ptr<FileWriter>> OwnedDirectory::NewFile(uint32_t stripe_bytes) {
  ORRERY_TRY(CheckChangeable());
  const FileId id = NewTag();
  const FileEntry entry{
      .id = id, .tag = id, .stripe_bytes = stripe_bytes, .modified = clock_.Now()};
  return std::make_shared<FileWriter>(
      store_, entry, [self = shared_from_this(), id] { return self->Confirm(id); });
}

Status OwnedDirectory::NameFile(const std::string& name,
                                const std::shared_ptr<FileWriter>& writer) {
  std::vector<FileEntry> unlinked;
  {
    const Turn turn(*this);
    MutexLock lock(mutex_);
    if (const auto problem = ProblemLocked()) return Fail(*problem);
    const auto found = names_.find(name);
    if (found != names_.end() && std::holds_alternative<DirectoryId>(found->second))
      return IsDirectory(name);
    OwnedFile file;
    file.entry = writer->entry();
    file.writer = writer;
    if (OwnedFile* former = FindFile(name)) {
      file.replaced = std::exchange(former->replaced, std::nullopt);
      if (former->stored) {
        file.replaced = former->entry;
        names_by_tag_.erase(former->entry.tag);
        names_.erase(found);
      } else {
        Forget(name, unlinked);
      }
    }
    Put(name, std::move(file));
  }
  for (const FileEntry& entry : unlinked) remover_.Unlink(entry);
  return {};
}

void OwnedDirectory::Synced(const LinkTag& tag) {
  MutexLock lock(mutex_);
  if (OwnedFile* file = FindTag(tag)) file->synced = true;
}

Status OwnedDirectory::Closed(const LinkTag& tag, uint64_t bytes) {
  const Turn turn(*this);
  bool is_new = false;
  {
    MutexLock lock(mutex_);
    if (const auto problem = ProblemLocked()) return Fail(*problem);
    OwnedFile* file = FindTag(tag);
    if (file == nullptr) return {};  // deleted meanwhile
    file->entry.closed = true;
    file->entry.bytes = bytes;
    file->entry.modified = clock_.Now();
    file->synced = true;
    file->current = false;
    file->writer.reset();
    is_new = !file->stored;
  }
  // A takeover finds out how long an open file is: that it is closed is stored with the next
  // change.
  return is_new ? Commit(ObjectWrite()) : Status();
}

Status OwnedDirectory::AddLink(const std::string& name, const FileEntry& entry) {
  const Turn turn(*this);
  MutexLock lock(mutex_);
  if (const auto problem = ProblemLocked()) return Fail(*problem);
  if (names_.contains(name))
    return Fail(Code::kAlreadyExists, fmt::format("there is a '{}'", name));
  OwnedFile file;
  file.entry = entry;
  file.synced = true;
  Put(name, std::move(file));
  return {};
}

Status OwnedDirectory::Replace(const std::string& name, const FileEntry& entry) {
  std::vector<FileEntry> unlinked;
  {
    const Turn turn(*this);
    ORRERY_TRY(Commit(ObjectWrite().SetEntry(name, EncodeEntry(entry))));
    MutexLock lock(mutex_);
    Forget(name, unlinked);
    Put(name, OwnedFile{.entry = entry,
                        .synced = true,
                        .stored = true,
                        .current = true,
                        .replaced = std::nullopt,
                        .writer = {}});
  }
  for (const FileEntry& gone : unlinked) remover_.Unlink(gone);
  return {};
}

Status OwnedDirectory::Rename(const std::string& from, const std::string& to) {
  std::vector<FileEntry> unlinked;
  {
    const Turn turn(*this);
    ObjectWrite change;
    {
      MutexLock lock(mutex_);
      const auto source = names_.find(from);
      if (source == names_.end()) return NoSuch(from);
      if (from == to) return {};
      const auto target = names_.find(to);
      const auto* file = std::get_if<OwnedFile>(&source->second);
      if (target != names_.end() && (file == nullptr || FindFile(to) == nullptr))
        return Fail(Code::kAlreadyExists, fmt::format("there is a '{}'", to));
      const Entry entry =
          file != nullptr ? Entry(file->entry) : Entry(std::get<DirectoryId>(source->second));
      change.RemoveEntry(from).SetEntry(to, EncodeEntry(entry));
    }
    ORRERY_TRY(Commit(std::move(change)));
    MutexLock lock(mutex_);
    Forget(to, unlinked);
    auto moved = names_.extract(from);
    if (auto* file = std::get_if<OwnedFile>(&moved.mapped())) {
      file->stored = true;
      file->current = true;
      if (file->replaced.has_value()) unlinked.push_back(*std::exchange(file->replaced, {}));
      names_by_tag_[file->entry.tag] = to;
    }
    moved.key() = to;
    names_.insert(std::move(moved));
  }
  for (const FileEntry& entry : unlinked) remover_.Unlink(entry);
  return {};
}

Status OwnedDirectory::Delete(const std::string& name) {
  std::vector<FileEntry> unlinked;
  {
    const Turn turn(*this);
    bool stored = false;
    {
      MutexLock lock(mutex_);
      if (const auto problem = ProblemLocked()) return Fail(*problem);
      if (!names_.contains(name)) return NoSuch(name);
      const OwnedFile* file = FindFile(name);
      if (file == nullptr) return IsDirectory(name);
      stored = file->stored || file->replaced.has_value();
    }
    if (stored) ORRERY_TRY(Commit(ObjectWrite().RemoveEntry(name)));
    MutexLock lock(mutex_);
    Forget(name, unlinked);
  }
  for (const FileEntry& entry : unlinked) remover_.Unlink(entry);
  return {};
}

Status OwnedDirectory::AddDirectory(const std::string& name, DirectoryId directory) {
  const Turn turn(*this);
  {
    MutexLock lock(mutex_);
    if (names_.contains(name))
      return Fail(Code::kAlreadyExists, fmt::format("there is a '{}'", name));
  }
  ORRERY_TRY(Commit(ObjectWrite().SetEntry(name, EncodeEntry(directory))));
  MutexLock lock(mutex_);
  names_.emplace(name, directory);
  return {};
}

Status OwnedDirectory::RemoveDirectory(const std::string& name) {
  const Turn turn(*this);
  ORRERY_TRY(Commit(ObjectWrite().RemoveEntry(name)));
  MutexLock lock(mutex_);
  names_.erase(name);
  return {};
}

Status OwnedDirectory::StoreNames() {
  const Turn turn(*this);
  return Commit(ObjectWrite(), /*all=*/true);
}

Status OwnedDirectory::Confirm(const LinkTag& tag) {
  {
    MutexLock lock(mutex_);
    if (const auto problem = ProblemLocked()) return Fail(*problem);
    const OwnedFile* file = FindTag(tag);
    if (file == nullptr || !file->stored) return {};
  }
  const Status owned = store_.Apply(
      object_, ObjectWrite().RequireAttribute(kEpochAttribute, EpochText(epoch_)).Create());
  if (owned.has_value()) return {};
  MutexLock lock(mutex_);
  Failed(owned.error());
  if (const auto problem = ProblemLocked()) return Fail(*problem);
  return owned;
}

bool OwnedDirectory::Knows(const LinkTag& tag) const {
  MutexLock lock(mutex_);
  if (names_by_tag_.contains(tag) || unnamed_.contains(tag)) return true;
  // Files that are replaced but named still in the store.
  for (const auto& [name, value] : names_) {
    const auto* file = std::get_if<OwnedFile>(&value);
    if (file != nullptr && file->replaced.has_value() && file->replaced->tag == tag) return true;
  }
  return false;
}

}  // namespace orrery::storage::rados
