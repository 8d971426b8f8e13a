// A PrivateWriter evaluates mutations for one transaction alone: on a view of its own, in its own
// order, and with nothing written but a batch that the caller keeps.
//
// It is the other one beside the Sequencer that drives a GroupWriter. For one thread at a time.
#pragma once

#include <functional>
#include <string_view>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "partition/group_writer.h"
#include "partition/sequencer.h"
#include "storage/engine/read_view.h"

namespace orrery::partition {

class PrivateWriter {
 public:
  // What the view is made of must outlive it.
  explicit PrivateWriter(const storage::ReadView& view) : writer_(view) {}

  // Evaluates a mutation on the view. An error takes back what it wrote. The batch is to be looked
  // at, and dropped by Clear(), before the next.
  Status Evaluate(Mutation& mutation, Lsn lsn, Micros now);

  // Returns what the last mutation wrote.
  const storage::Batch& batch() { return writer_.forming_.batch(); }
  // Calls `visit` with the keys that it wrote to be read again: records, unique keys, sizes.
  void ForEachKey(const std::function<void(std::string_view key)>& visit) const {
    writer_.forming_.ForEachKey(visit);
  }
  void Clear() { writer_.forming_.Clear(); }

 private:
  GroupWriter writer_;
};

}  // namespace orrery::partition
