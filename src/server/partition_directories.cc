#include "server/partition_directories.h"

#include <charconv>
#include <optional>
#include <variant>

#include "storage/rados/directory/directory_object.h"
#include "storage/rados/file/file_id.h"

namespace orrery::server {
namespace {

using storage::rados::DirectoryId;
using storage::rados::Entries;

constexpr const char* kPartitions = "partitions";

std::optional<PartitionId> PartitionOf(const std::string& name) {
  uint64_t id = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return PartitionId(id);
}

}  // namespace

Result<std::map<PartitionId, std::string>> FindPartitionDirectories(
    storage::rados::ObjectStore& store) {
  std::map<PartitionId, std::string> objects;
  ORRERY_ASSIGN(const Entries root,
                storage::rados::ReadEntries(store, storage::rados::kRootDirectory));
  const auto partitions = root.find(kPartitions);
  if (partitions == root.end()) return objects;
  const auto* const directory = std::get_if<DirectoryId>(&partitions->second);
  if (directory == nullptr)
    return Fail(Code::kCorruption, "the store has a file where the partitions should be");
  ORRERY_ASSIGN(const Entries entries, storage::rados::ReadEntries(store, *directory));
  for (const auto& [name, entry] : entries) {
    const auto id = PartitionOf(name);
    const auto* const own = std::get_if<DirectoryId>(&entry);
    if (id.has_value() && own != nullptr)
      objects.emplace(*id, storage::rados::DirectoryObject(*own));
  }
  return objects;
}

}  // namespace orrery::server
