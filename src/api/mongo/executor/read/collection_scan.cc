#include "api/mongo/executor/read/collection_scan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/mongo/catalog/capped_form.h"
#include "api/mongo/executor/read/index_uses.h"
#include "api/mongo/executor/read/key_range.h"
#include "api/mongo/language/match/conditions.h"
#include "api/mongo/language/match/owner_filter.h"
#include "gateway/view/partition_ranges.h"
#include "model/key/key_codec.h"
#include "model/number/number.h"
#include "query/predicate/predicate_builder.h"
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
  if (request.hint.natural || !IsOwnForm(request.collection->form)) return conditions;
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
  if (request.hint.natural || !IsOwnForm(request.collection->form) || collator == nullptr ||
      !collator->rules().has_value())
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
      !IsOwnForm(request.collection->form) || path.index.has_value())
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

// The order of insertion of a capped collection.
query::AccessPath NaturalPath(const ScanRequest& request) {
  const query::DocumentPath number =
      query::DocumentPath::At(model::Path({std::string(kSequenceField)}));
  query::Conditions conditions;
  conditions.rules = query::MatchRules::kMongo;
  conditions.hint = item::NamedIndexId(kSequenceIndexId);
  conditions.order =
      query::WantedOrder{.paths = {number}, .descending = {request.natural_backwards}};
  if (request.from_sequence.has_value()) {
    const query::PredicateBuilder builder(model::Order::kMongo, query::MatchRules::kMongo);
    if (auto from = builder.Compare(number, query::Comparison::kGreaterOrEqual,
                                    model::Value::Int64(*request.from_sequence)))
      conditions.all.push_back(*std::move(from));
  }
  return query::ChooseAccessPath(conditions, *request.collection->container->schema, std::nullopt);
}

// Returns whether nothing but the natural order will do.
bool DemandsNatural(const ScanRequest& request) {
  return request.collection->form == DocumentForm::kCapped &&
         (request.hint.natural || request.natural_backwards || request.from_sequence.has_value());
}

}  // namespace

query::AccessPath ChoosePath(const ScanRequest& request) {
  if (DemandsNatural(request)) return NaturalPath(request);
  const bool has_hidden = std::ranges::any_of(request.collection->indexes, &IndexSpec::is_hidden);
  std::optional<item::ContainerSchema> usable;
  if (has_hidden) usable = SchemaFor(request);
  const item::ContainerSchema& schema =
      usable.has_value() ? *usable : *request.collection->container->schema;
  if (const auto collated = CollatedConditionsFor(request)) {
    query::AccessPath path = query::ChooseAccessPath(*collated, schema, std::nullopt);
    if (path.uses_index()) return path;
  }
  query::AccessPath path = query::ChooseAccessPath(ConditionsFor(request), schema, std::nullopt);
  const bool is_free = !path.uses_index() && path.row_keys.empty() && request.sort == nullptr;
  if (is_free && request.collection->form == DocumentForm::kCapped) return NaturalPath(request);
  return path;
}

CollectionScan::CollectionScan(gateway::Gateway& gateway, ScanRequest request,
                               std::shared_ptr<RunState> state)
    : gateway_(gateway),
      request_(std::move(request)),
      state_(std::move(state)),
      shaper_(request_.as_stored ? DocumentForm::kMongo : request_.collection->form),
      search_(BindText(*request_.collection, request_.filter.get())) {
  path_ = ChoosePath(request_);
  // One document is sooner looked at than described.
  if (IsOwnForm(request_.collection->form) && !path_.row_key.has_value())
    where_ = OwnerFilterOf(request_.filter.get()).expression;
  is_ordered_ = path_.is_ordered || TakeOrderOfIds(request_, path_);
}

CollectionScan::~CollectionScan() = default;

bool CollectionScan::is_natural() const {
  return request_.collection->form == DocumentForm::kCapped && path_.index.has_value() &&
         path_.index->index == item::NamedIndexId(kSequenceIndexId);
}

query::AccessPath CollectionScan::ShownPath() const {
  query::AccessPath path = path_;
  if (is_natural()) path.index.reset();
  return path;
}

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
  if (position_.empty()) CountUse();
  source_ = std::make_unique<query::GatewaySource>(std::move(parts), std::move(streams));
  return {};
}

void CollectionScan::CountUse() const {
  if (state_->index_uses == nullptr) return;
  const std::string name = request_.collection->name.ToString();
  const auto count = [&](const query::IndexPath& path) {
    for (const IndexSpec& spec : request_.collection->indexes) {
      if (item::NamedIndexId(spec.id) == path.index)
        state_->index_uses->CountIndexUse(name, spec.name);
    }
  };
  if (path_.index.has_value() && !is_natural()) return count(*path_.index);
  for (const query::IndexPath& path : path_.index_union) count(path);
  if (!path_.index_union.empty()) return;
  const bool by_id = path_.row_key.has_value() || !path_.row_keys.empty();
  state_->index_uses->CountIndexUse(name, by_id ? kIdIndexName : std::string_view());
}

model::Value CollectionScan::KeyOf(model::DocumentView document) const {
  if (!path_.index.has_value()) {
    const bool by_id = path_.row_key.has_value() || !path_.row_keys.empty() || is_ordered_;
    if (!by_id) return model::Value::Object({});
    return model::Value::Object({{"_id", document.Get("_id")}});
  }
  const item::ContainerSchema& schema = *request_.collection->container->schema;
  for (const IndexSpec& spec : request_.collection->indexes) {
    const auto keys = KeyRange::Make(spec.key, std::nullopt, std::nullopt);
    if (item::NamedIndexId(spec.id) != path_.index->index || !keys.has_value()) continue;
    std::vector<std::pair<std::string, model::Fields>> found;
    for (const model::Values& values : keys->KeysOf(document)) {
      std::string encoded;
      model::Fields key;
      for (const model::ElementView field : spec.key.view()) {
        const model::Value direction = field.ToValue();
        const bool falls = direction.is_number() && model::ToDouble(direction) < 0;
        model::AppendKey(encoded, values[key.size()], schema.order,
                         falls ? model::Direction::kDescending : model::Direction::kAscending);
        key.push_back({std::string(field.name()), values[key.size()]});
      }
      const bool is_wanted =
          path_.index->ranges.empty() ||
          std::ranges::any_of(path_.index->ranges, [&](const query::ValueRange& range) {
            return range.Contains(encoded);
          });
      if (is_wanted) found.emplace_back(std::move(encoded), std::move(key));
    }
    if (found.empty()) break;
    const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto first = path_.index->descending ? std::ranges::max_element(found, by_key)
                                               : std::ranges::min_element(found, by_key);
    return model::Value::Object(first->second);
  }
  return model::Value::Object({});
}

void CollectionScan::Count() {
  const query::SourceMetrics& now = source_->metrics();
  state_->charge += now.charge - counted_.charge;
  state_->documents_examined += now.documents - counted_.documents;
  if (path_.index.has_value() && !is_natural())
    state_->keys_examined += now.examined - counted_.examined;
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
    if (request_.wants_keys) {
      RowMeta meta = row.meta == nullptr ? RowMeta() : *row.meta;
      meta.index_key = KeyOf(row.document);
      meta.record_id = row.document.view().Get("_id");
      row.meta = std::make_shared<const RowMeta>(std::move(meta));
    }
    return row;
  }
  return std::nullopt;
}

}  // namespace orrery::mongo
