#include "gateway/scan_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/visit_tally.h"
#include "gateway/fan_out.h"
#include "gateway/position/session_check.h"
#include "gateway/position/session_token.h"
#include "gateway/remote/codec/scan_codec.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/snapshot/commit_barrier.h"
#include "gateway/snapshot/prepared_table.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "item/index/value_filters.h"
#include "item/price_list.h"

namespace orrery::gateway {
namespace {

constexpr size_t kScanParallelMax = 64;
// Of a page that is read at once.
constexpr size_t kAtOnceItemsMax = 256;
constexpr size_t kAtOnceBytesMax = size_t{256} << 10;
constexpr size_t kAtOncePiecesMax = 4;

size_t BytesOf(const item::Page& page) {
  size_t bytes = 0;
  for (const item::ScannedItem& item : page.items) bytes += item.bytes;
  return bytes;
}

size_t Less(size_t limit, size_t used) { return used < limit ? limit - used : 0; }

Result<ScanTarget> WholeTargetOf(const item::ContainerSchema& schema, const ScanSpec& spec,
                                 const partition::Limits& limits) {
  ScanTarget target;
  target.request.index = spec.index;
  target.request.index_only = spec.index_only;
  target.request.nearest = spec.nearest;
  target.request.keys = spec.keys;
  target.request.filter = spec.filter.get();
  target.request.grouping = spec.grouping.get();
  target.request.entry_path = spec.entry_path;
  target.request.context = &spec.context;
  target.request.descending = spec.descending;
  target.request.row_key_lower = spec.row_key_lower;
  target.request.row_key_upper = spec.row_key_upper;
  if (spec.partition_key.has_value() &&
      spec.partition_key->size() == schema.partition_key_paths.size()) {
    ORRERY_ASSIGN(RoutedKey key, RoutePartitionKey(schema, *spec.partition_key, limits));
    target.range = partition::HashRange::Inclusive(key.hash, key.hash);
    target.request.hash = key.hash;
    target.request.partition_key = key.encoded;
    target.key = std::move(key.encoded);
    return target;
  }
  if (spec.descending || spec.row_key_lower.has_value() || spec.row_key_upper.has_value()) {
    return Fail(Code::kInvalidArgument,
                "a scan by row key, or descending in key order, needs the whole partition key: "
                "rows are in order "
                "within one logical partition only");
  }
  if (spec.partition_key.has_value()) {
    ORRERY_ASSIGN(KeyPrefix prefix, RouteKeyPrefix(schema, *spec.partition_key, limits));
    target.range = prefix.range;
    target.key = std::move(prefix.encoded);
    target.by_prefix = true;
    target.request.key_prefix = target.key;
  }
  return target;
}

}  // namespace

Result<std::optional<ScanTarget>> TargetOf(const item::ContainerSchema& schema,
                                           const ScanSpec& spec, const partition::Limits& limits) {
  ORRERY_ASSIGN(ScanTarget target, WholeTargetOf(schema, spec, limits));
  if (spec.range.has_value()) {
    const auto common = target.range.Intersect(*spec.range);
    if (!common.has_value()) return std::nullopt;
    target.range = *common;
  }
  return target;
}

bool MayBeReadAtOnce(const ScanSpec& spec) {
  const bool is_sparse = spec.filter != nullptr && !spec.index.has_value() && spec.keys == nullptr;
  const bool is_long = spec.keys != nullptr && spec.keys->size() > kAtOnceItemsMax;
  return !is_sparse && !is_long && spec.nearest == nullptr && spec.grouping == nullptr;
}

ScanRun::ScanRun(const Parts& parts, std::vector<RingPiece> pieces)
    : parts_(parts),
      fan_out_(parts.topology.map->Overlapping(parts.container.id, parts.target.range).size() > 1),
      reserved_(parts.spec.goes_on ? RequestUnits() : PriceOf({})),
      limits_(parts.spec.limits),
      pieces_(std::move(pieces)) {
  limits_.items_max = std::max<size_t>(limits_.items_max, 1);
  limits_.bytes_max = std::max<size_t>(limits_.bytes_max, 1);
  limits_.examined_max = std::max<size_t>(limits_.examined_max, 1);
  // Partitions that cannot have what is looked up are not asked. A transaction has values that the
  // filters know nothing of.
  if (parts_.within != nullptr) return;
  if (!parts_.target.request.index.has_value() || !parts_.spec.session.empty()) return;
  std::erase_if(pieces_, [this](const RingPiece& piece) {
    if (piece.partition == nullptr) return false;
    item::IndexRange range = *parts_.target.request.index;
    return !piece.partition->value_filters().Narrow(parts_.container.id, range) &&
           piece.partition->CheckLease().has_value();
  });
}

Result<ScanResponse> ScanRun::Run() {
  const bool at_once = parts_.mode == storage::ReadMode::kCachedOnly;
  if (at_once && (pieces_.size() > kAtOncePiecesMax || !MayBeReadAtOnce(parts_.spec)))
    return Fail(Code::kWouldBlock, "the page is no small one");
  const size_t width_max = std::clamp<size_t>(parts_.spec.parallel_max, 1, kScanParallelMax);
  for (size_t width = 1; next_ < pieces_.size() && !ended_;
       width = std::min(width * 2, width_max)) {
    ORRERY_TRY(parts_.spec.context.Check());
    refused_ = {};
    const size_t count = Admit(std::min(width, pieces_.size() - next_));
    if (count == 0) break;
    for (Reading& reading : ReadWave(count)) {
      if (ended_) {
        Discard(reading);
      } else {
        Accept(reading);
      }
    }
  }
  // Items that were found before a partition refused are a page of their own.
  if (!refused_.has_value() &&
      (response_.partitions_visited == 0 || refused_.error().code() == Code::kWouldBlock))
    return Fail(std::move(refused_).error());
  return std::move(response_);
}

size_t ScanRun::Admit(size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (pieces_[next_ + i].remote != nullptr) continue;  // its owner's to admit
    const cluster::HostedPartition& partition = *pieces_[next_ + i].partition;
    refused_ = CheckSession(parts_.topology, partition, parts_.spec.session);
    if (refused_.has_value() && !parts_.spec.goes_on)
      refused_ = parts_.metering.Reserve(partition, parts_.container, reserved_);
    if (!refused_.has_value()) return i;
  }
  return count;
}

