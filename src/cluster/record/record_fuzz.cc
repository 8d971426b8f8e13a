// Records of partitions and their owners stand in the system store, which may be damaged: any bytes
// must give records or an error, records must survive being written again, and whatever they say
// must be judged and merged without harm. The input is a list of records, each after its length.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "cluster/record/merge_record.h"
#include "cluster/record/ownership_record.h"
#include "cluster/record/partition_record.h"
#include "cluster/record/record_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  using namespace orrery::cluster;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ByteReader reader(bytes);
  std::vector<PartitionRecord> records;
  std::string_view piece;
  while (reader.ReadLengthPrefixed(piece)) {
    auto record = DecodePartitionRecord(piece);
    if (!record.has_value()) continue;
    const auto again = DecodePartitionRecord(EncodePartitionRecord(*record));
    ORRERY_CHECK(again.has_value() && *again == *record);
    records.push_back(*std::move(record));
  }
  (void)CheckRecords(records, [](ContainerId) { return true; });
  for (size_t i = 1; i < records.size(); ++i) {
    const auto merged = MergeRecords(records[i - 1], records[i], PartitionId(1));
    ORRERY_CHECK(!merged.has_value() || merged->parents.size() <= kAncestorsMax);
  }

  std::string key(kOwnershipPrefix);
  key += bytes.substr(0, sizeof(uint64_t));
  (void)PartitionRecordName(key);
  const auto owned = DecodeOwnership(key, bytes.substr(std::min(size, sizeof(uint64_t))));
  ORRERY_CHECK(!owned.has_value() || OwnershipKey(owned->partition) == key);
  return 0;
}
