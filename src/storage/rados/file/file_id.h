// FileId and DirectoryId name files and directories inside the object store, independent of their
// paths.
//
//   directory := id:hex16 ".dir"
//   stripe    := directory:hex16 "." epoch:hex8 "." number:hex8 "." stripe:hex8
//
// A file's id says which directory it was made in and under which epoch of that directory's
// ownership: two owners never give the same id, so none can write over another's file, whatever it
// believes to own. docs/format/rados.md has examples.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.h"

namespace orrery::storage::rados {

// Chosen at random when a directory is made, and never again for another.
using DirectoryId = StrongId<struct DirectoryIdTag, uint64_t>;
inline constexpr DirectoryId kRootDirectory{1};

// Raised each time a directory gets a new owner; 0 while it is shared by all.
using DirectoryEpoch = StrongId<struct DirectoryEpochTag, uint32_t>;
inline constexpr DirectoryEpoch kShared{0};

struct FileId {
  DirectoryId directory;
  DirectoryEpoch epoch;
  uint32_t number = 0;

  auto operator<=>(const FileId&) const = default;
};

// One name of a file: by whom and when it was given, as for a file. The first name of a file has
// the file's own id.
using LinkTag = FileId;

std::string DirectoryObject(DirectoryId directory);
std::string StripeObject(const FileId& file, uint32_t stripe);

// nullopt for every other name.
std::optional<DirectoryId> ParseDirectoryObject(std::string_view object);
std::optional<std::pair<FileId, uint32_t>> ParseStripeObject(std::string_view object);

}  // namespace orrery::storage::rados
