// The changes of rows that the mutations of one group made, until the group is written.
//
// Used by whoever has the turn to evaluate (partition/sequencer.h); Begin and Rollback as the
// ledger's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/hash128.h"
#include "base/ids.h"
#include "item/layout/feed_codec.h"
#include "item/row_feed/feed_pack.h"
#include "partition/group_writer.h"

namespace orrery::item {

class GroupChanges {
 public:
  // Starts a transaction.
  void Begin();
  // `seq` rises from one change of a transaction in a container to the next.
  void Add(ContainerId container, Lsn lsn, Hash128 hash, uint32_t seq, const Change& change);
  // Takes back what was added since Begin.
  void Rollback();

  // Writes all of them as packs, and begins anew.
  void Flush(partition::GroupWriter& writer);

 private:
  struct Place {
    ContainerId container;
    Lsn lsn;
    Hash128 hash;
    uint32_t seq = 0;
    size_t begin = 0;  // in bytes_
    size_t end = 0;
  };
  void PutPack(partition::GroupWriter& writer, ContainerId container);

  std::vector<Place> places_;
  std::string bytes_;  // the changes, encoded
  size_t places_at_begin_ = 0;
  PackBuilder pack_;
  std::string key_;
};

}  // namespace orrery::item