std::vector<ScanRun::Reading> ScanRun::ReadWave(size_t count) {
  std::vector<Reading> wave(count);
  std::vector<Reading*> here;
  std::vector<Reading*> elsewhere;
  for (size_t i = 0; i < count; ++i) {
    Reading& reading = wave[i];
    reading.piece = &pieces_[next_ + i];
    if (reading.piece->remote != nullptr && given_.has_value()) {
      Take(*std::exchange(given_, std::nullopt), reading);
    } else if (reading.piece->remote != nullptr && parts_.remote != nullptr &&
               parts_.within == nullptr && parts_.mode == storage::ReadMode::kMayBlock) {
      elsewhere.push_back(&reading);
    } else {
      here.push_back(&reading);
    }
  }
  const size_t parallel = parts_.mode == storage::ReadMode::kMayBlock ? here.size() : 1;
  const auto read_here = [&] {
    FanOut(parts_.io_pool, here.size(), parallel, [&](size_t i) { Read(*here[i]); });
  };
  elsewhere.empty() ? read_here() : ReadElsewhere(elsewhere, read_here);
  return wave;
}

void ScanRun::ReadElsewhere(std::span<Reading* const> readings,
                            const std::function<void()>& read_here) const {
  std::vector<PieceQuestion> questions;
  for (const Reading* reading : readings)
    questions.push_back({*reading->piece, parts_.spec, parts_.target, Room()});
  std::vector<Result<ScanPieceAnswer>> answers =
      parts_.remote->ScanAll(parts_.container, questions, read_here);
  for (size_t i = 0; i < readings.size(); ++i) Take(std::move(answers[i]), *readings[i]);
}

