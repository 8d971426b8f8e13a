#include "storage/rados/directory/directory_object.h"

#include <fmt/core.h>

#include <charconv>

#include "base/has_code.h"
#include "storage/rados/file/stripes.h"

namespace orrery::storage::rados {
namespace {

constexpr size_t kEntriesPerPage = 1'000;
// Others that change a shared directory at the same moment, one after the other.
constexpr int kEntryAttemptsMax = 64;

template <typename T>
Result<T> NumberIn(const std::map<std::string, std::string>& attributes, const char* name, int base,
                   const std::string& object) {
  const auto found = attributes.find(name);
  if (found != attributes.end()) {
    const std::string& text = found->second;
    T value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error == std::errc() && end == text.data() + text.size()) return value;
  }
  return Fail(Code::kCorruption,
              fmt::format("the attribute '{}' of the directory object '{}' is missing or damaged",
                          name, object));
}

void AddSteps(ObjectWrite& write, ObjectWrite more) {
  for (ObjectWrite::Step& step : more.steps()) write.steps().push_back(std::move(step));
}

}  // namespace

Result<std::optional<DirectoryState>> ReadState(ObjectStore& store, DirectoryId directory) {
  const std::string object = DirectoryObject(directory);
  const auto attributes = store.Attributes(object);
  if (HasCode(attributes, Code::kNotFound)) return std::nullopt;
  if (!attributes.has_value()) return Fail(attributes.error());
  ORRERY_ASSIGN(const auto epoch, NumberIn<uint32_t>(*attributes, kEpochAttribute, 10, object));
  ORRERY_ASSIGN(const auto version, NumberIn<uint64_t>(*attributes, kVersionAttribute, 10, object));
  ORRERY_ASSIGN(const auto parent, NumberIn<uint64_t>(*attributes, kParentAttribute, 16, object));
  return DirectoryState{
      .epoch = DirectoryEpoch(epoch), .version = version, .parent = DirectoryId(parent)};
}

Result<Entries> ReadEntries(ObjectStore& store, DirectoryId directory) {
  const std::string object = DirectoryObject(directory);
  Entries entries;
  std::string after;
  for (bool more = true; more;) {
    Result<EntryPage> page = store.Entries(object, after, kEntriesPerPage);
    if (HasCode(page, Code::kNotFound)) return entries;
    if (!page.has_value()) return Fail(std::move(page).error());
    for (const auto& [name, bytes] : page->entries) {
      ORRERY_ASSIGN(Entry entry, DecodeEntry(bytes, object, name));
      entries.insert_or_assign(name, std::move(entry));
    }
    more = page->more && !page->entries.empty();
    if (more) after = page->entries.rbegin()->first;
  }
  return entries;
}

Result<std::optional<DirectorySnapshot>> ReadSnapshot(ObjectStore& store, DirectoryId directory) {
  for (int attempt = 0; attempt < kEntryAttemptsMax; ++attempt) {
    ORRERY_ASSIGN(const std::optional<DirectoryState> before, ReadState(store, directory));
    if (!before.has_value()) return std::nullopt;
    ORRERY_ASSIGN(Entries entries, ReadEntries(store, directory));
    ORRERY_ASSIGN(const std::optional<DirectoryState> after, ReadState(store, directory));
    if (!after.has_value()) return std::nullopt;
    if (after->epoch == before->epoch && after->version == before->version)
      return DirectorySnapshot{.state = *after, .entries = std::move(entries)};
  }
  return Fail(Code::kUnavailable, fmt::format("the directory object '{}' changes all the time",
                                              DirectoryObject(directory)));
}

Result<std::optional<Entry>> FindEntry(ObjectStore& store, DirectoryId directory,
                                       const std::string& name) {
  if (name.empty()) return std::nullopt;
  const std::string object = DirectoryObject(directory);
  // Close before the name: what lies between them is skipped.
  std::string after = name.substr(0, name.size() - 1);
  if (name.back() != '\0') {
    after.push_back(static_cast<char>(static_cast<uint8_t>(name.back()) - 1));
    after.push_back('\xff');
  }
  constexpr size_t kPage = 2;
  for (;;) {
    const Result<EntryPage> page = store.Entries(object, after, kPage);
    if (HasCode(page, Code::kNotFound)) return std::nullopt;
    if (!page.has_value()) return Fail(page.error());
    const auto found = page->entries.find(name);
    if (found != page->entries.end()) {
      ORRERY_ASSIGN(Entry entry, DecodeEntry(found->second, object, name));
      return entry;
    }
    if (!page->more || page->entries.empty() || page->entries.rbegin()->first > name)
      return std::nullopt;
    after = page->entries.rbegin()->first;
  }
}

ObjectWrite MakeDirectoryObject(const DirectoryPlace& place, DirectoryEpoch epoch) {
  return ObjectWrite()
      .CreateFirst()
      .SetAttribute(kEpochAttribute, EpochText(epoch))
      .SetAttribute(kVersionAttribute, "1")
      .SetAttribute(kParentAttribute, fmt::format("{:016x}", place.parent.value()));
}

Status RequireNamed(ObjectStore& store, const DirectoryPlace& place) {
  if (place.id == kRootDirectory) return {};
  ORRERY_ASSIGN(const std::optional<Entry> usual, FindEntry(store, place.parent, place.name));
  if (usual == Entry(place.id)) return {};
  ORRERY_ASSIGN(const Entries above, ReadEntries(store, place.parent));
  for (const auto& [name, entry] : above)
    if (entry == Entry(place.id)) return {};
  const std::string object = DirectoryObject(place.id);
  // Should that fail, the collection of garbage finds it.
  static_cast<void>(store.Apply(object, ObjectWrite().Remove()));
  return Fail(Code::kNotFound, fmt::format("the directory of '{}' was removed", object));
}

Status ChangeShared(ObjectStore& store, const DirectoryPlace& place, const SharedPlan& plan) {
  const std::string object = DirectoryObject(place.id);
  for (int attempt = 0; attempt < kEntryAttemptsMax; ++attempt) {
    // The state first: what the plan reads later is of this version, or the change is refused.
    ORRERY_ASSIGN(const std::optional<DirectoryState> state, ReadState(store, place.id));
    if (state.has_value() && state->epoch != kShared)
      return Fail(Code::kFenced, fmt::format("the directory of '{}' has an owner", object));
    ORRERY_ASSIGN(ObjectWrite change, plan());
    ObjectWrite write;
    if (state.has_value()) {
      write.RequireAttribute(kEpochAttribute, EpochText(kShared))
          .RequireAttribute(kVersionAttribute, std::to_string(state->version))
          .SetAttribute(kVersionAttribute, std::to_string(state->version + 1));
    } else {
      write = MakeDirectoryObject(place, kShared);
    }
    AddSteps(write, std::move(change));
    const Status changed = store.Apply(object, std::move(write));
    if (changed.has_value()) return state.has_value() ? Status() : RequireNamed(store, place);
    const Code code = changed.error().code();
    const bool raced = state.has_value()
                           ? code == Code::kPreconditionFailed || code == Code::kNotFound
                           : code == Code::kAlreadyExists;
    if (!raced) return changed;
  }
  return Fail(Code::kUnavailable,
              fmt::format("the directory object '{}' changes all the time", object));
}

Status MakeRoot(ObjectStore& store) {
  const Status made =
      store.Apply(DirectoryObject(kRootDirectory),
                  MakeDirectoryObject({.id = kRootDirectory, .parent = kRootDirectory}, kShared));
  if (!made.has_value() && made.error().code() == Code::kAlreadyExists) return {};
  return made;
}

}  // namespace orrery::storage::rados
