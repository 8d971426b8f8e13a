#include "query/source/document_stream.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace orrery::query {
namespace {

// Documents of one page of a scan.
constexpr size_t kPageItemsMin = 16;
constexpr size_t kPageItemsMax = 1'000;
// The same of one of several merged streams, where every document is a row: most streams of an order
// with a small limit give one or none.
constexpr size_t kMergedItemsMin = 4;
// Every page of the nearest compares all vectors anew: few large ones.
constexpr size_t kNearestGrowth = 4;
constexpr size_t kNearestItemsMax = 16'000;
constexpr size_t kNearestBytesMax = size_t{64} << 20;
// Entries of an index, whose documents are read when they are needed.
constexpr size_t kEntriesMin = 256;
constexpr size_t kEntriesGrowth = 4;
constexpr size_t kEntriesMax = 4'000;
constexpr size_t kDocumentsMax = 256;
// Documents that owners make groups of before they answer.
constexpr size_t kGroupedMin = 1'000;
constexpr size_t kGroupedGrowth = 4;
constexpr size_t kGroupedMax = 50'000;

bool Contains(const item::IndexRange& range, std::string_view value) {
  if (ValueRange{range.lower, range.upper}.Contains(value)) return true;
  return std::ranges::any_of(range.further, [&](const item::ValueInterval& interval) {
    return ValueRange{interval.lower, interval.upper}.Contains(value);
  });
}

}  // namespace

DocumentStream::DocumentStream(const StreamContext& context, ScanStream steps, size_t wanted,
                               size_t rows_max, size_t bytes_max)
    : context_(context),
      steps_(std::move(steps)),
      items_max_(std::clamp(wanted, kPageItemsMin, kPageItemsMax)),
      bytes_max_(bytes_max),
      grouped_max_(kGroupedMin),
      documents_max_(std::clamp(wanted, kPageItemsMin, kDocumentsMax)) {
  // No more is read than rows are wanted, where owners leave out all other documents.
  if (context_.is_exact) {
    const size_t rows = wanted < rows_max ? std::max(2 * wanted, kMergedItemsMin) : rows_max;
    items_max_ = std::min(items_max_, std::max<size_t>(rows, 1));
  }
  if (context_.filter != nullptr && !context_.filter->is_covering())
    items_max_ = std::max(items_max_, kEntriesMin);
}

Status DocumentStream::Read(const Budget& budget) {
  return has_candidate() && page_[next_].is_entry ? ReadDocuments() : ReadPage(budget);
}

void DocumentStream::GrowPages(bool is_nearest) {
  if (is_nearest) {
    items_max_ = std::min(items_max_ * kNearestGrowth, kNearestItemsMax);
    bytes_max_ = std::min(bytes_max_ * kNearestGrowth, kNearestBytesMax);
  } else if (context_.filter != nullptr) {
    items_max_ = std::min(items_max_ * kEntriesGrowth, kEntriesMax);
  } else {
    items_max_ = std::min(items_max_ * 2, kPageItemsMax);
  }
}

Status DocumentStream::ReadPage(const Budget& budget) {
  const gateway::ScanSpec spec = NextScan(budget);
  ORRERY_ASSIGN(gateway::ScanResponse page,
                context_.gateway.Scan(context_.container, spec, continuation_, context_.mode));
  return TakePage(std::move(page));
}

gateway::ScanSpec DocumentStream::NextScan(const Budget& budget) {
  gateway::ScanSpec spec = steps_[step_].spec;
  spec.index_only = context_.filter != nullptr;
  spec.limits.items_max = items_max_;
  spec.limits.bytes_max = bytes_max_;
  if (budget.examined_max > 0)
    spec.limits.examined_max = std::max(budget.examined_max, kPageItemsMin);
  spec.goes_on = budget.goes_on || has_ties();
  spec.context = context_.context;
  if (context_.grouping != nullptr) {
    AskForGroups(spec);
  } else if (!spec.index_only) {
    spec.filter = context_.where;
    spec.projection = context_.projection;
  }
  GrowPages(spec.nearest != nullptr);
  return spec;
}

