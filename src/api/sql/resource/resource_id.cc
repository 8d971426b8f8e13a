#include "api/sql/resource/resource_id.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "gateway/account/base64.h"

namespace orrery::sql {
namespace {

constexpr uint32_t kContainerBit = uint32_t{1} << 31;
constexpr int kKindShift = 60;
constexpr uint64_t kChildNumberMax = (uint64_t{1} << kKindShift) - 1;
constexpr uint32_t kOfferNumberMax = (uint32_t{1} << 24) - 1;
constexpr int kDatabaseChildShift = 32;
constexpr uint64_t kEncryptionKeyCode = 2;
constexpr uint64_t kEncryptionKeyNumberMax = (uint64_t{1} << kDatabaseChildShift) - 1;
constexpr size_t kOfferBytes = 3;
constexpr size_t kDatabaseBytes = 4;
constexpr size_t kOwnerBytes = 8;   // containers and users
constexpr size_t kChildBytes = 16;  // what they have

constexpr std::array<std::pair<RidKind, uint8_t>, 6> kChildKinds = {{
    {RidKind::kDocument, 0},
    {RidKind::kConflict, 4},
    {RidKind::kPartitionKeyRange, 5},
    {RidKind::kUserFunction, 6},
    {RidKind::kTrigger, 7},
    {RidKind::kStoredProcedure, 8},
}};

std::optional<uint8_t> ChildCode(RidKind kind) {
  const auto* const found =
      std::ranges::find(kChildKinds, kind, &std::pair<RidKind, uint8_t>::first);
  if (found == kChildKinds.end()) return std::nullopt;
  return found->second;
}

void AppendLittleEndian(std::string& out, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t LoadLittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    value |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
  return value;
}

std::string BytesOf(const ResourceId& id) {
  std::string bytes;
  if (id.kind == RidKind::kOffer) {
    AppendLittleEndian(bytes, id.offer, kOfferBytes);
    return bytes;
  }
  AppendBigEndian(bytes, id.database);
  if (id.kind == RidKind::kDatabase) return bytes;
  if (id.kind == RidKind::kUser || id.kind == RidKind::kPermission) {
    AppendBigEndian(bytes, id.user);
    if (id.kind == RidKind::kPermission) AppendLittleEndian(bytes, id.child, sizeof(uint64_t));
    return bytes;
  }
  if (id.kind == RidKind::kEncryptionKey) {
    AppendBigEndian(bytes, uint32_t{0});
    AppendLittleEndian(bytes, id.child | kEncryptionKeyCode << kDatabaseChildShift,
                       sizeof(uint64_t));
    return bytes;
  }
  AppendBigEndian(bytes, id.container | kContainerBit);
  if (const auto code = ChildCode(id.kind); code.has_value()) {
    AppendLittleEndian(bytes, id.child | uint64_t{*code} << kKindShift, sizeof(uint64_t));
  }
  return bytes;
}

std::optional<ResourceId> FromBytes(std::string_view bytes) {
  if (bytes.size() == kOfferBytes) {
    return ResourceId::Offer(static_cast<uint32_t>(LoadLittleEndian(bytes)));
  }
  if (bytes.size() != kDatabaseBytes && bytes.size() != kOwnerBytes &&
      bytes.size() != kChildBytes) {
    return std::nullopt;
  }
  const auto database = LoadBigEndian<uint32_t>(bytes.data());
  if (database == 0) return std::nullopt;
  if (bytes.size() == kDatabaseBytes) return ResourceId::Database(database);
  const auto owner = LoadBigEndian<uint32_t>(bytes.data() + kDatabaseBytes);
  const bool in_container = (owner & kContainerBit) != 0;
  const uint32_t number = owner & ~kContainerBit;
  if (bytes.size() == kOwnerBytes) {
    return in_container ? ResourceId::Container(database, number)
                        : ResourceId::User(database, number);
  }
  const uint64_t child = LoadLittleEndian(bytes.substr(kOwnerBytes));
  if (!in_container && number == 0) {
    if (child >> kDatabaseChildShift != kEncryptionKeyCode) return std::nullopt;
    return ResourceId::EncryptionKey(database,
                                     static_cast<uint32_t>(child & kEncryptionKeyNumberMax));
  }
  if (!in_container) return ResourceId::Permission(database, number, child);
  const auto* const kind = std::ranges::find(kChildKinds, static_cast<uint8_t>(child >> kKindShift),
                                             &std::pair<RidKind, uint8_t>::second);
  if (kind == kChildKinds.end()) return std::nullopt;
  return ResourceId::Child(kind->first, database, number, child & kChildNumberMax);
}

}  // namespace

ResourceId ResourceId::Database(uint32_t database) {
  ResourceId id;
  id.kind = RidKind::kDatabase;
  id.database = database;
  return id;
}

ResourceId ResourceId::Container(uint32_t database, uint32_t container) {
  ORRERY_CHECK(container < kContainerBit);
  ResourceId id = Database(database);
  id.kind = RidKind::kContainer;
  id.container = container;
  return id;
}

ResourceId ResourceId::User(uint32_t database, uint32_t user) {
  ORRERY_CHECK(user < kContainerBit);
  ResourceId id = Database(database);
  id.kind = RidKind::kUser;
  id.user = user;
  return id;
}

ResourceId ResourceId::Permission(uint32_t database, uint32_t user, uint64_t number) {
  ResourceId id = User(database, user);
  id.kind = RidKind::kPermission;
  id.child = number;
  return id;
}

ResourceId ResourceId::EncryptionKey(uint32_t database, uint32_t number) {
  ResourceId id = Database(database);
  id.kind = RidKind::kEncryptionKey;
  id.child = number;
  return id;
}

ResourceId ResourceId::Child(RidKind kind, uint32_t database, uint32_t container, uint64_t number) {
  ORRERY_CHECK(ChildCode(kind).has_value() && number <= kChildNumberMax);
  ResourceId id = Container(database, container);
  id.kind = kind;
  id.child = number;
  return id;
}

ResourceId ResourceId::Offer(uint32_t number) {
  ORRERY_CHECK(number <= kOfferNumberMax);
  ResourceId id;
  id.kind = RidKind::kOffer;
  id.offer = number;
  return id;
}

std::string FormatRid(const ResourceId& id) {
  std::string text = gateway::ToBase64(BytesOf(id));
  std::ranges::replace(text, '/', '-');
  return text;
}

std::optional<ResourceId> ParseRid(std::string_view text) {
  std::string standard(text);
  if (standard.contains('/')) return std::nullopt;
  std::ranges::replace(standard, '-', '/');
  std::string bytes;
  if (!gateway::FromBase64(standard, bytes)) return std::nullopt;
  const std::optional<ResourceId> id = FromBytes(bytes);
  // Bits that no byte uses make another text of the same bytes.
  return id.has_value() && FormatRid(*id) == text ? id : std::nullopt;
}

}  // namespace orrery::sql
