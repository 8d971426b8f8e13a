// KeepRule and MergeRule in the forms that RocksDB calls. Internal to storage/.
//
// RocksDB is not written for exceptions passing through it: each adapter answers for its rule when
// the rule throws, in the way that loses nothing (keep the entry; fail the merge).
#pragma once

#include <rocksdb/compaction_filter.h>
#include <rocksdb/merge_operator.h>

#include "storage/rules.h"

namespace orrery::storage {

class KeepRuleFilter final : public rocksdb::CompactionFilter {
 public:
  explicit KeepRuleFilter(const KeepRule& rule) : rule_(rule) {}
  const char* Name() const override { return "orrery.KeepRule"; }
  Decision FilterV2(int level, const rocksdb::Slice& key, ValueType type,
                    const rocksdb::Slice& value, std::string* new_value,
                    std::string* skip_until) const override;

 private:
  const KeepRule& rule_;  // must outlive the filter
};

class MergeRuleOperator final : public rocksdb::MergeOperator {
 public:
  explicit MergeRuleOperator(const MergeRule& rule) : rule_(rule) {}
  const char* Name() const override { return "orrery.MergeRule"; }
  bool FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const override;
  bool PartialMergeMulti(const rocksdb::Slice& key, const std::deque<rocksdb::Slice>& operands,
                         std::string* merged, rocksdb::Logger* logger) const override;

 private:
  const MergeRule& rule_;  // must outlive the operator
};

}  // namespace orrery::storage
