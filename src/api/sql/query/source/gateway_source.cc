#include "api/sql/query/source/gateway_source.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace orrery::sql {
namespace {

// Documents of one page of a scan.
constexpr size_t kPageItemsMin = 16;
constexpr size_t kPageItemsMax = 1'000;
// By nearness every page compares all vectors anew: few large ones.
constexpr size_t kNearestGrowth = 4;
constexpr size_t kNearestItemsMax = 16'000;
constexpr size_t kNearestBytesMax = size_t{64} << 20;
// Entries of an index, whose documents are read when they are needed.
constexpr size_t kEntriesMin = 256;
constexpr size_t kEntriesGrowth = 4;
constexpr size_t kEntriesMax = 4'000;
constexpr size_t kDocumentsMax = 256;
// Entries of an index that are passed over with the effort of a look at a document.
constexpr size_t kPassedPerLook = 16;

bool Meets(const item::IndexRange& range, std::string_view value) {
  if (ValueRange{range.lower, range.upper}.Meets(value)) return true;
  return std::ranges::any_of(range.further, [&](const item::ValueInterval& interval) {
    return ValueRange{interval.lower, interval.upper}.Meets(value);
  });
}

}  // namespace

GatewaySource::GatewaySource(Parts parts, std::vector<ScanStream> streams)
    : parts_(std::move(parts)), names_(*parts_.container), metrics_(parts_.before) {
  if (const auto& index = parts_.path.index; index.has_value() && index->is_named())
    named_.emplace(*parts_.container->schema, index->index);
  const auto first = std::ranges::count_if(
      streams, [](const ScanStream& steps) { return steps.empty() || !steps.front().is_unranked; });
  const size_t each = parts_.rows_wanted / static_cast<size_t>(std::max<ptrdiff_t>(first, 1));
  for (ScanStream& steps : streams) {
    Stream& stream = streams_.emplace_back();
    stream.steps = std::move(steps);
    stream.items_max = std::clamp(each, kPageItemsMin, kPageItemsMax);
    if (parts_.judge != nullptr && !parts_.path.entries->is_whole)
      stream.items_max = std::max(stream.items_max, kEntriesMin);
    stream.bytes_max = parts_.bytes_per_scan;
    stream.documents_max = std::clamp(each, kPageItemsMin, kDocumentsMax);
  }
}

Result<bool> GatewaySource::Next() {
  if (IsAnswered()) return false;
  Stream* first = nullptr;
  for (Stream& stream : streams_) {
    if (stream.is_unranked() && first != nullptr && !first->is_unranked()) break;
    ORRERY_ASSIGN(const bool is_filled, Fill(stream));
    if (!is_filled) {
      is_paused_ = true;
      return false;
    }
    if (!stream.has_candidate()) continue;
    if (first == nullptr || Precedes(stream.page[stream.next], first->page[first->next]))
      first = &stream;
  }
  if (first == nullptr) return false;
  current_ = std::make_unique<Candidate>(std::move(first->page[first->next++]));
  const item::ScannedItem& item = current_->item;
  key_ = parts_.keys_by_rid == parts_.ties_by_rid ? current_->order : RidOrder(item.key);
  if (current_->known.has_value()) {
    document_ = *std::move(current_->known);
    return true;
  }
  document_ = ToSeen(parts_.seen, item.document, names_,
                     {.key = item.key, .lsn = item.lsn, .time = item.time});
  if (parts_.seen == SeenProperties::kNothing) return true;
  ++metrics_.documents;
  metrics_.bytes += item.document.bson().size();
  return true;
}

bool GatewaySource::IsAnswered() const {
  // Of values that are cut the first entry need not be the first value.
  return parts_.judge != nullptr && parts_.path.entries->is_one_entry && current_ != nullptr &&
         current_->known.has_value();
}

bool GatewaySource::exhausted() const {
  if (IsAnswered()) return true;
  return std::ranges::all_of(streams_, [](const Stream& stream) { return stream.is_done(); });
}

std::string GatewaySource::Position(Resume resume) const {
  return EncodePosition({.resume = resume, .value = current_->value, .key = current_->item.key});
}

