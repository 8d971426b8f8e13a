// Rows that the deletion of their logical partition, or of a range in it, hides: nobody sees them,
// but they take space and every scan steps over them. A sweep writes the deletion into each of
// them, which changes nothing that anybody can see, whatever is written meanwhile (but for counters
// that are counted on after their deletion: they begin anew then): the row's cells go at the next
// merge, and the row itself when the deletion is older than its grace. Then the
// deletion of the range may go too (retention_rule.h).
//
// Compaction finds what there is to sweep: it meets every stored deletion now and then.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/key_layout.h"
#include "item/row/size_counts.h"
#include "model/row/row.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

// ShadowedRowNotes lists which logical partitions of a physical one are to be swept, and which
// were. What does not fit is met by a later compaction. Thread-safe; not persistent.
class ShadowedRowNotes {
 public:
  static constexpr size_t kDueMax = 1'024;
  static constexpr size_t kSweptMax = 16'384;

  // Compaction met a deletion that the server learned of at `local_s`. True when the partition was
  // swept after that; else it will be.
  bool Met(const DecodedKey& key, uint32_t local_s) EXCLUDES(mutex_);

  bool AnyDue() const EXCLUDES(mutex_);
  std::vector<CountedKey> TakeDue() EXCLUDES(mutex_);
  // All rows were found that deletions hide which were known before the second `at_s`.
  void Swept(const CountedKey& key, uint32_t at_s) EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::set<CountedKey> due_ GUARDED_BY(mutex_);
  std::map<CountedKey, uint32_t> swept_ GUARDED_BY(mutex_);
};

struct ShadowedRow {
  std::string clustering;
  model::Deletion deletion;  // that hides some of it or all
};

struct ShadowedRows {
  std::vector<ShadowedRow> rows;
  std::optional<std::string> next;  // after which clustering key to go on; nothing: that was all
};

// Looks at up to `limit` rows of a logical partition after one. Blocks. REQUIRES: the schema is of
// rows.
Result<ShadowedRows> FindShadowedRows(const storage::Engine& engine, const ContainerSchema& schema,
                                      const CountedKey& key,
                                      const std::optional<std::string>& after, size_t limit);

// A mutation that writes their deletions into the rows.
std::unique_ptr<partition::Mutation> DeleteShadowedRows(CountedKey key,
                                                        std::vector<ShadowedRow> rows,
                                                        std::move_only_function<void(Status)> done);

}  // namespace orrery::item
