#include "storage/rules.h"

#include "base/log.h"
#include "storage/rules_rep.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

std::vector<std::string_view> Views(const auto& slices) {
  std::vector<std::string_view> views;
  views.reserve(slices.size());
  for (const rocksdb::Slice& slice : slices) views.push_back(ToView(slice));
  return views;
}

rocksdb::CompactionFilter::Decision DecisionOf(Fate fate) {
  using Decision = rocksdb::CompactionFilter::Decision;
  switch (fate) {
    case Fate::kStays:
      return Decision::kKeep;
    case Fate::kShrinks:
      return Decision::kChangeValue;
    case Fate::kGoes:
      return Decision::kRemove;
  }
  return Decision::kKeep;
}

}  // namespace

rocksdb::CompactionFilter::Decision KeepRuleFilter::FilterV2(
    int /*level*/, const rocksdb::Slice& key, ValueType type, const rocksdb::Slice& value,
    std::string* new_value, std::string* /*skip_until*/) const {
  // A merge operand is only part of a value; the rule sees the whole once it is merged.
  if (type != ValueType::kValue) return Decision::kKeep;
  try {
    return DecisionOf(rule_.Decide(ToView(key), ToView(value), *new_value));
  } catch (...) {
    LogError("a keep rule threw: the entry is kept");
    return Decision::kKeep;
  }
}

bool MergeRuleOperator::FullMergeV2(const MergeOperationInput& in,
                                    MergeOperationOutput* out) const {
  try {
    std::optional<std::string_view> existing;
    if (in.existing_value != nullptr) existing = ToView(*in.existing_value);
    return rule_.Merge(ToView(in.key), existing, Views(in.operand_list), /*partial=*/false,
                       out->new_value);
  } catch (...) {
    LogError("a merge rule threw: the read fails");
    return false;
  }
}

bool MergeRuleOperator::PartialMergeMulti(const rocksdb::Slice& key,
                                          const std::deque<rocksdb::Slice>& operands,
                                          std::string* merged, rocksdb::Logger* /*logger*/) const {
  try {
    return rule_.Merge(ToView(key), std::nullopt, Views(operands), /*partial=*/true, *merged);
  } catch (...) {
    // Not an error yet: RocksDB keeps the operands and asks again when it has the whole value.
    return false;
  }
}

}  // namespace orrery::storage