Result<bool> GatewaySource::Fill(Stream& stream) {
  while (!stream.is_done()) {
    if (stream.has_candidate()) {
      if (!stream.page[stream.next].is_entry) return true;
      ORRERY_TRY(ReadDocuments(stream));
      continue;
    }
    // Without a document there is no place to go on from, and what is gathered would be lost.
    const bool may_pause = parts_.looked_at_max > 0 && current_ != nullptr && stream.tie.empty();
    if (may_pause && effort_ >= parts_.looked_at_max) return false;
    if (Status read = ReadPage(stream); !read.has_value()) {
      if (may_pause && read.error().code() == Code::kThrottled) return false;
      return Fail(std::move(read).error());
    }
  }
  return true;
}

Status GatewaySource::ReadPage(Stream& stream) {
  const ScanStep& step = stream.steps[stream.step];
  gateway::ScanSpec spec = step.spec;
  spec.entries_only = parts_.judge != nullptr;
  spec.limits.items_max = stream.items_max;
  spec.limits.bytes_max = stream.bytes_max;
  if (parts_.looked_at_max > 0) {
    const size_t used = std::min(effort_, parts_.looked_at_max);
    spec.limits.looked_at_max = std::max(parts_.looked_at_max - used, kPageItemsMin);
  }
  spec.goes_on = !stream.tie.empty() ||
                 (parts_.looked_at_max == 0 && effort_ > 0 && metrics_.charge < parts_.debt_max);
  if (spec.nearest != nullptr) {
    stream.items_max = std::min(stream.items_max * kNearestGrowth, kNearestItemsMax);
    stream.bytes_max = std::min(stream.bytes_max * kNearestGrowth, kNearestBytesMax);
  } else if (parts_.judge != nullptr) {
    stream.items_max = std::min(stream.items_max * kEntriesGrowth, kEntriesMax);
  } else {
    stream.items_max = std::min(stream.items_max * 2, kPageItemsMax);
  }
  ORRERY_ASSIGN(gateway::ScanResponse page,
                parts_.gateway.Scan(parts_.container, spec, stream.continuation));
  AddMetrics(page);
  stream.page.clear();
  stream.next = 0;
  for (item::ScannedItem& item : page.items) {
    ORRERY_ASSIGN(Candidate candidate, CandidateOf(std::move(item), step));
    if (WasGiven(step, candidate)) continue;
    std::string place = RingOrder(candidate.item.key);
    if (!stream.last_place.empty() &&
        Precedes(candidate.value, place, stream.last_value, stream.last_place))
      return Fail(Code::kMoved, "a partition split while the query read it");
    stream.last_value = candidate.value;
    stream.last_place = std::move(place);
    ORRERY_TRY(Put(stream, std::move(candidate)));
  }
  if (parts_.judge != nullptr) JudgeEntries(stream.page);
  stream.range = step.spec.range;
  stream.session = step.spec.session;
  stream.continuation = std::move(page.continuation);
  if (!stream.continuation.empty()) return {};
  PutTie(stream);
  ++stream.step;
  return {};
}

Status GatewaySource::Put(Stream& stream, Candidate candidate) const {
  if (!parts_.ties_by_rid) {
    stream.page.push_back(std::move(candidate));
    return {};
  }
  const auto bucket = [](const Candidate& of) { return RidBucket(of.item.key.hash).begin(); };
  if (!stream.tie.empty() && (stream.tie.front().value != candidate.value ||
                              bucket(stream.tie.front()) != bucket(candidate)))
    PutTie(stream);
  stream.tie_bytes += candidate.item.document.bson().size();
  if (stream.tie_bytes > parts_.tie_bytes_max)
    return Fail(Code::kTooLarge,
                "too many documents of one partition key have the same value of ORDER BY");
  stream.tie.push_back(std::move(candidate));
  return {};
}

void GatewaySource::PutTie(Stream& stream) const {
  std::ranges::sort(stream.tie,
                    [this](const Candidate& a, const Candidate& b) { return Precedes(a, b); });
  std::ranges::move(stream.tie, std::back_inserter(stream.page));
  stream.tie.clear();
  stream.tie_bytes = 0;
}

void GatewaySource::JudgeEntries(std::vector<Candidate>& candidates) const {
  std::erase_if(candidates, [&](Candidate& candidate) {
    auto known = parts_.judge->DocumentOf(candidate.item.key, candidate.value);
    if (known.has_value() && !parts_.judge->Holds(*known)) return true;
    if (parts_.path.entries->is_whole) candidate.known = std::move(known);
    candidate.is_entry = !candidate.known.has_value();
    return false;
  });
}

