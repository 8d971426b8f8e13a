#include "storage/rados/directory/takeover.h"

#include <fmt/core.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "storage/rados/file/stripes.h"

namespace orrery::storage::rados {
namespace {

// Others that change it while it is shared.
constexpr int kTakeoverAttemptsMax = 16;
constexpr size_t kSealsAtOnce = 8;

std::unexpected<Error> DirectoryContended(const std::string& object) {
  return Fail(Code::kUnavailable,
              fmt::format("the directory object '{}' changes all the time", object));
}
std::unexpected<Error> TakenByOther(const std::string& object) {
  return Fail(Code::kFenced, fmt::format("another process has taken '{}' meanwhile", object));
}

// nullopt when it has got an object meanwhile.
Result<std::optional<OwnedDirectory::Taken>> TakeWithoutObject(ObjectStore& store,
                                                               const DirectoryPlace& place) {
  constexpr DirectoryEpoch kFirst{1};
  const Status made = store.Apply(DirectoryObject(place.id), MakeDirectoryObject(place, kFirst));
  if (!made.has_value() && made.error().code() == Code::kAlreadyExists) return std::nullopt;
  if (!made.has_value()) return Fail(made.error());
  ORRERY_TRY(RequireNamed(store, place));
  return OwnedDirectory::Taken{.place = place, .epoch = kFirst, .version = 1, .entries = {}};
}

// One thread each: a file is sealed in a few steps that follow each other.
std::vector<Result<uint64_t>> SealAll(ObjectStore& store, const std::vector<FileEntry>& files,
                                      DirectoryEpoch epoch) {
  std::vector<Result<uint64_t>> sizes(files.size());
  for (size_t first = 0; first < files.size(); first += kSealsAtOnce) {
    std::vector<std::jthread> threads;
    for (size_t i = first; i < std::min(files.size(), first + kSealsAtOnce); ++i)
      threads.emplace_back([&, i] { sizes[i] = SealFile(store, files[i], epoch); });
  }
  return sizes;
}

Status SealOpenFiles(ObjectStore& store, OwnedDirectory::Taken& taken) {
  std::vector<FileEntry> open;
  for (const auto& [name, entry] : taken.entries) {
    const auto* file = std::get_if<FileEntry>(&entry);
    if (file == nullptr || file->closed) continue;
    // Sealing it would fence the owner that has come after us.
    if (file->id.epoch >= taken.epoch) return TakenByOther(DirectoryObject(taken.place.id));
    open.push_back(*file);
  }
  if (open.empty()) return {};
  const std::vector<Result<uint64_t>> sizes = SealAll(store, open, taken.epoch);
  ObjectWrite write;
  write.RequireAttribute(kEpochAttribute, EpochText(taken.epoch))
      .SetAttribute(kVersionAttribute, std::to_string(++taken.version));
  for (size_t i = 0; auto& [name, entry] : taken.entries) {
    auto* file = std::get_if<FileEntry>(&entry);
    if (file == nullptr || file->closed) continue;
    ORRERY_ASSIGN(file->bytes, sizes[i++]);
    file->closed = true;
    write.SetEntry(name, EncodeEntry(*file));
  }
  return store.Apply(DirectoryObject(taken.place.id), std::move(write));
}

}  // namespace

Result<OwnedDirectory::Taken> TakeDirectory(ObjectStore& store, const DirectoryPlace& place,
                                            std::optional<DirectoryEpoch> only_from) {
  const std::string object = DirectoryObject(place.id);
  for (int attempt = 0; attempt < kTakeoverAttemptsMax; ++attempt) {
    ORRERY_ASSIGN(const std::optional<DirectoryState> state, ReadState(store, place.id));
    const DirectoryEpoch former = state.has_value() ? state->epoch : kShared;
    // If another process was quicker, the caller must decide again whether to take over.
    if (!only_from.has_value()) only_from = former;
    if (former != *only_from) return TakenByOther(object);
    if (!state.has_value()) {
      ORRERY_ASSIGN(auto taken, TakeWithoutObject(store, place));
      if (taken.has_value()) return *std::move(taken);
      continue;
    }
    if (former == DirectoryEpoch(UINT32_MAX))
      return Fail(Code::kCorruption,
                  fmt::format("the directory object '{}' has no more epochs", object));
    const Status raised =
        store.Apply(object, ObjectWrite()
                                .RequireAttribute(kEpochAttribute, EpochText(former))
                                .SetAttribute(kEpochAttribute, EpochText(former.Next())));
    if (!raised.has_value()) {
      const Code code = raised.error().code();
      if (code == Code::kPreconditionFailed || code == Code::kNotFound) continue;
      return Fail(raised.error());
    }
    // From here on nobody changes it but who takes it after us: the entries are of one moment. The
    // former owner may have raised the version since it was read; with another epoch the same
    // version is another state.
    OwnedDirectory::Taken taken{
        .place = place, .epoch = former.Next(), .version = state->version, .entries = {}};
    ORRERY_ASSIGN(taken.entries, ReadEntries(store, place.id));
    const Status sealed = SealOpenFiles(store, taken);
    if (sealed.has_value()) return taken;
    if (sealed.error().code() == Code::kPreconditionFailed) return TakenByOther(object);
    return Fail(sealed.error());
  }
  return DirectoryContended(object);
}

Result<OwnedDirectory::Taken> TakeEmptyShared(ObjectStore& store, const DirectoryPlace& place) {
  const std::string object = DirectoryObject(place.id);
  for (int attempt = 0; attempt < kTakeoverAttemptsMax; ++attempt) {
    ORRERY_ASSIGN(const std::optional<DirectoryState> state, ReadState(store, place.id));
    if (!state.has_value()) {
      ORRERY_ASSIGN(auto taken, TakeWithoutObject(store, place));
      if (taken.has_value()) return *std::move(taken);
      continue;
    }
    if (state->epoch != kShared)
      return Fail(Code::kFenced, fmt::format("the directory of '{}' has an owner", object));
    ORRERY_ASSIGN(const Entries entries, ReadEntries(store, place.id));
    if (!entries.empty())
      return Fail(Code::kInvalidArgument,
                  fmt::format("the directory of '{}' is not empty", object));
    // Unchanged since the version was read: empty still.
    const DirectoryEpoch mine = state->epoch.Next();
    const Status raised =
        store.Apply(object, ObjectWrite()
                                .RequireAttribute(kEpochAttribute, EpochText(kShared))
                                .RequireAttribute(kVersionAttribute, std::to_string(state->version))
                                .SetAttribute(kEpochAttribute, EpochText(mine)));
    if (raised.has_value()) {
      return OwnedDirectory::Taken{
          .place = place, .epoch = mine, .version = state->version, .entries = {}};
    }
    const Code code = raised.error().code();
    if (code != Code::kPreconditionFailed && code != Code::kNotFound) return Fail(raised.error());
  }
  return DirectoryContended(object);
}

}  // namespace orrery::storage::rados
