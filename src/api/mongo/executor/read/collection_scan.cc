#include "api/mongo/executor/read/collection_scan.h"

#include <algorithm>
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

// Null: strings compare by their bytes.
const Collator* CollatorOf(const ScanRequest& request) {
  return request.filter != nullptr ? request.filter->context().collator.get()
                                   : request.collator.get();
}

// The conditions that access paths are chosen by, with what the request says of indexes.
query::Conditions Completed(const ScanRequest& request, query::Conditions conditions,
                            bool has_order) {
  if (request.sort != nullptr && has_order) conditions.order = OrderOf(*request.sort);
  for (const IndexSpec& spec : request.collection->indexes) {
    if (!request.hint.name.empty() && spec.name == request.hint.name)
      conditions.hint = item::NamedIndexId(spec.id);
  }
  return conditions;
}

query::Conditions ConditionsFor(const ScanRequest& request) {
  query::Conditions conditions;
  conditions.rules = query::MatchRules::kMongo;
  // Indexes of other APIs are in an order of their own, and know no `_id`.
  if (request.hint.natural || request.collection->form != DocumentForm::kMongo) return conditions;
  if (request.filter != nullptr) conditions = ConditionsOf(*request.filter);
  if (request.near.has_value() && (request.filter == nullptr || request.filter->near() == nullptr))
    AddConditionsOf(*request.near, conditions);
  if (const auto search = BindText(*request.collection, request.filter.get());
      search.has_value() && *search != nullptr && DemandsText(*request.filter))
    conditions.search = query::SearchCondition{(*search)->query.terms()};
  return Completed(request, std::move(conditions), CollatorOf(request) == nullptr);
}

// The conditions for indexes by the rules of the request's collation; nullopt if it has none.
std::optional<query::Conditions> CollatedConditionsFor(const ScanRequest& request) {
  const Collator* const collator = CollatorOf(request);
  if (request.hint.natural || request.collection->form != DocumentForm::kMongo ||
      collator == nullptr || !collator->rules().has_value())
    return std::nullopt;
  query::Conditions conditions;
  if (request.filter != nullptr) conditions = CollatedConditionsOf(*request.filter);
  conditions.rules = query::MatchRules::kMongo;
  conditions.collation = collator->rules();
  return Completed(request, std::move(conditions), /*has_order=*/true);
}

// The schema with the indexes that may be used: hidden ones may not.
item::ContainerSchema SchemaFor(const ScanRequest& request) {
  item::ContainerSchema schema = *request.collection->container->schema;
  std::vector<item::NamedIndex> usable;
  for (const item::NamedIndex& index : schema.indexing.named()) {
    const bool is_hidden = std::ranges::any_of(
        request.collection->indexes,
        [&](const IndexSpec& spec) { return spec.id == index.id && spec.is_hidden(); });
    if (!is_hidden) usable.push_back(index);
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
  if (parts.empty() || parts.front().path != "_id" || CollatorOf(request) != nullptr) return false;
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
  const bool has_hidden = std::ranges::any_of(request.collection->indexes, &IndexSpec::is_hidden);
  std::optional<item::ContainerSchema> usable;
  if (has_hidden) usable = SchemaFor(request);
  const item::ContainerSchema& schema =
      usable.has_value() ? *usable : *request.collection->container->schema;
  if (const auto collated = CollatedConditionsFor(request)) {
    query::AccessPath path = query::ChooseAccessPath(*collated, schema, std::nullopt);
    if (path.uses_index()) return path;
  }
  return query::ChooseAccessPath(ConditionsFor(request), schema, std::nullopt);
}

CollectionScan::CollectionScan(gateway::Gateway& gateway, ScanRequest request,
                               std::shared_ptr<RunState> state)
    : gateway_(gateway),
      request_(std::move(request)),
      state_(std::move(state)),
      shaper_(request_.collection->form),
      search_(BindText(*request_.collection, request_.filter.get())) {
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
  if (!search_.has_value()) return std::unexpected(search_.error());
  // Without such an index nothing here could decide which documents match.
  if (request_.filter != nullptr && request_.filter->near() != nullptr &&
      !request_.near.has_value()) {
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
      MONGO_ASSIGN(const bool wanted,
                   request_.filter->Matches(row.document, &details_, search_->get()));
      if (!wanted) continue;
      if (details_.text_score.has_value())
        row.meta = std::make_shared<const RowMeta>(RowMeta{.text_score = details_.text_score});
    }
    return row;
  }
  return std::nullopt;
}

}  // namespace orrery::mongo
