// The items of one logical partition in the order of an index, without that index: all of them are
// read, and those kept that come next.
//
// It gives what an index would give, item by item and in the same order, so that a scan may change
// over to this where entries of other logical partitions would have to be skipped for too long
// (index_scan.cc). Costs as much as the logical partition is large, whatever is wanted of it: so
// more is given than a page asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "item/container_schema.h"
#include "item/read/page_builder.h"
#include "item/read/reader.h"
#include "storage/engine/read_view.h"

namespace orrery::item {

// All must outlive the call only.
struct PartitionOrder {
  storage::ReadView view;  // frozen
  const ContainerSchema& schema;
  const ScanRequest& request;                   // its index is read, in its logical partition
  const std::vector<ValueInterval>& intervals;  // cut
  const std::optional<std::string>& after;      // the key of an index entry: those behind it
  storage::ReadMode mode;
  Micros now;
};

// Adds the items to the page, as many as it has room for in bytes and kReadItemsMin at least in
// number. Whether there are more.
inline constexpr size_t kReadItemsMin = 4'096;
Result<bool> AddInOrder(const PartitionOrder& order, PageBuilder& page);

}  // namespace orrery::item