Status DocumentStream::TakePage(gateway::ScanResponse page) {
  const ScanStep& step = steps_[step_];
  metrics_.Add(page);
  page_.erase(page_.begin(), page_.begin() + static_cast<ptrdiff_t>(next_));
  next_ = 0;
  filtered_ = page_.size();
  page_.reserve(page_.size() + page.items.size());
  for (item::ScannedItem& item : page.items) {
    ORRERY_ASSIGN(Candidate candidate, CandidateOf(std::move(item), step));
    if (context_.grouping == nullptr && WasGiven(step, candidate)) continue;
    std::string place = context_.ties == nullptr ? candidate.order : RingOrder(candidate.item.key);
    if (IsOutOfOrder(candidate, place))
      return Fail(Code::kMoved, "a partition split while the query read it");
    last_value_ = candidate.value;
    last_place_ = std::move(place);
    ORRERY_TRY(Put(std::move(candidate)));
  }
  if (page.last.has_value()) {
    frontier_ = {.value = std::string(step.is_unranked ? kUnranked : ""),
                 .order = RingOrder(page.last->key),
                 .key = std::move(page.last->key)};
    if (step.spec.index.has_value()) frontier_->value += page.last->value;
  }
  range_ = step.spec.range;
  session_ = step.spec.session;
  continuation_ = std::move(page.continuation);
  if (continuation_.empty()) {
    PutTies();
    ++step_;
  }
  read_last_ = page_.size() - filtered_;
  return {};
}

void DocumentStream::AskForGroups(gateway::ScanSpec& spec) {
  spec.filter = context_.where;
  spec.grouping = context_.grouping;
  spec.index_only = context_.entry_path.has_value();
  if (context_.entry_path.has_value()) spec.entry_path = *context_.entry_path;
  spec.limits.examined_max = std::min(spec.limits.examined_max, grouped_max_);
  grouped_max_ = std::min(grouped_max_ * kGroupedGrowth, kGroupedMax);
}

bool DocumentStream::IsOutOfOrder(const Candidate& candidate, const std::string& place) const {
  // Parts of one group need none.
  if (context_.grouping != nullptr && context_.grouping->is_one_group()) return false;
  return !last_place_.empty() &&
         context_.Precedes(candidate.value, place, last_value_, last_place_);
}

Status DocumentStream::Put(Candidate candidate) {
  if (context_.ties == nullptr) {
    page_.push_back(std::move(candidate));
    return {};
  }
  const auto bucket = [&](const Candidate& of) {
    return context_.ties->BucketOf(of.item.key.hash).begin();
  };
  if (has_ties() &&
      (ties_.front().value != candidate.value || bucket(ties_.front()) != bucket(candidate)))
    PutTies();
  tie_bytes_ += candidate.item.document.bson().size();
  if (tie_bytes_ > context_.tie_bytes_max)
    return Fail(Code::kTooLarge,
                "too many documents of one partition key have the same value of ORDER BY");
  ties_.push_back(std::move(candidate));
  return {};
}

void DocumentStream::PutTies() {
  std::ranges::sort(ties_, [this](const Candidate& a, const Candidate& b) {
    return context_.Precedes(a.value, a.order, b.value, b.order);
  });
  std::ranges::move(ties_, std::back_inserter(page_));
  ties_.clear();
  tie_bytes_ = 0;
}

void DocumentStream::FilterEntries() {
  if (context_.filter == nullptr) return;
  const auto first = page_.begin() + static_cast<ptrdiff_t>(filtered_);
  const auto dropped = std::remove_if(first, page_.end(), [&](Candidate& candidate) {
    auto known = context_.filter->DocumentOf(candidate.item.key, candidate.value);
    if (known.has_value() && !context_.filter->Holds(*known)) return true;
    if (context_.filter->is_covering()) candidate.known = std::move(known);
    candidate.is_entry = !candidate.known.has_value();
    return false;
  });
  page_.erase(dropped, page_.end());
  filtered_ = page_.size();
}