void ScanRun::Read(Reading& reading) const {
  if (reading.piece->remote != nullptr) return ReadRemotely(reading);
  reading.position = reading.piece->partition->sequencer().last_committed();
  reading.page = ReadPiece(*reading.piece);
  if (reading.page.has_value()) reading.charge = PriceOf(*reading.page);
}

void ScanRun::ReadRemotely(Reading& reading) const {
  if (parts_.within != nullptr && parts_.remote == nullptr) {
    reading.page = parts_.within->Elsewhere();
  } else if (parts_.remote == nullptr) {
    reading.page = Fail(Code::kUnavailable, "another node has the partition");
  } else if (parts_.mode == storage::ReadMode::kCachedOnly) {
    reading.page = Fail(Code::kWouldBlock, "another node has the partition");
  } else {
    Reading* const only = &reading;
    ReadElsewhere({&only, 1}, [] {});
  }
}

void ScanRun::Take(Result<ScanPieceAnswer> answer, Reading& reading) {
  if (!answer.has_value()) {
    reading.page = Fail(std::move(answer).error());
    return;
  }
  reading.charge = answer->page.charge;
  reading.session = std::move(answer->page.session);
  reading.page = item::Page{.items = std::move(answer->page.items),
                            .next = std::move(answer->next),
                            .examined = answer->page.examined,
                            .entries_passed = answer->page.entries_passed,
                            .items_rejected = answer->page.items_rejected,
                            .bytes_rejected = answer->page.bytes_rejected,
                            .items_grouped = answer->page.items_grouped,
                            .bytes_grouped = answer->page.bytes_grouped,
                            .last = std::move(answer->page.last)};
}

Result<item::Page> ScanRun::ReadPiece(const RingPiece& piece) const {
  const auto view_of = [&]() -> Result<storage::ReadView> {
    if (parts_.within != nullptr) return parts_.within->ViewOf(*piece.partition, parts_.container);
    ORRERY_TRY(parts_.prepared.Pass(parts_.container.id, piece.range, parts_.mode));
    ORRERY_TRY(parts_.barrier.Pass(piece.partition->id(), parts_.mode));
    return storage::ReadView(piece.partition->engine());
  };
  ORRERY_ASSIGN(const storage::ReadView view, view_of());
  const item::SliceReader reader(view, *parts_.container.schema, piece.range, parts_.now);
  item::ScanRequest request = parts_.target.request;
  if (request.index.has_value() && parts_.within == nullptr &&
      !piece.partition->value_filters().Narrow(parts_.container.id, *request.index)) {
    ORRERY_TRY(piece.partition->CheckLease());
    return item::Page{};
  }
  item::PageLimits room = Room();
  if (parts_.mode == storage::ReadMode::kCachedOnly) {
    room.items_max = std::min(room.items_max, kAtOnceItemsMax);
    room.examined_max = std::min(room.examined_max, kAtOnceItemsMax);
    room.bytes_max = std::min(room.bytes_max, kAtOnceBytesMax);
  }
  ORRERY_ASSIGN(item::Page page, reader.Scan(request, piece.inner, room, parts_.mode));
  ORRERY_TRY(piece.partition->CheckLease());
  if (parts_.mode == storage::ReadMode::kCachedOnly && page.next.has_value() && !FilledBy(page))
    return Fail(Code::kWouldBlock, "the page is more work than one that is read at once");
  if (parts_.target.by_prefix) {
    std::erase_if(page.items, [this](const item::ScannedItem& item) {
      return !item.key.partition_key.starts_with(parts_.target.key);
    });
  }
  return page;
}

