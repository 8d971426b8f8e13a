#include "storage/rados/directory/directory_tree.h"

#include <fmt/core.h>

#include <utility>

#include "storage/rados/directory/path.h"
#include "storage/rados/directory/takeover.h"
#include "storage/rados/file/stripes.h"

namespace orrery::storage::rados {
namespace {

std::unexpected<Error> NoDirectory(const std::string& path) {
  return Fail(Code::kNotFound, fmt::format("there is no directory '{}'", path));
}

Found ToFound(const Entry& entry) {
  if (const auto* file = std::get_if<FileEntry>(&entry))
    return FoundFile{.entry = *file, .writer = nullptr};
  return std::get<DirectoryId>(entry);
}

}  // namespace

DirectoryTree::DirectoryTree(ObjectStore& store, FileRemover& remover, const Clock& clock,
                             std::function<uint64_t()> random)
    : store_(store), remover_(remover), clock_(clock), random_(std::move(random)) {}

Result<std::optional<Found>> DirectoryTree::FindIn(const Place& directory,
                                                   const std::string& name) {
  if (directory.owned != nullptr) {
    ORRERY_TRY(directory.owned->CheckOwned());
    return directory.owned->Find(name);
  }
  ORRERY_ASSIGN(const std::optional<Entry> entry, FindEntry(store_, directory.place.id, name));
  if (!entry.has_value()) return std::nullopt;
  return ToFound(*entry);
}

Result<DirectoryTree::Place> DirectoryTree::Locate(const std::string& path) {
  Place at{.place = {.id = kRootDirectory, .parent = kRootDirectory}, .owned = nullptr};
  std::string done = "/";
  {
    MutexLock lock(mutex_);
    for (std::string prefix = path;; prefix = SplitPath(prefix).first) {
      const auto found = owned_.find(prefix);
      if (found != owned_.end()) {
        at = {.place = found->second->place(), .owned = found->second};
        done = prefix;
        break;
      }
      if (prefix == "/") break;
    }
  }
  while (done.size() < path.size()) {
    const size_t start = done == "/" ? 1 : done.size() + 1;
    const std::string name = path.substr(start, path.find('/', start) - start);
    done = path.substr(0, start + name.size());
    ORRERY_ASSIGN(const std::optional<Found> found, FindIn(at, name));
    if (!found.has_value() || !std::holds_alternative<DirectoryId>(*found))
      return NoDirectory(done);
    at = {.place = {.id = std::get<DirectoryId>(*found), .parent = at.place.id, .name = name},
          .owned = nullptr};
  }
  if (at.owned != nullptr) ORRERY_TRY(at.owned->CheckOwned());
  return at;
}

std::shared_ptr<OwnedDirectory> DirectoryTree::Adopt(const std::string& path,
                                                     OwnedDirectory::Taken taken) {
  auto directory = std::make_shared<OwnedDirectory>(store_, remover_, clock_, std::move(taken));
  std::shared_ptr<OwnedDirectory> former;
  {
    MutexLock lock(mutex_);
    std::shared_ptr<OwnedDirectory>& owned = owned_[path];
    // Another thread may have taken it since.
    if (owned != nullptr && owned->place().id == directory->place().id &&
        owned->epoch() > directory->epoch())
      return owned;
    former = std::exchange(owned, directory);
  }
  if (former != nullptr) former->Fence();
  return directory;
}

Result<std::shared_ptr<OwnedDirectory>> DirectoryTree::TakePlace(const std::string& path,
                                                                 const DirectoryPlace& place) {
  {
    MutexLock lock(mutex_);
    while (taking_over_) taken_.Wait(mutex_);
    const auto found = owned_.find(path);
    if (found != owned_.end() && found->second->place().id == place.id) return found->second;
    taking_over_ = true;
  }
  Result<OwnedDirectory::Taken> taken = TakeDirectory(store_, place);
  Result<std::shared_ptr<OwnedDirectory>> directory = Fail(Code::kInternal, "not taken");
  if (taken.has_value()) {
    directory = Adopt(path, *std::move(taken));
  } else {
    directory = Fail(std::move(taken).error());
  }
  MutexLock lock(mutex_);
  taking_over_ = false;
  taken_.NotifyAll();
  return directory;
}

void DirectoryTree::ForgetPath(const std::string& path) {
  std::shared_ptr<OwnedDirectory> former;
  MutexLock lock(mutex_);
  const auto found = owned_.find(path);
  if (found == owned_.end()) return;
  former = std::move(found->second);
  owned_.erase(found);
}

Status DirectoryTree::Take(const std::string& path) {
  DirectoryPlace place{.id = kRootDirectory, .parent = kRootDirectory};
  if (path != "/") {
    // Not from memory: the name may stand for another directory than the one we had.
    const auto [above, name] = SplitPath(path);
    ORRERY_ASSIGN(const Place parent, Locate(above));
    ORRERY_ASSIGN(const std::optional<Found> found, FindIn(parent, name));
    if (!found.has_value() || !std::holds_alternative<DirectoryId>(*found))
      return NoDirectory(path);
    place = {.id = std::get<DirectoryId>(*found), .parent = parent.place.id, .name = name};
  }
  ORRERY_ASSIGN(OwnedDirectory::Taken taken, TakeDirectory(store_, place));
  Adopt(path, std::move(taken));
  return {};
}

void DirectoryTree::Release(const std::string& path) { ForgetPath(path); }

Result<std::shared_ptr<OwnedDirectory>> DirectoryTree::LocateToChange(const std::string& path) {
  ORRERY_ASSIGN(Place at, Locate(path));
  if (at.owned == nullptr) {
    ORRERY_ASSIGN(at.owned, TakePlace(path, at.place));
  }
  ORRERY_TRY(at.owned->CheckChangeable());
  return at.owned;
}

Status DirectoryTree::PrepareToLock(const std::string& path) {
  ORRERY_ASSIGN(const Place at, Locate(path));
  if (at.owned != nullptr) {
    if (at.owned->CheckChangeable().has_value()) return {};
    ORRERY_ASSIGN(OwnedDirectory::Taken taken, TakeDirectory(store_, at.place, at.owned->epoch()));
    Adopt(path, std::move(taken));
    return {};
  }
  ORRERY_ASSIGN(const std::optional<DirectoryState> state, ReadState(store_, at.place.id));
  if (!state.has_value() || state->epoch == kShared) return {};
  return Fail(Code::kFenced,
              fmt::format("'{}' is owned by another process, or was: take it first", path));
}

Result<std::optional<Found>> DirectoryTree::Find(const std::string& path) {
  if (path == "/") return Found(kRootDirectory);
  std::shared_ptr<OwnedDirectory> owned;
  {
    MutexLock lock(mutex_);
    const auto found = owned_.find(path);
    if (found != owned_.end()) owned = found->second;
  }
  if (owned != nullptr) {
    ORRERY_TRY(owned->CheckOwned());
    return Found(owned->place().id);
  }
  const auto [above, name] = SplitPath(path);
  const Result<Place> parent = Locate(above);
  if (!parent.has_value() && parent.error().code() == Code::kNotFound) return std::nullopt;
  if (!parent.has_value()) return Fail(parent.error());
  return FindIn(*parent, name);
}

Result<std::vector<std::pair<std::string, Found>>> DirectoryTree::List(const std::string& path) {
  ORRERY_ASSIGN(const Place at, Locate(path));
  if (at.owned != nullptr) return at.owned->List();
  ORRERY_ASSIGN(const Entries entries, ReadEntries(store_, at.place.id));
  std::vector<std::pair<std::string, Found>> list;
  for (const auto& [name, entry] : entries) list.emplace_back(name, ToFound(entry));
  return list;
}

Status DirectoryTree::ChangeNames(const Place& directory,
                                  const std::function<Status(OwnedDirectory&)>& when_owned,
                                  const SharedPlan& when_shared) {
  if (directory.owned != nullptr) return when_owned(*directory.owned);
  return ChangeShared(store_, directory.place, when_shared);
}

Status DirectoryTree::Make(const std::string& path) {
  const auto [above, name] = SplitPath(path);
  if (name.empty()) return Fail(Code::kAlreadyExists, "there is a root already");
  ORRERY_ASSIGN(const Place parent, Locate(above));
  DirectoryId id;
  {
    MutexLock lock(mutex_);
    while (id.value() <= kRootDirectory.value()) id = DirectoryId(random_());
  }
  return ChangeNames(
      parent, [&](OwnedDirectory& owned) { return owned.AddDirectory(name, id); },
      [&]() -> Result<ObjectWrite> {
        ORRERY_ASSIGN(const auto taken, FindEntry(store_, parent.place.id, name));
        if (taken.has_value())
          return Fail(Code::kAlreadyExists, fmt::format("there is a '{}'", path));
        return ObjectWrite().SetEntry(name, EncodeEntry(id));
      });
}

Status DirectoryTree::Remove(const std::string& path) {
  const auto [above, name] = SplitPath(path);
  if (name.empty()) return Fail(Code::kInvalidArgument, "the root cannot be removed");
  ORRERY_ASSIGN(const Place parent, Locate(above));
  ORRERY_ASSIGN(Place child, Locate(path));
  DirectoryEpoch epoch;
  if (child.owned == nullptr) {
    // Taken while it is empty: nobody else puts anything into it from here on.
    Result<OwnedDirectory::Taken> taken = TakeEmptyShared(store_, child.place);
    if (!taken.has_value() && taken.error().code() == Code::kFenced) {
      ORRERY_ASSIGN(child.owned, TakePlace(path, child.place));
    } else if (!taken.has_value()) {
      return Fail(std::move(taken).error());
    } else {
      epoch = taken->epoch;
    }
  }
  if (child.owned != nullptr) {
    ORRERY_TRY(child.owned->CheckChangeable());
    if (!child.owned->List().empty())
      return Fail(Code::kInvalidArgument, fmt::format("the directory '{}' is not empty", path));
    epoch = child.owned->epoch();
  }
  ORRERY_TRY(ChangeNames(
      parent, [&](OwnedDirectory& owned) { return owned.RemoveDirectory(name); },
      [&]() -> Result<ObjectWrite> {
        ORRERY_ASSIGN(const auto now, FindEntry(store_, parent.place.id, name));
        if (now != Entry(child.place.id)) return NoDirectory(path);
        return ObjectWrite().RemoveEntry(name);
      }));
  ForgetPath(path);
  if (child.owned != nullptr) child.owned->Fence();
  // Nothing names it any more; should this fail, the collection of garbage does it.
  static_cast<void>(
      store_.Apply(DirectoryObject(child.place.id),
                   ObjectWrite().RequireAttribute(kEpochAttribute, EpochText(epoch)).Remove()));
  return {};
}

Status DirectoryTree::Rename(const std::string& from, const std::string& to) {
  const auto [from_above, from_name] = SplitPath(from);
  const auto [to_above, to_name] = SplitPath(to);
  if (from_above != to_above || from_name.empty() || to_name.empty())
    return Fail(Code::kUnsupported, "a directory is renamed within the one above it only");
  ORRERY_ASSIGN(const Place parent, Locate(from_above));
  ORRERY_ASSIGN(const Place child, Locate(from));
  if (from == to) return {};
  if (child.owned != nullptr) {
    // Its new name may be what makes it visible.
    ORRERY_TRY(child.owned->StoreNames());
  } else {
    ORRERY_ASSIGN(const std::optional<DirectoryState> state, ReadState(store_, child.place.id));
    if (state.has_value() && state->epoch != kShared)
      return Fail(Code::kFenced, fmt::format("'{}' is owned by another process", from));
  }
  ORRERY_TRY(ChangeNames(
      parent, [&](OwnedDirectory& owned) { return owned.Rename(from_name, to_name); },
      [&]() -> Result<ObjectWrite> {
        ORRERY_ASSIGN(const auto source, FindEntry(store_, parent.place.id, from_name));
        if (source != Entry(child.place.id)) return NoDirectory(from);
        ORRERY_ASSIGN(const auto target, FindEntry(store_, parent.place.id, to_name));
        if (target.has_value())
          return Fail(Code::kAlreadyExists, fmt::format("there is a '{}'", to));
        return ObjectWrite().RemoveEntry(from_name).SetEntry(to_name, EncodeEntry(child.place.id));
      }));
  MutexLock lock(mutex_);
  std::map<std::string, std::shared_ptr<OwnedDirectory>> moved;
  for (auto it = owned_.begin(); it != owned_.end();) {
    if (IsWithin(it->first, from)) {
      moved[to + it->first.substr(from.size())] = std::move(it->second);
      it = owned_.erase(it);
    } else {
      ++it;
    }
  }
  owned_.merge(moved);
  return {};
}

std::shared_ptr<OwnedDirectory> DirectoryTree::OwnedById(DirectoryId directory) const {
  MutexLock lock(mutex_);
  for (const auto& [path, owned] : owned_)
    if (owned->place().id == directory && owned->CheckOwned().has_value()) return owned;
  return nullptr;
}

}  // namespace orrery::storage::rados
