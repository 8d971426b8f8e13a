#include "api/sql/document/container_names.h"

#include "api/sql/resource/resource_id.h"
#include "base/bytes.h"
#include "base/murmur3.h"

namespace orrery::sql {

ContainerNames::ContainerNames(DatabaseId database, ContainerId container)
    : database_(database),
      container_(container),
      rid_(FormatRid(ResourceId::Container(database.value(), container.value()))),
      self_("dbs/" + FormatRid(ResourceId::Database(database.value())) + "/colls/" + rid_ + "/") {}

uint64_t ContainerNames::DocumentNumber(item::ItemRef key) {
  constexpr int kNumberBits = 60;
  constexpr int kRestBits = kNumberBits - kRidRingBits;
  std::string bytes;
  AppendBigEndian(bytes, static_cast<uint32_t>(key.partition_key.size()));
  bytes += key.partition_key;
  bytes += key.row_key;
  const uint64_t place = key.hash.high >> (64 - kRidRingBits);
  return place << kRestBits | Murmur3(bytes).high >> (64 - kRestBits);
}

std::string ContainerNames::DocumentRid(item::ItemRef key) const {
  return FormatRid(ResourceId::Child(RidKind::kDocument, database_.value(), container_.value(),
                                     DocumentNumber(key)));
}

std::string ContainerNames::DocumentSelf(std::string_view document_rid) const {
  std::string self = self_;
  self += "docs/";
  self += document_rid;
  self += '/';
  return self;
}

}  // namespace orrery::sql
