#include "storage/rados/file/stripes.h"

#include <algorithm>

#include "storage/rados/parallel.h"

namespace orrery::storage::rados {
namespace {

// Looked at in one go. More than a writer has on their way, so that a batch without any is the end.
constexpr uint32_t kBatch = 8;
static_assert(kBatch > kStripesInFlightMax);

std::vector<std::string> Names(const FileId& file, uint32_t first) {
  std::vector<std::string> names;
  const uint32_t end = first <= UINT32_MAX - kBatch ? first + kBatch : UINT32_MAX;
  for (uint32_t stripe = first; stripe < end; ++stripe) names.push_back(StripeObject(file, stripe));
  return names;
}

bool Missing(const auto& answer) {
  return !answer.has_value() && answer.error().code() == Code::kNotFound;
}

// The end of the first stripe of `names` that is not full; nullopt when all are.
Result<std::optional<uint64_t>> FindEnd(ObjectStore& store, const std::vector<std::string>& names,
                                        uint32_t first, uint32_t stripe_bytes) {
  // The usual log has one.
  if (names.size() == 1) {
    ORRERY_ASSIGN(const ObjectStat stat, store.Stat(names[0]));
    const uint64_t start = uint64_t{first} * stripe_bytes;
    if (stat.bytes < stripe_bytes) return start + stat.bytes;
    return std::nullopt;
  }
  std::vector<ObjectRange> ranges;
  for (const std::string& name : names)
    ranges.push_back({.object = name, .offset = stripe_bytes - 1, .bytes = 1});
  const std::vector<Result<std::string>> last_bytes = ReadAll(store, ranges);
  for (size_t i = 0; i < last_bytes.size(); ++i) {
    const uint64_t start = (uint64_t{first} + i) * stripe_bytes;
    if (Missing(last_bytes[i])) return start;
    if (!last_bytes[i].has_value()) return Fail(last_bytes[i].error());
    if (!last_bytes[i]->empty()) continue;
    ORRERY_ASSIGN(const ObjectStat stat, store.Stat(names[i]));
    return start + std::min<uint64_t>(stat.bytes, stripe_bytes);
  }
  return std::nullopt;
}

}  // namespace

std::string EpochText(DirectoryEpoch epoch) { return std::to_string(epoch.value()); }

Result<uint64_t> MeasureFile(ObjectStore& store, const FileEntry& file) {
  for (uint32_t first = 0; first <= UINT32_MAX - kBatch; first += kBatch) {
    ORRERY_ASSIGN(const std::optional<uint64_t> end,
                  FindEnd(store, Names(file.id, first), first, file.stripe_bytes));
    if (end.has_value()) return *end;
  }
  return Fail(Code::kCorruption, "a file without an end: " + StripeObject(file.id, 0));
}

Result<uint64_t> SealFile(ObjectStore& store, const FileEntry& file, DirectoryEpoch epoch) {
  for (uint32_t first = 0; first <= UINT32_MAX - kBatch; first += kBatch) {
    const std::vector<std::string> names = Names(file.id, first);
    std::vector<ObjectChange> seals;
    for (const std::string& name : names) {
      seals.push_back(
          {.object = name,
           .write = ObjectWrite().RequireThere().SetAttribute(kEpochAttribute, EpochText(epoch))});
    }
    std::vector<std::string> sealed;
    bool hole = false;
    for (size_t i = 0; const Status& answer : ApplyAll(store, std::move(seals))) {
      if (!answer.has_value() && !Missing(answer)) return Fail(answer.error());
      // Stripes behind one that was missing when it was sealed are no part of the file, even if the
      // former owner makes that stripe now.
      hole = hole || Missing(answer);
      if (!hole) sealed.push_back(names[i]);
      ++i;
    }
    ORRERY_ASSIGN(const std::optional<uint64_t> end,
                  FindEnd(store, sealed, first, file.stripe_bytes));
    if (end.has_value()) return *end;
    if (hole) return (first + sealed.size()) * uint64_t{file.stripe_bytes};
  }
  return Fail(Code::kCorruption, "a file without an end: " + StripeObject(file.id, 0));
}

Status RemoveStripes(ObjectStore& store, const FileId& file, std::optional<uint32_t> stripes) {
  Status failed;
  for (uint32_t first = 1; first <= UINT32_MAX - kBatch; first += kBatch) {
    if (stripes.has_value() && first >= *stripes) return failed;
    std::vector<ObjectChange> removals;
    for (std::string& name : Names(file, first)) {
      if (stripes.has_value() && first + removals.size() >= *stripes) break;
      removals.push_back({.object = std::move(name), .write = ObjectWrite().Remove()});
    }
    bool found = false;
    for (const Status& answer : ApplyAll(store, std::move(removals))) {
      found = found || !Missing(answer);
      if (!answer.has_value() && !Missing(answer)) failed = answer;
    }
    if (!found && !stripes.has_value()) return failed;
    if (!failed.has_value()) return failed;
  }
  return failed;
}

uint32_t StripeCount(const FileEntry& file) {
  return static_cast<uint32_t>((file.bytes + file.stripe_bytes - 1) / file.stripe_bytes);
}

}  // namespace orrery::storage::rados
