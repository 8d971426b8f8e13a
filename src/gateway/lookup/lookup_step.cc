#include "gateway/lookup/lookup_step.h"

#include <algorithm>
#include <utility>

#include "base/scramble.h"
#include "gateway/fan_out.h"
#include "gateway/read_sampler.h"
#include "gateway/snapshot/transaction_coordinator.h"
#include "item/index/value_filters.h"
#include "item/price_list.h"

namespace orrery::gateway {
namespace {

constexpr size_t kValuesMax = 1'000;
constexpr size_t kEntriesOfPage = 1'024;
constexpr size_t kPartitionsAtOnceMax = 8;
// Longer lists depend on too much to be kept.
constexpr size_t kSlotsMax = 100'000;

MetricLabels KindLabel(std::string_view kind) { return {{"kind", std::string(kind)}}; }

}  // namespace

LookupMeters::LookupMeters(const Clock& clock, MetricsRegistry& metrics, bool meters)
    : metering(clock, metrics, meters),
      reads(metrics.GetCounter("orrery_requests_total", "Requests by kind.", KindLabel("read"))),
      pages(metrics.GetCounter("orrery_requests_total", "Requests by kind.", KindLabel("page"))) {}

// An answer that is being read.
struct LookupStep::Draft {
  KeptAnswer answer{};
  bool is_stable = true;  // no write is under way

