#include "api/mongo/executor/read/tail_rows.h"

#include <fmt/format.h>

#include <utility>

#include "api/mongo/catalog/capped_form.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

std::unexpected<MongoError> PositionLost(int64_t last) {
  return Refuse(ErrorCode::kCappedPositionLost,
                fmt::format("Executor error during getMore :: caused by :: CollectionScan died due "
                            "to failure to restore tailable cursor position. Last seen record id: "
                            "RecordId({})",
                            last));
}

}  // namespace

TailRows::TailRows(gateway::Gateway& gateway, FindRequest request, bool awaits,
                   std::shared_ptr<RunState> state)
    : gateway_(gateway),
      request_(std::move(request)),
      awaits_(awaits),
      state_(std::move(state)),
      search_(BindText(*request_.collection, request_.filter.get())) {}

std::vector<ContainerId> TailRows::containers() const {
  return {request_.collection->container->id};
}

Outcome TailRows::CheckCollection() const {
  const Namespace& name = request_.collection->name;
  const auto snapshot = gateway_.catalog().snapshot();
  const gateway::DatabaseRef database = snapshot->Database(name.database);
  const gateway::ContainerRef container =
      database == nullptr ? nullptr : snapshot->Container(database->id, name.collection);
  if (container != nullptr && container->id == request_.collection->container->id) return {};
  return Refuse(ErrorCode::kQueryPlanKilled,
                fmt::format("collection dropped. UUID {}", UuidText(request_.collection->uuid)));
}

Outcome TailRows::Open() {
  MONGO_TRY(CheckCollection());
  ScanRequest scan{.collection = request_.collection, .filter = nullptr, .as_stored = true};
  scan.hint.natural = true;
  if (last_ != 0) scan.from_sequence = last_;
  scan_ = std::make_unique<CollectionScan>(gateway_, std::move(scan), state_);
  if (last_ == 0) return {};
  MONGO_ASSIGN(const std::optional<Row> at, scan_->Next());
  if (at.has_value() && SequenceOf(at->document) == last_) return {};
  return PositionLost(last_);
}

Outcome TailRows::CheckPosition() const {
  ScanRequest scan{.collection = request_.collection, .filter = nullptr, .rows_wanted = 1};
  scan.hint.natural = true;
  scan.from_sequence = last_;
  scan.as_stored = true;
  CollectionScan look(gateway_, std::move(scan), state_);
  MONGO_ASSIGN(const std::optional<Row> at, look.Next());
  if (at.has_value() && SequenceOf(at->document) == last_) return {};
  return PositionLost(last_);
}

Answer<std::optional<Row>> TailRows::Next() {
  if (!search_.has_value()) return std::unexpected(search_.error());
  while (!has_ended_) {
    if (request_.limit.has_value() && given_ == *request_.limit) {
      has_ended_ = true;
      break;
    }
    if (scan_ == nullptr) MONGO_TRY(Open());
    MONGO_ASSIGN(std::optional<Row> row, scan_->Next());
    if (!row.has_value()) {
      scan_.reset();
      has_ended_ = last_ == 0;
      return std::nullopt;
    }
    const int64_t number = SequenceOf(row->document);
    if (last_ != 0 && number != last_ + 1) MONGO_TRY(CheckPosition());
    last_ = number;
    row->document = ToMongoForm(row->document, DocumentForm::kCapped);
    MatchDetails details;
    if (request_.filter != nullptr) {
      MONGO_ASSIGN(const bool wanted,
                   request_.filter->Matches(row->document, &details, search_->get()));
      if (!wanted) continue;
    }
    if (skipped_ < request_.skip) {
      ++skipped_;
      continue;
    }
    ++given_;
    if (request_.projection != nullptr) {
      MONGO_ASSIGN(row->document, request_.projection->Apply(*row));
    }
    return row;
  }
  return std::nullopt;
}

}  // namespace orrery::mongo
