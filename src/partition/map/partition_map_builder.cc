#include "partition/map/partition_map_builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace orrery::partition {
namespace {

Status CheckCoversRing(ContainerId container, const RangeTable& table) {
  const auto fail = [&](std::string text) {
    return Fail(Code::kInvalidArgument, fmt::format("container {}: {}", container.value(), text));
  };
  if (table.empty()) return fail("no ranges");
  if (table.front().range.begin() != Hash128::Min()) {
    return fail(fmt::format("the first range is {}, it must begin at the ring's first position",
                            table.front().range.ToString()));
  }
  for (size_t i = 1; i < table.size(); ++i) {
    const HashRange& before = table[i - 1].range;
    const HashRange& range = table[i].range;
    if (before.Precedes(range)) continue;
    return fail(fmt::format("{} and {} {}", before.ToString(), range.ToString(),
                            before.Overlaps(range) ? "overlap" : "do not follow each other"));
  }
  if (!table.back().range.reaches_top()) {
    return fail(
        fmt::format("the last range is {}, it must reach the top", table.back().range.ToString()));
  }
  return {};
}

// `table` with `range` on `partition`.
RangeTable WithAssigned(const RangeTable& table, const HashRange& range, PartitionId partition,
                        std::string begin_epk) {
  RangeTable result;
  const auto append = [&](RangeEntry entry) {
    if (!result.empty() && result.back().partition == entry.partition) {
      result.back().range = HashRange::Inclusive(result.back().range.begin(), entry.range.last());
    } else {
      result.push_back(std::move(entry));
    }
  };
  for (const RangeEntry& entry : table) {
    if (!entry.range.Overlaps(range)) {
      append(entry);
      continue;
    }
    if (entry.range.begin() < range.begin()) {
      append({entry.range.CutAt(range.begin()).first, entry.partition, entry.begin_epk});
    }
    if (entry.range.Contains(range.begin())) {
      if (begin_epk.empty() && entry.range.begin() == range.begin()) begin_epk = entry.begin_epk;
      append({range, partition, begin_epk});
    }
    if (entry.range.last() > range.last()) {
      append({entry.range.CutAt(*range.end()).second, entry.partition, ""});
    }
  }
  return result;
}

using SliceEditor = decltype(PartitionInfo::slices)::Editor;

// The slices of all partitions that the changes touch, edited in place.
class SliceEdits {
 public:
  explicit SliceEdits(const PartitionMap& base) : base_(base) {}

  void Remove(ContainerId container, const RangeEntry& entry) {
    For(entry.partition).Erase({container, entry.range.begin()});
  }
  void Add(ContainerId container, const RangeEntry& entry) {
    For(entry.partition).Put({container, entry.range.begin()}, entry.range);
  }
  SliceEditor& For(PartitionId id) {
    const auto found = editors_.find(id);
    if (found != editors_.end()) return found->second;
    const PartitionInfo* info = base_.Find(id);
    const decltype(PartitionInfo::slices) none;
    return editors_.emplace(id, SliceEditor(info == nullptr ? none : info->slices)).first->second;
  }
  std::map<PartitionId, SliceEditor>& editors() { return editors_; }

 private:
  const PartitionMap& base_;
  std::map<PartitionId, SliceEditor> editors_;
};

}  // namespace

PartitionMapBuilder::PartitionMapBuilder(std::shared_ptr<const PartitionMap> base)
    : base_(std::move(base)) {
  ORRERY_CHECK(base_ != nullptr);
}

bool PartitionMapBuilder::HasPartition(PartitionId id) const {
  if (added_.contains(id)) return true;
  return base_->Find(id) != nullptr && !removed_.contains(id);
}

Status PartitionMapBuilder::CheckPartition(PartitionId id) const {
  if (HasPartition(id)) return {};
  return Fail(Code::kNotFound, fmt::format("no partition {} in the map", id.value()));
}

const RangeTable* PartitionMapBuilder::Current(ContainerId container) const {
  const auto changed = tables_.find(container);
  if (changed != tables_.end()) return changed->second.empty() ? nullptr : &changed->second;
  const auto* table = base_->containers_.Find(container);
  return table == nullptr ? nullptr : table->get();
}

Status PartitionMapBuilder::AddPartition(PartitionId id, std::vector<PartitionId> parents) {
  if (HasPartition(id) || removed_.contains(id)) {
    return Fail(Code::kAlreadyExists,
                fmt::format("partition {} is in the map; ids are never reused", id.value()));
  }
  added_.emplace(id, std::move(parents));
  return {};
}

Status PartitionMapBuilder::RemovePartition(PartitionId id) {
  ORRERY_TRY(CheckPartition(id));
  if (added_.erase(id) == 0) removed_.insert(id);
  return {};
}

Status PartitionMapBuilder::SetContainer(ContainerId container, RangeTable table) {
  ORRERY_TRY(CheckCoversRing(container, table));
  for (const RangeEntry& entry : table) ORRERY_TRY(CheckPartition(entry.partition));
  tables_.insert_or_assign(container, std::move(table));
  return {};
}

Status PartitionMapBuilder::RemoveContainer(ContainerId container) {
  if (Current(container) == nullptr) {
    return Fail(Code::kNotFound, fmt::format("no container {} in the map", container.value()));
  }
  tables_.insert_or_assign(container, RangeTable{});
  return {};
}

Status PartitionMapBuilder::Assign(const Slice& slice, PartitionId partition,
                                   std::string begin_epk) {
  ORRERY_TRY(CheckPartition(partition));
  const RangeTable* table = Current(slice.container);
  if (table == nullptr) {
    return Fail(Code::kNotFound,
                fmt::format("no container {} in the map", slice.container.value()));
  }
  tables_.insert_or_assign(slice.container,
                           WithAssigned(*table, slice.range, partition, std::move(begin_epk)));
  return {};
}

Result<std::shared_ptr<const PartitionMap>> PartitionMapBuilder::Build() && {
  SliceEdits slices(*base_);
  decltype(PartitionMap::containers_)::Editor containers(base_->containers_);
  for (auto& [container, table] : tables_) {
    for (const RangeEntry& entry : base_->Ranges(container)) slices.Remove(container, entry);
    for (const RangeEntry& entry : table) {
      ORRERY_TRY(CheckPartition(entry.partition));
      slices.Add(container, entry);
    }
    if (table.empty()) {
      containers.Erase(container);
    } else {
      containers.Put(container, std::make_shared<const RangeTable>(std::move(table)));
    }
  }
  for (const auto& [id, parents] : added_) slices.For(id);
  for (const PartitionId id : removed_) slices.For(id);

  decltype(PartitionMap::partitions_)::Editor partitions(base_->partitions_);
  for (auto& [id, editor] : slices.editors()) {
    auto edited = std::move(editor).Finish();
    if (!HasPartition(id)) {
      if (!edited.empty()) {
        return Fail(Code::kInvalidArgument,
                    fmt::format("partition {} is removed but still has {} slices", id.value(),
                                edited.size()));
      }
      partitions.Erase(id);
      continue;
    }
    const auto added = added_.find(id);
    auto& parents = added != added_.end() ? added->second : base_->Find(id)->parents;
    partitions.Put(id, std::make_shared<const PartitionInfo>(PartitionInfo{
                           .id = id, .parents = parents, .slices = std::move(edited)}));
  }

  auto map = std::make_shared<PartitionMap>();
  map->version_ = base_->version_.Next();
  map->containers_ = std::move(containers).Finish();
  map->partitions_ = std::move(partitions).Finish();
  return map;
}

}  // namespace orrery::partition
