#include "cluster/cut_epk.h"

#include <optional>

#include "item/maintenance/recount.h"
#include "model/key/key_codec.h"
#include "partition/key/partition_key.h"

namespace orrery::cluster {

Result<std::string> EpkOfCut(const storage::Engine& engine, const item::ContainerSchema& schema,
                             const partition::HashRange& range, Hash128 cut) {
  if (schema.hashing != partition::KeyHashing::kMultiHash || cut.low == 0) return "";
  const auto first_level =
      range.Intersect(partition::HashRange::Inclusive({cut.high, 0}, {cut.high, UINT64_MAX}));
  if (!first_level.has_value() || !first_level->Contains(cut)) return "";
  // Any key of the first level has its EPK; the one at the cut also has the second level's.
  const auto at_cut = partition::HashRange::Inclusive(cut, first_level->last());
  ORRERY_ASSIGN(auto key, item::FirstLogicalPartition(engine, schema.id, at_cut));
  if (!key.has_value()) {
    ORRERY_ASSIGN(key, item::FirstLogicalPartition(engine, schema.id, *first_level));
  }
  if (!key.has_value()) return "";
  ORRERY_ASSIGN(const auto values, model::DecodeKey(key->partition_key));
  return partition::EpkOfCut(cut, values);
}

}  // namespace orrery::cluster