  void Depend(KeptAnswer::Slot slot, std::optional<uint64_t> stamp) {
    if (!stamp.has_value()) {
      is_stable = false;
    } else {
      answer.slots.push_back(slot);
      answer.stamp += *stamp;
    }
  }
  void Add(const Decoded& decoded, const item::ReadItem& item) {
    answer.values.push_back(decoded.value);
    answer.memory_bytes += decoded.memory_bytes;
    answer.expiry = std::min(answer.expiry, item.expiry.value_or(Micros::max()));
  }
};

// An item that a look-up found.
struct LookupStep::Found {
  size_t lookup = 0;
  KeptAnswer::Slot slot{};
  std::optional<uint64_t> stamp{};
  std::shared_ptr<const void> value{};
  size_t memory_bytes = 0;
  size_t bytes = 0;
  Micros expiry{0};
};

// The part of the look-ups that one partition answers.
struct LookupStep::Gathering {
  size_t partition = 0;
  item::IndexRange range{};
  std::vector<Found> found{};
  Status status{};
};

LookupStep::LookupStep(const Parts& parts) : parts_(parts) {}

LookupStep::~LookupStep() {
  if (has_ended_) return;
  for (const Place& place : places_) {
    if (place.is_used)
      parts_.meters.metering.Settle(*place.partition, parts_.container, place.reserved, {});
  }
}

Result<bool> LookupStep::Begin(std::span<const std::string_view> fields) {
  if (parts_.gateway.within() != nullptr) return false;
  topology_ = parts_.gateway.node().topology();
  const auto ranges = topology_->map->Ranges(parts_.container.id);
  if (ranges.empty()) return false;
  places_.reserve(ranges.size());
  // With other settings of the container nothing is taken over.
  layout_ = Scramble(parts_.container.version);
  for (const partition::RangeEntry& range : ranges) {
    const auto hosted = topology_->hosted.find(range.partition);
    if (hosted == topology_->hosted.end()) return false;
    cluster::HostedPartition& partition = *hosted->second;
    item::LookupVersions& versions = partition.value_filters().versions();
    if (!versions.Watches(fields)) {
      if (parts_.mode == storage::ReadMode::kCachedOnly)
        return Fail(Code::kWouldBlock, "writers do not note changes yet");
      versions.Watch(partition.sequencer(), fields);
    }
    layout_ = Scramble(layout_ ^ versions.instance()) +
              Scramble(range.range.begin().high ^ range.range.begin().low);
    places_.push_back({.partition = &partition, .versions = &versions, .range = range.range});
  }
  now_ = parts_.clock.Now();
  return true;
}

Status LookupStep::Use(size_t partition) {
  Place& place = places_[partition];
  if (place.is_used) return {};
  ORRERY_TRY(parts_.gateway.transactions().barrier().Pass(place.partition->id(), parts_.mode));
  const RequestUnits reserved = item::PriceOfPointRead(0);
  ORRERY_TRY(parts_.meters.metering.Reserve(*place.partition, parts_.container, reserved));
  place.reserved = reserved;
  place.is_used = true;
  return {};
}

size_t LookupStep::PartitionOf(Hash128 hash) const {
  const auto found = std::ranges::partition_point(
      places_, [&](const Place& place) { return place.range.last() < hash; });
  return static_cast<size_t>(found - places_.begin());
}

uint64_t LookupStep::WordOf(KeptAnswer::Slot slot) const {
  return places_[slot.partition].versions->Word(slot.slot);
}

bool LookupStep::Holds(const KeptAnswer& answer) const {
  if (answer.layout != layout_ || answer.expiry <= now_) return false;
  uint64_t stamp = 0;
  for (const KeptAnswer::Slot slot : answer.slots) stamp += WordOf(slot);
  return stamp == answer.stamp;
}

Status LookupStep::Charge(const KeptAnswer& answer) {
  for (const KeptAnswer::Work& work : answer.work) {
    ORRERY_TRY(Use(work.partition));
    Place& place = places_[work.partition];
    place.records += work.records;
    place.bytes += work.bytes;
    if (answer.is_list) ++place.index_lookups;
  }
  if (answer.is_list) {
    is_listed_ = true;
  } else {
    ++lookups_;
  }
  if (answer.partition_key.empty() || answer.work.empty()) return {};
  thread_local ReadSampler sampler;
  if (!sampler.NoteThisRead()) return {};
  const KeptAnswer::Work& work = answer.work.front();
  places_[work.partition].partition->RecordUse(parts_.container.id, answer.partition_key,
                                               item::PriceOfPointRead(work.bytes) * kReadsPerNote);
  return {};
}

Result<LookupStep::Answer> LookupStep::Find(std::string_view name) {
  Answer answer = parts_.cache.Find(name);
  if (answer == nullptr || answer->layout != layout_) return nullptr;
  // The partitions may be read first, then what was kept is looked at.
  for (const KeptAnswer::Work& work : answer->work) ORRERY_TRY(Use(work.partition));
  if (!Holds(*answer)) return nullptr;
  ORRERY_TRY(Charge(*answer));
  return answer;
}

Result<LookupStep::Answer> LookupStep::KeepAnswer(std::string name, Draft draft) {
  draft.answer.layout = layout_;
  auto answer = std::make_shared<const KeptAnswer>(std::move(draft.answer));
  ORRERY_TRY(Charge(*answer));
  // What was written while it was read may be in it in part.
  if (draft.is_stable && answer->slots.size() <= kSlotsMax && Holds(*answer))
    parts_.cache.Keep(std::move(name), answer);
  return answer;
}

Result<LookupStep::Answer> LookupStep::ReadItem(std::string name, const item::ItemKey& key,
                                                const Decode& decode) {
  const size_t partition = PartitionOf(key.hash);
  ORRERY_TRY(Use(partition));
  const Place& place = places_[partition];
  Draft draft;
  draft.answer.expiry = Micros::max();
  draft.answer.partition_key = key.partition_key;
  const KeptAnswer::Slot slot{
      .partition = static_cast<uint32_t>(partition),
      .slot = item::LookupVersions::SlotOfItem(item::DataKey(parts_.container.id, key))};
  draft.Depend(slot, place.versions->Stamp(slot.slot));
  const item::SliceReader reader(storage::ReadView(place.partition->engine()),
                                 *parts_.container.schema, place.range, now_);
  const auto item = reader.Read(key, parts_.mode);
  KeptAnswer::Work work{.partition = slot.partition};
  if (item.has_value()) {
    work.records = 1;
    work.bytes = item->document.bson().size();
    if (const Decoded decoded = decode(key, *item); decoded.value != nullptr)
      draft.Add(decoded, *item);
    draft.answer.expiry = std::min(draft.answer.expiry, item->expiry.value_or(Micros::max()));
  } else if (item.error().code() != Code::kNotFound) {
    return Fail(item.error());
  }
  draft.answer.work.push_back(work);
  return KeepAnswer(std::move(name), std::move(draft));
}

Status LookupStep::Gather(Gathering& gathering, const Decode& decode) const {
  const Place& place = places_[gathering.partition];
  const item::SliceReader reader(storage::ReadView(place.partition->engine()),
                                 *parts_.container.schema, place.range, now_);
  item::ScanRequest request;
  request.index = gathering.range;
  request.index_only = true;
  request.context = &parts_.context;
  std::optional<std::string> continuation;
  do {
    ORRERY_ASSIGN(
        item::Page page,
        reader.Scan(request, continuation,
                    {.items_max = kEntriesOfPage, .bytes_max = SIZE_MAX, .examined_max = SIZE_MAX},
                    parts_.mode));
    ORRERY_TRY(parts_.context.Check());
    if (page.next.has_value() && page.items.size() < kEntriesOfPage &&
        parts_.mode == storage::ReadMode::kCachedOnly) {
      return Fail(Code::kWouldBlock, "a part of the index is not in memory");
    }
    for (const item::ScannedItem& entry : page.items) {
      const KeptAnswer::Slot slot{
          .partition = static_cast<uint32_t>(gathering.partition),
          .slot = item::LookupVersions::SlotOfItem(item::DataKey(parts_.container.id, entry.key))};
      const auto stamp = place.versions->Stamp(slot.slot);
      const auto item = reader.Read(entry.key, parts_.mode);
      if (!item.has_value()) {
        if (item.error().code() == Code::kNotFound) continue;
        return Fail(item.error());
      }
      Decoded decoded = decode(entry.key, *item);
      if (decoded.value == nullptr) continue;
      gathering.found.push_back({.lookup = decoded.lookup,
                                 .slot = slot,
                                 .stamp = stamp,
                                 .value = std::move(decoded.value),
                                 .memory_bytes = decoded.memory_bytes,
                                 .bytes = item->document.bson().size(),
                                 .expiry = item->expiry.value_or(Micros::max())});
    }
    continuation = std::move(page.next);
  } while (continuation.has_value());
  return {};
}

Result<std::optional<std::vector<LookupStep::Answer>>> LookupStep::ReadListed(
    std::span<const Listed> lookups, std::string_view field, const RangeOf& range_of,
    const Decode& decode) {
  std::vector<Answer> answers;
  answers.reserve(lookups.size());
  for (size_t begin = 0; begin < lookups.size(); begin += kValuesMax) {
    const auto some = lookups.subspan(begin, std::min(kValuesMax, lookups.size() - begin));
    std::vector<std::string> values;
    values.reserve(some.size());
    for (const Listed& lookup : some) values.push_back(lookup.value);
    const auto range = range_of(values);
    if (!range.has_value()) return std::nullopt;
    const auto decode_some = [&](const item::ItemKey& key, const item::ReadItem& item) {
      Decoded decoded = decode(key, item);
      const bool is_of_these = decoded.lookup >= begin && decoded.lookup < begin + some.size();
      if (!is_of_these) return Decoded{};
      decoded.lookup -= begin;
      return decoded;
    };
    ORRERY_TRY(ReadSome(some, field, *range, decode_some, answers));
  }
  return answers;
}

Status LookupStep::ReadSome(std::span<const Listed> lookups, std::string_view field,
                            const item::IndexRange& range, const Decode& decode,
                            std::vector<Answer>& answers) {
  std::vector<Draft> drafts(lookups.size());
  std::vector<bool> wanted(places_.size());
  const auto visit = [&](Draft& draft, const Listed& lookup, size_t partition) {
    const KeptAnswer::Slot slot{
        .partition = static_cast<uint32_t>(partition),
        .slot = item::LookupVersions::SlotOfValue(parts_.container.id, field, lookup.value)};
    draft.Depend(slot, places_[partition].versions->Stamp(slot.slot));
    draft.answer.work.push_back({.partition = slot.partition});
    wanted[partition] = true;
  };
  for (size_t i = 0; i < lookups.size(); ++i) {
    drafts[i].answer.is_list = true;
    drafts[i].answer.expiry = Micros::max();
    if (lookups[i].key.has_value()) {
      drafts[i].answer.partition_key = lookups[i].key->encoded;
      visit(drafts[i], lookups[i], PartitionOf(lookups[i].key->hash));
    } else {
      for (size_t each = 0; each < places_.size(); ++each) visit(drafts[i], lookups[i], each);
    }
  }
  std::vector<Gathering> gatherings;
  for (size_t partition = 0; partition < places_.size(); ++partition) {
    if (!wanted[partition]) continue;
    Gathering gathering{.partition = partition, .range = range};
    // Partitions that cannot have what is looked up are not read.
    const auto& filters = places_[partition].partition->value_filters();
    if (!filters.Narrow(parts_.container.id, gathering.range)) {
      for (Draft& draft : drafts) {
        std::erase_if(draft.answer.work,
                      [&](const KeptAnswer::Work& work) { return work.partition == partition; });
      }
      continue;
    }
    ORRERY_TRY(Use(partition));
    gatherings.push_back(std::move(gathering));
  }
  const auto gather = [&](size_t i) { gatherings[i].status = Gather(gatherings[i], decode); };
  if (gatherings.size() == 1 || parts_.mode == storage::ReadMode::kCachedOnly) {
    for (size_t i = 0; i < gatherings.size(); ++i) gather(i);
  } else {
    FanOut(parts_.gateway.io_pool(), gatherings.size(), kPartitionsAtOnceMax, gather);
  }
  for (Gathering& gathering : gatherings) {
    ORRERY_TRY(gathering.status);
    for (Found& found : gathering.found) {
      Draft& draft = drafts[found.lookup];
      const auto work =
          std::ranges::find(draft.answer.work, found.slot.partition, &KeptAnswer::Work::partition);
      // Of another vertex of the same name, in a partition that was not asked for it.
      if (work == draft.answer.work.end()) continue;
      ++work->records;
      work->bytes += found.bytes;
      draft.Depend(found.slot, found.stamp);
      draft.answer.values.push_back(std::move(found.value));
      draft.answer.memory_bytes += found.memory_bytes;
      draft.answer.expiry = std::min(draft.answer.expiry, found.expiry);
    }
  }
  for (size_t i = 0; i < lookups.size(); ++i) {
    ORRERY_ASSIGN(Answer answer, KeepAnswer(lookups[i].name, std::move(drafts[i])));
    answers.push_back(std::move(answer));
  }
  return {};
}

Status LookupStep::End(RequestUnits& charge) {
  has_ended_ = true;
  Status status;
  const bool is_point = lookups_ == 1 && !is_listed_;
  for (const Place& place : places_) {
    // Also of those whose filter says that they have nothing.
    if (status.has_value() && (place.is_used || is_listed_)) status = place.partition->CheckLease();
    if (!place.is_used) continue;
    const item::QueryWork work{.records_examined = place.records,
                               .bytes_examined = place.bytes,
                               .index_lookups = place.index_lookups,
                               .fan_out = places_.size() > 1};
    const RequestUnits price =
        is_point ? item::PriceOfPointRead(place.bytes) : item::PriceOfQuery(work);
    parts_.meters.metering.Settle(*place.partition, parts_.container, place.reserved, price);
    charge += price;
    if (const auto& trace = ChargeTrace::Current(); trace != nullptr) {
      trace->Add(is_point ? item::ExplainPointRead(place.bytes) : item::ExplainQuery(work),
                 place.partition->id().value());
    }
  }
  (is_point ? parts_.meters.reads : parts_.meters.pages).Add();
  return status;
}

}  // namespace orrery::gateway