void ScanRun::Accept(Reading& reading) {
  RingPiece& piece = *reading.piece;
  // Read for a whole page while its predecessor in the wave filled part of it: now for what is
  // left.
  if (reading.page.has_value() && !Fits(*reading.page)) Read(reading);
  if (!reading.page.has_value()) {
    refused_ = Fail(std::move(reading.page).error());
    ended_ = true;
    return Discard(reading);
  }
  item::Page page = *std::move(reading.page);
  if (piece.partition != nullptr) {
    parts_.metering.Settle(*piece.partition, parts_.container, reserved_, reading.charge);
    VisitTally::Note(piece.partition->id().value());
    if (!parts_.target.key.empty())
      piece.partition->RecordUse(parts_.container.id, parts_.target.key, reading.charge);
    AppendSessionPosition(response_.session, {piece.partition->id(), reading.position});
  } else {
    VisitTally::Note(piece.remote->record->id.value());
    if (!response_.session.empty() && !reading.session.empty()) response_.session.push_back(',');
    response_.session += reading.session;
  }
  Explain(reading, page);
  response_.charge += reading.charge;
  ++response_.partitions_visited;
  response_.examined += page.examined;
  response_.entries_passed += page.entries_passed;
  response_.items_rejected += page.items_rejected;
  response_.bytes_rejected += page.bytes_rejected;
  response_.items_grouped += page.items_grouped;
  response_.bytes_grouped += page.bytes_grouped;
  if (page.last.has_value()) response_.last = std::move(page.last);
  bytes_ += BytesOf(page);
  std::ranges::move(page.items, std::back_inserter(response_.items));
  if (page.next.has_value()) {
    piece.inner = std::move(page.next);
    ended_ = true;
  } else {
    ++next_;
    ended_ = Full();
  }
}

void ScanRun::Discard(const Reading& reading) {
  if (reading.piece->partition != nullptr)
    parts_.metering.Settle(*reading.piece->partition, parts_.container, reserved_, {});
}

item::QueryWork ScanRun::WorkOf(const item::Page& page) const {
  return {.records_examined = page.examined,
          .bytes_examined = page.bytes_examined,
          .index_lookups = page.ranges_sought,
          .entries_passed = page.entries_passed,
          .fan_out = fan_out_};
}

RequestUnits ScanRun::PriceOf(const item::Page& page) const {
  return item::PriceOfQuery(WorkOf(page));
}

void ScanRun::Explain(const Reading& reading, const item::Page& page) const {
  const auto& trace = ChargeTrace::Current();
  if (trace == nullptr) return;
  if (reading.piece->partition != nullptr) {
    trace->Add(item::ExplainQuery(WorkOf(page)), reading.piece->partition->id().value());
  } else {
    const ChargePart whole{.what = "work of another node", .count = 1, .charge = reading.charge};
    trace->Add(std::span(&whole, 1), reading.piece->remote->record->id.value());
  }
}

item::PageLimits ScanRun::Room() const {
  return {.items_max = Less(limits_.items_max, response_.items.size()),
          .bytes_max = Less(limits_.bytes_max, bytes_),
          .examined_max = Less(limits_.examined_max, response_.examined)};
}

bool ScanRun::FilledBy(const item::Page& page) const {
  const item::PageLimits room = Room();
  return page.items.size() >= room.items_max || BytesOf(page) >= room.bytes_max ||
         page.examined >= room.examined_max;
}

bool ScanRun::Fits(const item::Page& page) const {
  // The first page of all is never too large: one item may exceed the limit on bytes.
  if (response_.partitions_visited == 0) return true;
  const item::PageLimits room = Room();
  return page.items.size() <= room.items_max && BytesOf(page) <= room.bytes_max;
}

bool ScanRun::Full() const {
  const item::PageLimits room = Room();
  return room.items_max == 0 || room.bytes_max == 0 || room.examined_max == 0;
}

}  // namespace orrery::gateway