Status DocumentStream::ReadDocuments() {
  std::vector<item::ItemKey> keys;
  std::map<std::string, size_t> wanted;  // by position on the ring
  for (size_t i = next_; i < page_.size() && keys.size() < documents_max_; ++i) {
    if (!page_[i].is_entry) continue;
    keys.push_back(page_[i].item.key);
    wanted.emplace(page_[i].order, i);
  }
  documents_max_ = std::min(documents_max_ * 2, kDocumentsMax);
  gateway::ScanSpec spec;
  spec.range = range_;
  spec.session = session_;
  spec.goes_on = true;
  spec.limits = {.items_max = keys.size(),
                 .bytes_max = std::numeric_limits<size_t>::max(),
                 .examined_max = std::numeric_limits<size_t>::max()};
  spec.keys = std::make_shared<const std::vector<item::ItemKey>>(std::move(keys));
  spec.filter = context_.where;
  spec.projection = context_.projection;
  spec.context = context_.context;
  std::string continuation;
  do {
    ORRERY_ASSIGN(gateway::ScanResponse page,
                  context_.gateway.Scan(context_.container, spec, continuation, context_.mode));
    metrics_.Add(page);
    for (item::ScannedItem& item : page.items) {
      const auto found = wanted.find(RingOrder(item.key));
      if (found == wanted.end()) continue;
      page_[found->second].item = std::move(item);
      page_[found->second].is_entry = false;
      wanted.erase(found);
    }
    continuation = std::move(page.continuation);
  } while (!continuation.empty());
  // Those that are not wanted, or gone since their entries were read.
  if (!wanted.empty()) {
    std::erase_if(page_,
                  [&](const Candidate& candidate) { return wanted.contains(candidate.order); });
    filtered_ = page_.size();
  }
  return {};
}

Result<Candidate> DocumentStream::CandidateOf(item::ScannedItem item, const ScanStep& step) const {
  Candidate candidate{.item = std::move(item), .value = {}, .order = {}};
  candidate.order = context_.ties == nullptr ? RingOrder(candidate.item.key)
                                             : context_.ties->KeyOf(candidate.item.key);
  if (const auto& nearest = context_.path.nearest; nearest.has_value()) {
    auto rank = nearest->RankOf(candidate.item.document);
    if (!rank.has_value() && !step.is_unranked)
      return Fail(Code::kInternal, "an index gave a document whose vector it cannot have");
    candidate.value = rank.has_value() ? *std::move(rank) : std::string(kUnranked);
  }
  if (!step.spec.index.has_value()) return candidate;
  if (context_.named.has_value() && context_.grouping == nullptr) {
    ORRERY_ASSIGN(const std::string value, FirstValueOf(candidate.item.document));
    candidate.value += value;
  } else {
    candidate.value += candidate.item.value;
  }
  return candidate;
}

Result<std::string> DocumentStream::FirstValueOf(model::DocumentView document) const {
  const IndexPath& index = *context_.path.index;
  ORRERY_ASSIGN(std::vector<std::string> values, context_.named->Of(document));
  if (index.descending) std::ranges::reverse(values);
  for (std::string& value : values) {
    const auto contains = [&](const ValueRange& range) { return range.Contains(value); };
    if (std::ranges::any_of(index.ranges, contains)) return std::move(value);
  }
  return Fail(Code::kInternal, "an index gave a document that has no value in it");
}

bool DocumentStream::WasGiven(const ScanStep& step, const Candidate& candidate) const {
  std::string_view value = candidate.value;
  if (step.is_unranked) {
    if (!value.starts_with(kUnranked)) return true;
    value.remove_prefix(kUnranked.size());
  }
  if (step.not_value.has_value() && value == *step.not_value) return true;
  // A document with several values is given at the first, and met again at the others.
  if (context_.named.has_value() && step.spec.index.has_value() &&
      !Contains(*step.spec.index, value))
    return true;
  if (!step.resume.has_value()) return false;
  const std::string at = context_.ties == nullptr ? RingOrder(step.resume->key)
                                                  : context_.ties->KeyOf(step.resume->key);
  if (candidate.order == at) return step.resume->resume == DocumentSource::Resume::kBehind;
  return (candidate.order < at) != context_.is_descending();
}

}  // namespace orrery::query
