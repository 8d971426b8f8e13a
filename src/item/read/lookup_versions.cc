#include "item/read/lookup_versions.h"

#include <algorithm>
#include <functional>

#include "base/bytes.h"
#include "base/check.h"
#include "base/scramble.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"
#include "model/document/document.h"
#include "partition/sequencer.h"

namespace orrery::item {
namespace {

std::atomic<uint64_t> next_instance{1};

LookupVersions::Slot SlotOf(uint64_t hash) {
  return static_cast<LookupVersions::Slot>(Scramble(hash) % LookupVersions::kSlots);
}

uint64_t HashOf(std::string_view bytes) { return std::hash<std::string_view>{}(bytes); }

bool HasAll(const std::vector<std::string>* fields, std::span<const std::string_view> wanted) {
  return fields != nullptr && std::ranges::all_of(wanted, [&](std::string_view field) {
           return std::ranges::find(*fields, field) != fields->end();
         });
}

}  // namespace

LookupVersions::LookupVersions()
    : instance_(next_instance.fetch_add(1, std::memory_order_relaxed)) {}

bool LookupVersions::Watches(std::span<const std::string_view> fields) const {
  if (!active_.load(std::memory_order_acquire)) return false;
  return HasAll(fields_.Load().get(), fields);
}

void LookupVersions::Watch(partition::Sequencer& sequencer,
                           std::span<const std::string_view> fields) {
  const MutexLock lock(watch_mutex_);
  if (Watches(fields)) return;
  const auto before = fields_.Load();
  Fields all = before == nullptr ? Fields() : *before;
  for (const std::string_view field : fields) {
    if (std::ranges::find(all, field) == all.end()) all.emplace_back(field);
  }
  // Writes that were evaluated without being noted are stored when the sequencer is idle.
  sequencer.Pause();
  if (slots_ == nullptr) slots_ = std::make_unique<std::atomic<uint64_t>[]>(kSlots);
  fields_.Store(std::make_shared<const Fields>(std::move(all)));
  active_.store(true, std::memory_order_release);
  sequencer.Resume();
}

LookupVersions::Slot LookupVersions::SlotOfItem(std::string_view data_key) {
  return SlotOf(HashOf(data_key));
}

LookupVersions::Slot LookupVersions::SlotOfValue(ContainerId container, std::string_view field,
                                                 std::string_view value) {
  const uint64_t place = Scramble(HashOf(field) + container.value());
  return SlotOf(HashOf(value) ^ place);
}

void LookupVersions::Begin(Slot slot) {
  slots_[slot].fetch_add(kBegin, std::memory_order_acq_rel);
  forming_.push_back(slot);
}

void LookupVersions::OnStore(std::string_view key, std::optional<std::string_view> value) {
  if (key.empty() || key.front() != static_cast<char>(Space::kData)) return;
  Begin(SlotOfItem(key));
  if (!value.has_value()) return;
  const auto record = DecodeRecord(*value);
  ORRERY_CHECK(record.has_value());
  const auto container = ContainerId(LoadBigEndian<uint32_t>(key.data() + 1));
  const auto fields = fields_.Load();
  for (const model::ElementView field : model::DocumentView::Trusted(record->document)) {
    if (field.kind() != model::Kind::kString) continue;
    if (std::ranges::find(*fields, field.name()) == fields->end()) continue;
    Begin(SlotOfValue(container, field.name(), field.AsString()));
  }
}

void LookupVersions::OnSeal() {
  ORRERY_CHECK(sealed_.empty());
  sealed_.swap(forming_);
}

void LookupVersions::OnWritten(bool durable) {
  if (durable) {
    for (const Slot slot : sealed_) slots_[slot].fetch_sub(1, std::memory_order_acq_rel);
  }
  sealed_.clear();
}

}  // namespace orrery::item
