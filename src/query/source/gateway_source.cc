#include "query/source/gateway_source.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "gateway/fan_out.h"

namespace orrery::query {
namespace {

// Streams that are read at once.
constexpr size_t kStreamsAtOnce = 8;
// Entries of an index that are skipped with the effort of examining a document.
constexpr size_t kSkippedPerExamined = 16;
// Documents that are examined on an event loop, and streams that are read there.
constexpr size_t kExaminedAtOnce = 256;
constexpr size_t kStreamsReadAtOnce = 8;

StreamContext ContextOf(const GatewaySource::Parts& parts) {
  StreamContext context{.gateway = parts.gateway,
                        .container = parts.container,
                        .path = parts.path,
                        .ties = parts.ties,
                        .tie_bytes_max = parts.tie_bytes_max,
                        .filter = parts.filter,
                        .where = parts.where,
                        .projection = parts.projection,
                        .is_exact = parts.is_exact,
                        .grouping = parts.grouping,
                        .entry_path = parts.entry_path,
                        .context = parts.context,
                        .named = {},
                        .mode = parts.mode};
  // What cannot pause gains nothing from small pages.
  if (parts.examined_max == 0) context.context.set_cut_from(RequestContext::kNoDeadline);
  if (const auto& index = parts.path.index; index.has_value() && index->is_named)
    context.named.emplace(*parts.container->schema, index->index);
  return context;
}

}  // namespace

auto GatewaySource::Later() const {
  return [this](const DocumentStream* a, const DocumentStream* b) {
    return context_.Precedes(b->front().value, b->front().order, a->front().value,
                             a->front().order);
  };
}

GatewaySource::GatewaySource(Parts parts, std::vector<ScanStream> streams)
    : parts_(std::move(parts)), context_(ContextOf(parts_)), metrics_(parts_.before) {
  const auto ranked = std::ranges::count_if(
      streams, [](const ScanStream& steps) { return steps.empty() || !steps.front().is_unranked; });
  const size_t each = parts_.rows_wanted / static_cast<size_t>(std::max<ptrdiff_t>(ranked, 1));
  for (ScanStream& steps : streams) {
    DocumentStream& stream = streams_.emplace_back(context_, std::move(steps), each,
                                                   parts_.rows_wanted, parts_.bytes_per_scan);
    // Nothing may be left of a stream that goes on from a position.
    if (!stream.is_done()) (stream.is_unranked() ? unranked_ : waiting_).push_back(&stream);
  }
}

bool GatewaySource::WantsAll() const {
  return parts_.rows_wanted == SIZE_MAX && parts_.examined_max == 0;
}

Result<bool> GatewaySource::Next() {
  if (IsAnswered()) return false;
  ORRERY_ASSIGN(bool is_filled, FillWaiting());
  if (is_filled && heap_.empty() && !unranked_.empty()) {
    waiting_ = std::exchange(unranked_, {});
    ORRERY_ASSIGN(is_filled, FillWaiting());
  }
  if (!is_filled) {
    is_paused_ = true;
    return false;
  }
  if (heap_.empty()) return false;
  std::ranges::pop_heap(heap_, Later());
  DocumentStream* const first = heap_.back();
  Show(first->Take());
  if (first->is_ready()) {
    std::ranges::push_heap(heap_, Later());
  } else {
    heap_.pop_back();
    if (!first->is_done()) waiting_.push_back(first);
  }
  return true;
}

void GatewaySource::Show(Candidate candidate) {
  current_ = std::move(candidate);
  const item::ScannedItem& item = current_->item;
  if (parts_.keys == parts_.ties) {
    key_ = current_->order;
  } else {
    key_ = parts_.keys == nullptr ? RingOrder(item.key) : parts_.keys->KeyOf(item.key);
  }
  if (current_->known.has_value()) {
    document_ = *std::move(current_->known);
    return;
  }
  document_ = parts_.shaper.Shape(item);
  if (!parts_.shaper.reads_document() || parts_.grouping != nullptr) return;
  ++metrics_.documents;
  metrics_.bytes += item.bytes;
}

bool GatewaySource::IsAnswered() const {
  // Of values that are cut the first entry need not be the first value.
  return parts_.filter != nullptr && parts_.filter->is_one_entry() && current_.has_value() &&
         current_->known.has_value();
}

bool GatewaySource::exhausted() const {
  return IsAnswered() ||
         std::ranges::all_of(streams_, [](const DocumentStream& s) { return s.is_done(); });
}

Status GatewaySource::GoOnFrom(std::string_view position) {
  ByteReader reader(position);
  uint8_t kind = 0;
  uint64_t step = 0;
  const bool is_read = reader.ReadBigEndian(kind) && reader.ReadVarint(step);
  began_at_ = {.step = step, .continuation = std::string(reader.rest())};
  // Without a continuation nothing would tell that the scans are others by now.
  if (!is_read || kind != kGroupPosition || began_at_.continuation.empty() || streams_.empty() ||
      !streams_.front().GoOnFrom(began_at_))
    return Fail(Code::kInvalidArgument, "the position in the continuation is malformed");
  return {};
}

std::string GatewaySource::Position(Resume resume) const {
  if (GivesOneGroup()) {
    const DocumentStream::ScanPlace place = streams_.front().scan_place();
    std::string bytes(1, kGroupPosition);
    AppendVarint(bytes, place.step);
    return bytes + place.continuation;
  }
  if (is_paused_ && resume == Resume::kBehind && paused_at_.has_value())
    return EncodePosition({.resume = resume, .value = paused_at_->value, .key = paused_at_->key});
  return EncodePosition({.resume = resume, .value = current_->value, .key = current_->item.key});
}

GatewaySource::PauseChoice GatewaySource::ChoosePause() {
  if (parts_.examined_max == 0) return PauseChoice::kReadOn;
  if (GivesOneGroup()) {
    const DocumentStream::ScanPlace place = streams_.front().scan_place();
    const bool is_possible = !place.continuation.empty() && place != began_at_;
    return is_possible ? PauseChoice::kPause : PauseChoice::kReadOn;
  }
  const StreamPlace* first = nullptr;
  bool has_places = true;
  for (const DocumentStream* stream : waiting_) {
    const StreamPlace* place = stream->frontier();
    has_places = has_places && place != nullptr;
    if (place != nullptr && (first == nullptr || context_.Precedes(place->value, place->order,
                                                                   first->value, first->order)))
      first = place;
  }
  if (has_places && first != nullptr) {
    // What the others have still to read comes behind their places.
    if (!heap_.empty() &&
        !context_.Precedes(first->value, first->order, heap_.front()->front().value,
                           heap_.front()->front().order))
      return PauseChoice::kGiveFirst;
    paused_at_ = *first;
    return PauseChoice::kPause;
  }
  // Without a document there is no position to go on from, and what is gathered would be lost.
  const bool is_possible =
      current_.has_value() && std::ranges::any_of(waiting_, [](const DocumentStream* stream) {
        return !stream->has_ties();
      });
  return is_possible ? PauseChoice::kPause : PauseChoice::kReadOn;
}

void GatewaySource::PutReady() {
  std::erase_if(waiting_, [&](DocumentStream* stream) {
    if (stream->is_ready()) {
      heap_.push_back(stream);
      std::ranges::push_heap(heap_, Later());
      return true;
    }
    return stream->is_done();
  });
}

Result<bool> GatewaySource::FillWaiting() {
  while (!waiting_.empty()) {
    if (parts_.mode == storage::ReadMode::kCachedOnly &&
        (effort_ > kExaminedAtOnce || waiting_.size() > kStreamsReadAtOnce))
      return Fail(Code::kWouldBlock, "the query is more work than is done at once");
    if (effort_ >= parts_.examined_max || (effort_ > 0 && parts_.context.is_late())) {
      const PauseChoice choice = ChoosePause();
      if (choice != PauseChoice::kReadOn) return choice == PauseChoice::kGiveFirst;
    }
    std::vector<DocumentStream*> reading = waiting_;
    // If everything is wanted, other streams that are low are read along.
    if (WantsAll())
      std::ranges::copy_if(heap_, std::back_inserter(reading),
                           [](const DocumentStream* stream) { return stream->is_low(); });
    std::vector<Status> statuses = ReadAll(reading);
    PutReady();
    for (Status& status : statuses) {
      if (status.has_value()) continue;
      if (status.error().code() != Code::kThrottled) return Fail(std::move(status).error());
      const PauseChoice choice = ChoosePause();
      if (choice == PauseChoice::kReadOn) return Fail(std::move(status).error());
      return choice == PauseChoice::kGiveFirst;
    }
  }
  return true;
}

std::vector<Status> GatewaySource::ReadAll(std::span<DocumentStream* const> streams) {
  DocumentStream::Budget budget{.goes_on = parts_.examined_max == 0 && effort_ > 0 &&
                                           metrics_.charge < parts_.debt_max};
  if (parts_.examined_max > 0)
    budget.examined_max = std::max<size_t>(
        (parts_.examined_max - std::min(effort_, parts_.examined_max)) / streams.size(), 1);
  std::vector<Status> statuses(streams.size());
  std::vector<size_t> pages;
  std::vector<size_t> documents;
  for (size_t i = 0; i < streams.size(); ++i)
    (streams[i]->reads_page() ? pages : documents).push_back(i);
  const bool at_once = parts_.mode == storage::ReadMode::kCachedOnly;
  gateway::FanOut(
      parts_.gateway.io_pool(), documents.size(), at_once ? 1 : kStreamsAtOnce,
      [&](size_t i) { statuses[documents[i]] = streams[documents[i]]->Read(budget); });
  ReadPages(streams, pages, budget, statuses);
  for (DocumentStream* stream : streams) {
    // Conditions are evaluated by one thread.
    stream->FilterEntries();
    metrics_.Add(stream->TakeMetrics());
  }
  if (parts_.shaper.reads_document()) {
    metrics_.documents += std::exchange(metrics_.grouped, 0);
    metrics_.bytes += std::exchange(metrics_.grouped_bytes, 0);
  }
  effort_ = metrics_.examined + metrics_.skipped / kSkippedPerExamined;
  return statuses;
}

void GatewaySource::ReadPages(std::span<DocumentStream* const> streams,
                              std::span<const size_t> pages, const DocumentStream::Budget& budget,
                              std::vector<Status>& statuses) {
  if (pages.size() == 1 || parts_.mode == storage::ReadMode::kCachedOnly) {
    for (const size_t i : pages) statuses[i] = streams[i]->Read(budget);
    return;
  }
  std::vector<gateway::ScanSpec> specs;
  std::vector<gateway::ScanQuestion> questions;
  specs.reserve(pages.size());  // questions refer to them
  for (const size_t i : pages) {
    specs.push_back(streams[i]->NextScan(budget));
    questions.push_back({specs.back(), streams[i]->continuation()});
  }
  auto answers = parts_.gateway.ScanAll(parts_.container, questions, kStreamsAtOnce);
  for (size_t j = 0; j < pages.size(); ++j) {
    statuses[pages[j]] = answers[j].has_value() ? streams[pages[j]]->TakePage(*std::move(answers[j]))
                                                : Fail(std::move(answers[j]).error());
  }
}

}  // namespace orrery::query
