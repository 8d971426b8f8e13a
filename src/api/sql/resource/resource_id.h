// Resource ids (`_rid`): what every resource of the SQL API is called besides its name. They are
// hierarchical, and official clients take them apart.
//
//   rid        := base64, padded, with '-' for '/'
//   database   := number:uint32                                       (big-endian)
//   container  := database, number:uint32 with the highest bit set
//   user       := database, number:uint32 with the highest bit clear
//   permission := user, number:uint64
//   key        := database, 0:uint32, number:uint32 2:uint32           (both little-endian)
//   child      := container, number:uint60 kind:uint4                 (little-endian: the kind is
//                                                                      half of the last byte)
//   offer      := number:uint24
//
// Pure functions of their input.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::sql {

enum class RidKind : uint8_t {
  kOffer,
  kDatabase,
  kContainer,
  kUser,
  kPermission,
  kEncryptionKey,
  kDocument,
  kConflict,
  kPartitionKeyRange,
  kUserFunction,
  kTrigger,
  kStoredProcedure,
};

struct ResourceId {
  RidKind kind = RidKind::kDatabase;
  uint32_t offer = 0;      // of kOffer, which has nothing else; below 2^24
  uint32_t database = 0;   // not 0
  uint32_t container = 0;  // below 2^31; of containers and their children
  uint32_t user = 0;       // below 2^31; of users and permissions
  uint64_t child = 0;      // of permissions; of keys, below 2^32; of a container's, below 2^60

  static ResourceId Database(uint32_t database);
  static ResourceId Container(uint32_t database, uint32_t container);
  static ResourceId User(uint32_t database, uint32_t user);
  static ResourceId Permission(uint32_t database, uint32_t user, uint64_t number);
  static ResourceId EncryptionKey(uint32_t database, uint32_t number);
  // REQUIRES: `kind` is one of a container's children.
  static ResourceId Child(RidKind kind, uint32_t database, uint32_t container, uint64_t number);
  static ResourceId Offer(uint32_t number);

  friend bool operator==(const ResourceId&, const ResourceId&) = default;
};

std::string FormatRid(const ResourceId& id);
// nullopt when the text is no id of these kinds. One id has exactly one text.
std::optional<ResourceId> ParseRid(std::string_view text);

}  // namespace orrery::sql
