#include "api/mongo/executor/read/collection_scan.h"

#include <utility>
#include <vector>

#include "api/mongo/language/match/conditions.h"
#include "api/mongo/language/match/owner_filter.h"
#include "gateway/view/partition_ranges.h"
#include "query/source/index_union.h"
#include "query/source/scan_plan.h"

namespace orrery::mongo {
namespace {

// A scan is planned anew when a partition split under it; more often in a row is no accident.
constexpr int kPlansMax = 8;

std::optional<query::WantedOrder> OrderOf(const SortPattern& sort) {
  query::WantedOrder order;
  for (const SortPart& part : sort.parts()) {
    if (part.meta != SortPart::Meta::kNone) return std::nullopt;
    order.paths.push_back(query::DocumentPath::At(model::Path(part.steps)));
    order.descending.push_back(part.descending);
  }
  if (order.paths.empty()) return std::nullopt;
  return order;
}

query::Conditions ConditionsFor(const ScanRequest& request) {
  query::Conditions conditions;
  conditions.rules = query::MatchRules::kMongo;
  // Indexes of other APIs are in an order of their own, and know no `_id`.
  if (request.hint.natural || request.collection->form != DocumentForm::kMongo) return conditions;
  if (request.filter != nullptr) conditions = ConditionsOf(*request.filter);
  const bool collates = request.filter != nullptr && request.filter->context().collator != nullptr;
  if (request.sort != nullptr && !collates) conditions.order = OrderOf(*request.sort);
  return conditions;
}

// The schema with the indexes that may be used: hidden ones may not, and others than that of a hint
// neither.
item::ContainerSchema SchemaFor(const ScanRequest& request) {
  item::ContainerSchema schema = *request.collection->container->schema;
  std::vector<item::NamedIndex> usable;
  for (const item::NamedIndex& index : schema.indexing.named()) {
    bool is_usable = request.hint.name.empty() || request.hint.name == index.name;
    for (const IndexSpec& spec : request.collection->indexes) {
      if (spec.id == index.id && spec.is_hidden()) is_usable = false;
    }
    if (is_usable) usable.push_back(index);
  }
  schema.indexing = item::IndexPolicy().WithNamed(std::move(usable));
  return schema;
}

// Documents of a collection without a shard key come in the order of `_id` where no index is read,
// upwards or downwards.
bool TakeOrderOfIds(const ScanRequest& request, query::AccessPath& path) {
  if (request.sort == nullptr || request.collection->is_sharded() ||
      request.collection->form != DocumentForm::kMongo || path.index.has_value())
    return false;
  const auto& parts = request.sort->parts();
  const bool collates = request.filter != nullptr && request.filter->context().collator != nullptr;
  if (parts.empty() || parts.front().path != "_id" || collates) return false;
  if (parts.front().descending) {
    // The documents of a union are listed in rising order.
    if (!path.index_union.empty()) return false;
    path.row_keys_descend = true;
    if (!path.partition_key.has_value()) path.partition_key.emplace();
  }
  return true;
}

}  // namespace

query::AccessPath ChoosePath(const ScanRequest& request) {
  const query::Conditions conditions = ConditionsFor(request);
  const bool all_usable = request.hint.name.empty() && request.collection->indexes.empty();
  const item::ContainerSchema& schema = *request.collection->container->schema;
  return all_usable ? query::ChooseAccessPath(conditions, schema, std::nullopt)
                    : query::ChooseAccessPath(conditions, SchemaFor(request), std::nullopt);
}

CollectionScan::CollectionScan(gateway::Gateway& gateway, ScanRequest request,
                               std::shared_ptr<RunState> state)
    : gateway_(gateway),
      request_(std::move(request)),
      state_(std::move(state)),
      shaper_(request_.collection->form) {
  path_ = ChoosePath(request_);
  // One document is sooner looked at than described.
  if (request_.collection->form == DocumentForm::kMongo && !path_.row_key.has_value())
    where_ = OwnerFilterOf(request_.filter.get()).expression;
  is_ordered_ = path_.is_ordered || TakeOrderOfIds(request_, path_);
}

CollectionScan::~CollectionScan() = default;

Status CollectionScan::Open() {
  const gateway::ContainerRef& container = request_.collection->container;
  std::optional<query::ScanPosition> resume;
  if (!position_.empty()) {
    ORRERY_ASSIGN(resume, query::DecodePosition(position_));
  }
  ORRERY_ASSIGN(std::vector<query::ScanStream> streams,
                query::PlanScans(path_, {}, *container->schema,
                                 gateway::PartitionRanges(gateway_, *container), resume));
  query::GatewaySource::Parts parts{.gateway = gateway_,
                                    .container = container,
                                    .path = path_,
                                    .shaper = shaper_,
                                    .rows_wanted = request_.rows_wanted,
                                    .where = where_};
  if (!path_.index_union.empty()) {
    for (query::ScanStream& stream : streams) {
      ORRERY_ASSIGN(auto found, query::NarrowToUnion(path_, stream, gateway_, container,
                                                     parts.rows_wanted, parts.before));
      if (!found.has_value()) {
        path_.index_union.clear();
        break;
      }
      stream = *std::move(found);
    }
  }
  counted_ = {};
  has_given_ = false;
  source_ = std::make_unique<query::GatewaySource>(std::move(parts), std::move(streams));
  return {};
}

void CollectionScan::Count() {
  const query::SourceMetrics& now = source_->metrics();
  state_->charge += now.charge - counted_.charge;
  state_->documents_examined += now.documents - counted_.documents;
  if (path_.index.has_value()) state_->keys_examined += now.examined - counted_.examined;
  counted_.charge = now.charge;
  counted_.documents = now.documents;
  counted_.examined = now.examined;
}

Answer<std::optional<Row>> CollectionScan::Next() {
  // Without such indexes nothing here could decide which documents match.
  if (request_.filter != nullptr && request_.filter->text() != nullptr)
    return Refuse(ErrorCode::kIndexNotFound, "text index required for $text query");
  if (request_.filter != nullptr && request_.filter->near() != nullptr) {
    return Refuse(291,
                  "error processing query: planner returned error :: caused by :: unable to find "
                  "index for $geoNear query");
  }
  int plans = 0;
  while (!is_done_) {
    MONGO_TRY(state_->Check());
    if (source_ == nullptr) {
      if (const Status opened = Open(); !opened.has_value()) return Refuse(opened.error());
    }
    const Result<bool> next = source_->Next();
    Count();
    if (!next.has_value()) {
      if (next.error().code() != Code::kMoved || ++plans > kPlansMax) return Refuse(next.error());
      if (has_given_) position_ = source_->Position(query::DocumentSource::Resume::kBehind);
      source_.reset();
      continue;
    }
    if (!*next) {
      is_done_ = true;
      break;
    }
    has_given_ = true;
    Row row{.document = model::Document::Trusted(source_->document().AsBytes())};
    details_ = {};
    if (request_.filter != nullptr) {
      MONGO_ASSIGN(const bool wanted, request_.filter->Matches(row.document, &details_));
      if (!wanted) continue;
    }
    return row;
  }
  return std::nullopt;
}

}  // namespace orrery::mongo