Status GatewaySource::ReadDocuments(Stream& stream) {
  std::vector<item::ItemKey> keys;
  std::map<std::string, size_t> wanted;  // by place on the ring
  for (size_t i = stream.next; i < stream.page.size() && keys.size() < stream.documents_max; ++i) {
    if (!stream.page[i].is_entry) continue;
    keys.push_back(stream.page[i].item.key);
    wanted.emplace(stream.page[i].order, i);
  }
  stream.documents_max = std::min(stream.documents_max * 2, kDocumentsMax);
  gateway::ScanSpec spec;
  spec.range = stream.range;
  spec.session = stream.session;
  spec.goes_on = true;
  spec.limits = {.items_max = keys.size(),
                 .bytes_max = std::numeric_limits<size_t>::max(),
                 .looked_at_max = std::numeric_limits<size_t>::max()};
  spec.keys = std::make_shared<const std::vector<item::ItemKey>>(std::move(keys));
  std::string continuation;
  do {
    ORRERY_ASSIGN(gateway::ScanResponse page,
                  parts_.gateway.Scan(parts_.container, spec, continuation));
    AddMetrics(page);
    for (item::ScannedItem& item : page.items) {
      const auto found = wanted.find(RingOrder(item.key));
      if (found == wanted.end()) continue;
      stream.page[found->second].item = std::move(item);
      stream.page[found->second].is_entry = false;
      wanted.erase(found);
    }
    continuation = std::move(page.continuation);
  } while (!continuation.empty());
  // Those that are gone since their entries were read.
  std::erase_if(stream.page,
                [&](const Candidate& candidate) { return wanted.contains(candidate.order); });
  return {};
}

Result<GatewaySource::Candidate> GatewaySource::CandidateOf(item::ScannedItem item,
                                                            const ScanStep& step) const {
  Candidate candidate{.item = std::move(item), .value = {}, .order = {}};
  candidate.order =
      parts_.ties_by_rid ? RidOrder(candidate.item.key) : RingOrder(candidate.item.key);
  if (const auto& nearest = parts_.path.nearest; nearest.has_value()) {
    auto rank = nearest->RankOf(candidate.item.document);
    if (!rank.has_value() && !step.is_unranked)
      return Fail(Code::kInternal, "an index gave a document whose vector it cannot have");
    candidate.value = rank.has_value() ? *std::move(rank) : std::string(kUnranked);
  }
  if (!step.spec.index.has_value()) return candidate;
  if (named_.has_value()) {
    ORRERY_ASSIGN(const std::string value, FirstValueOf(candidate.item.document));
    candidate.value += value;
  } else {
    candidate.value += candidate.item.value;
  }
  return candidate;
}

Result<std::string> GatewaySource::FirstValueOf(model::DocumentView document) const {
  const IndexPath& index = *parts_.path.index;
  ORRERY_ASSIGN(std::vector<std::string> values, named_->Of(document));
  if (index.descending) std::ranges::reverse(values);
  for (std::string& value : values) {
    const auto meets = [&](const ValueRange& range) { return range.Meets(value); };
    if (std::ranges::any_of(index.ranges, meets)) return std::move(value);
  }
  return Fail(Code::kInternal, "an index gave a document that has no value in it");
}

bool GatewaySource::WasGiven(const ScanStep& step, const Candidate& candidate) const {
  std::string_view value = candidate.value;
  if (step.is_unranked) {
    if (!value.starts_with(kUnranked)) return true;
    value.remove_prefix(kUnranked.size());
  }
  if (step.not_value.has_value() && value == *step.not_value) return true;
  // A document with several values is given at the first, and met again at the others.
  if (named_.has_value() && step.spec.index.has_value() && !Meets(*step.spec.index, value))
    return true;
  if (!step.resume.has_value()) return false;
  const std::string at =
      parts_.ties_by_rid ? RidOrder(step.resume->key) : RingOrder(step.resume->key);
  if (candidate.order == at) return step.resume->resume == Resume::kBehind;
  return (candidate.order < at) != is_descending();
}

bool GatewaySource::Precedes(std::string_view value_a, std::string_view order_a,
                             std::string_view value_b, std::string_view order_b) const {
  if (value_a != value_b) return (value_a < value_b) != is_descending();
  return order_a != order_b && (order_a < order_b) != is_descending();
}

void GatewaySource::AddMetrics(const gateway::ScanResponse& page) {
  metrics_.Add(page);
  effort_ = metrics_.looked_at + metrics_.passed / kPassedPerLook;
}

}  // namespace orrery::sql
