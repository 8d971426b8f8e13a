#include "storage/rados/directory/garbage.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/has_code.h"
#include "storage/rados/file/link_tags.h"
#include "storage/rados/file/stripes.h"
#include "storage/rados/parallel.h"

namespace orrery::storage::rados {
namespace {

constexpr size_t kRemovalsAtOnce = 16;

}  // namespace

Result<std::optional<GarbageCount>> GarbageSweep::Step(size_t objects) {
  ORRERY_ASSIGN(NamePage page, store_.List(cursor_, objects));
  ORRERY_TRY(Judge(page.names));
  count_.objects_seen += page.names.size();
  cursor_ = std::move(page.cursor);
  if (!cursor_.empty()) return std::nullopt;
  snapshots_.clear();
  return std::exchange(count_, {});
}

Status GarbageSweep::Judge(const std::vector<std::string>& names) {
  std::vector<DirectoryId> directories;
  std::map<FileId, Stripes> files;
  for (const std::string& name : names) {
    if (const auto directory = ParseDirectoryObject(name)) {
      directories.push_back(*directory);
    } else if (const auto stripe = ParseStripeObject(name)) {
      files[stripe->first].insert(stripe->second);
    } else {
      ++count_.objects_unknown;
    }
  }
  // A damaged directory must not keep the rest of the store from being examined.
  const auto unless_damaged = [this](Status considered) -> Status {
    if (considered.has_value() || considered.error().code() != Code::kCorruption) return considered;
    ++count_.objects_unknown;
    return {};
  };
  for (const DirectoryId directory : directories) ORRERY_TRY(unless_damaged(Consider(directory)));
  for (const auto& [file, stripes] : files) ORRERY_TRY(unless_damaged(Consider(file, stripes)));
  return {};
}

// As it was at some moment of this pass: what is dead by that is dead for good. A directory that is
// not there is looked for again, as it may have got its object since.
Result<const DirectorySnapshot*> GarbageSweep::Snapshot(DirectoryId directory) {
  const auto found = snapshots_.find(directory);
  if (found != snapshots_.end()) return &found->second;
  ORRERY_ASSIGN(auto snapshot, ReadSnapshot(store_, directory));
  if (!snapshot.has_value()) return nullptr;
  if (snapshots_.size() >= kSnapshotsMax) snapshots_.clear();
  return &snapshots_.emplace(directory, *std::move(snapshot)).first->second;
}

Status GarbageSweep::Consider(DirectoryId directory) {
  if (directory == kRootDirectory) return {};
  ORRERY_ASSIGN(const std::optional<DirectoryState> state, ReadState(store_, directory));
  if (!state.has_value()) return {};
  const auto names_it = [directory](const DirectorySnapshot& above) {
    return std::ranges::any_of(
        above.entries, [directory](const auto& entry) { return entry.second == Entry(directory); });
  };
  ORRERY_ASSIGN(const DirectorySnapshot* known, Snapshot(state->parent));
  if (known != nullptr && names_it(*known)) return {};
  // Not from what was read before: the object may have been made since.
  snapshots_.erase(state->parent);
  ORRERY_ASSIGN(known, Snapshot(state->parent));
  if (known != nullptr && names_it(*known)) return {};
  return Remove({DirectoryObject(directory)});
}

// Returns whether the owner of `id`'s epoch may still be at work, in another process or this one.
// When not, it never will be again.
Result<bool> GarbageSweep::MayBeNamed(const FileId& id) {
  if (const auto owned = tree_.OwnedById(id.directory); owned && owned->epoch() == id.epoch)
    return owned->Knows(id);
  ORRERY_ASSIGN(const DirectorySnapshot* snapshot, Snapshot(id.directory));
  // A later epoch than the snapshot's has come since.
  return snapshot != nullptr && snapshot->state.epoch <= id.epoch;
}

Result<std::optional<FileEntry>> GarbageSweep::OwnEntry(const FileId& file) {
  ORRERY_ASSIGN(const Link own, JudgeLink(file));
  return own.entry;
}

Result<GarbageSweep::Link> GarbageSweep::JudgeLink(const LinkTag& tag) {
  ORRERY_ASSIGN(const DirectorySnapshot* snapshot, Snapshot(tag.directory));
  if (snapshot != nullptr) {
    for (const auto& [name, entry] : snapshot->entries) {
      const auto* file = std::get_if<FileEntry>(&entry);
      if (file != nullptr && file->tag == tag) return Link{.dead = false, .entry = *file};
    }
  }
  ORRERY_ASSIGN(const bool may_be, MayBeNamed(tag));
  return Link{.dead = !may_be, .entry = std::nullopt};
}

Status GarbageSweep::Consider(const FileId& file, const Stripes& stripes) {
  if (remover_.Holds(file)) return {};
  if (!stripes.contains(0)) {
    // The common case costs no look at the first stripe: its directory names the file, and these
    // lie within.
    ORRERY_ASSIGN(const std::optional<FileEntry> own, OwnEntry(file));
    if (own.has_value() && own->closed && *stripes.rbegin() < StripeCount(*own)) return {};
  }
  Result<std::set<LinkTag>> links = ReadLinks(store_, file);
  if (HasCode(links, Code::kNotFound) && stripes.contains(0))
    return {};  // removed by whoever removes the rest
  if (HasCode(links, Code::kNotFound)) return ConsiderHeadless(file, stripes);
  if (!links.has_value()) return Fail(std::move(links).error());
  std::set<LinkTag> dead;
  std::vector<FileEntry> named;
  for (const LinkTag& tag : *links) {
    ORRERY_ASSIGN(const Link link, JudgeLink(tag));
    if (link.dead) dead.insert(tag);
    if (link.entry.has_value()) named.push_back(*link.entry);
  }
  if (dead.size() == links->size()) return RemoveFile(file, stripes, *links);
  for (const LinkTag& tag : dead) {
    ORRERY_TRY(RemoveLink(store_, file, tag));
    ++count_.links_removed;
  }
  // One that may be about to be named says nothing of the length.
  if (named.size() + dead.size() < links->size()) return {};
  return RemoveBehindEnd(file, stripes, named);
}

// All of it, unless a link was added since `links` were read.
Status GarbageSweep::RemoveFile(const FileId& file, const Stripes& stripes,
                                const std::set<LinkTag>& links) {
  const Status removed =
      store_.Apply(StripeObject(file, 0),
                   ObjectWrite().RequireAttribute(kLinksAttribute, EncodeLinks(links)).Remove());
  if (!removed.has_value()) {
    const Code code = removed.error().code();
    if (code == Code::kPreconditionFailed || code == Code::kNotFound) return {};
    return removed;
  }
  ++count_.objects_removed;
  count_.links_removed += links.size();
  std::vector<std::string> rest;
  for (const uint32_t stripe : stripes)
    if (stripe > 0) rest.push_back(StripeObject(file, stripe));
  return Remove(std::move(rest));
}

Status GarbageSweep::ConsiderHeadless(const FileId& file, const Stripes& stripes) {
  ORRERY_ASSIGN(const bool may_be, MayBeNamed(file));
  if (may_be) return {};
  // The first may have been written after the listing, by an owner that was fenced since; and the
  // new owner may be about to seal the file with what it finds.
  if (!HasCode(store_.Stat(StripeObject(file, 0)), Code::kNotFound)) return {};
  ORRERY_ASSIGN(const Link own, JudgeLink(file));
  if (own.entry.has_value()) return RemoveBehindEnd(file, stripes, {*own.entry});
  std::vector<std::string> names;
  for (const uint32_t stripe : stripes) names.push_back(StripeObject(file, stripe));
  return Remove(std::move(names));
}

Status GarbageSweep::RemoveBehindEnd(const FileId& file, const Stripes& stripes,
                                     const std::vector<FileEntry>& named) {
  ORRERY_ASSIGN(const bool may_be, MayBeNamed(file));
  if (may_be) return {};
  uint32_t end = 1;  // the first has the links
  for (const FileEntry& entry : named) {
    if (!entry.closed) return {};
    end = std::max(end, StripeCount(entry));
  }
  std::vector<std::string> behind;
  for (const uint32_t stripe : stripes)
    if (stripe >= end) behind.push_back(StripeObject(file, stripe));
  return Remove(std::move(behind));
}

Status GarbageSweep::Remove(std::vector<std::string> objects) {
  for (size_t first = 0; first < objects.size(); first += kRemovalsAtOnce) {
    std::vector<ObjectChange> removals;
    for (size_t i = first; i < std::min(objects.size(), first + kRemovalsAtOnce); ++i)
      removals.push_back({.object = std::move(objects[i]), .write = ObjectWrite().Remove()});
    for (const Status& removed : ApplyAll(store_, std::move(removals))) {
      if (removed.has_value()) ++count_.objects_removed;
      if (!removed.has_value() && !HasCode(removed, Code::kNotFound)) return removed;
    }
  }
  return {};
}

}  // namespace orrery::storage::rados
