#include "api/mongo/executor/aggregate/aggregate_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/catalog/collation.h"
#include "api/mongo/executor/aggregate/out_writer.h"
#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/executor/read/collection_size.h"
#include "api/mongo/language/value/number.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

class NoRows final : public RowSource {
 public:
  Answer<std::optional<Row>> Next() override { return std::nullopt; }
};

class ListOfRows final : public RowSource {
 public:
  explicit ListOfRows(std::vector<model::Document> rows) : rows_(std::move(rows)) {}
  Answer<std::optional<Row>> Next() override {
    if (next_ == rows_.size()) return std::nullopt;
    return Row{.document = std::move(rows_[next_++])};
  }

 private:
  std::vector<model::Document> rows_;
  size_t next_ = 0;
};

}  // namespace

AggregateAccess::AggregateAccess(Parts parts, std::shared_ptr<RunState> state)
    : parts_(std::move(parts)), state_(std::move(state)) {}

Namespace AggregateAccess::NameOf(const CollectionName& name) const {
  return {name.database.empty() ? parts_.database : name.database, name.collection};
}

Answer<ResolvedCollection> AggregateAccess::Resolve(const CollectionName& name) {
  MONGO_TRY(parts_.check_read(NameOf(name)));
  MONGO_ASSIGN(ResolvedName resolved, parts_.collections.Resolve(NameOf(name)));
  if (resolved.is_view) {
    std::shared_ptr<const Collator> own;
    if (resolved.collation.has_value()) {
      MONGO_ASSIGN(own, ParseCollation(*resolved.collation));
    }
    const auto rules = [](const Collator* collator) {
      return collator == nullptr ? std::nullopt : collator->rules();
    };
    if (rules(own.get()) != rules(parts_.collator.get())) {
      return Refuse(
          ErrorCode::kOptionNotSupportedOnView,
          fmt::format("Cannot override a view's default collation{}", NameOf(name).ToString()));
    }
  }
  return ResolvedCollection{
      .name = {.database = resolved.name.database, .collection = resolved.name.collection},
      .pipeline = std::move(resolved.pipeline)};
}

Answer<std::unique_ptr<RowSource>> AggregateAccess::Read(const CollectionName& name,
                                                         MatcherPtr filter) {
  const CollectionPtr collection = parts_.collections.Find(NameOf(name));
  if (collection == nullptr) return std::make_unique<NoRows>();
  return std::make_unique<CollectionScan>(
      parts_.gateway, ScanRequest{.collection = collection, .filter = std::move(filter)}, state_);
}

Answer<std::unique_ptr<OutTarget>> AggregateAccess::OpenOut(const CollectionName& name) {
  const Namespace target = NameOf(name);
  MONGO_TRY(parts_.check_write(target));
  return OutWriter::Open({.gateway = parts_.gateway,
                          .collections = parts_.collections,
                          .new_id = parts_.new_id,
                          .validates = parts_.validates},
                         target, state_);
}

Answer<bool> AggregateAccess::AreUnique(const CollectionName& name,
                                        const std::vector<std::string>& fields) {
  if (fields == std::vector<std::string>{"_id"}) return true;
  const CollectionPtr collection = parts_.collections.Find(NameOf(name));
  if (collection == nullptr) return false;
  std::vector<std::string> wanted = fields;
  std::ranges::sort(wanted);
  if (collection->is_sharded()) {
    std::vector<std::string> key = {"_id", *collection->shard_key};
    std::ranges::sort(key);
    if (wanted == key) return true;
  }
  return std::ranges::any_of(collection->indexes, [&](const IndexSpec& index) {
    if (!index.is_unique() || index.partial_filter().has_value()) return false;
    std::vector<std::string> key;
    for (const model::ElementView field : index.key.view()) key.emplace_back(field.name());
    std::ranges::sort(key);
    return key == wanted;
  });
}

Answer<std::vector<std::string>> AggregateAccess::MergeFields(const CollectionName& name) {
  const CollectionPtr collection = parts_.collections.Find(NameOf(name));
  std::vector<std::string> fields = {"_id"};
  if (collection != nullptr && collection->is_sharded()) fields.push_back(*collection->shard_key);
  return fields;
}

Outcome AggregateAccess::Merge(const CollectionName& name, MergeWrite write) {
  const Namespace target = NameOf(name);
  MONGO_TRY(parts_.check_write(target));
  MONGO_ASSIGN(const CollectionPtr collection, parts_.collections.FindOrCreate(target));
  CollectionWriter writer({.gateway = parts_.gateway, .new_id = parts_.new_id}, state_);
  const auto insert = [&]() -> Outcome {
    MONGO_ASSIGN(const WriteOutcome inserted, writer.Insert({.collection = collection,
                                                             .documents = {write.document.view()},
                                                             .validates = parts_.validates}));
    if (!inserted.failures.empty()) return std::unexpected(inserted.failures.front().error);
    return {};
  };
  if (write.update == nullptr) return insert();
  MONGO_ASSIGN(MatcherPtr filter, Matcher::Parse(write.filter, std::make_shared<QueryContext>()));
  ChangeRequest request;
  request.collection = collection;
  request.statement = WriteStatement::Of(std::move(filter), write.update, write.update_source,
                                         write.variables, write.now_unix_ms);
  request.upserts = write.is_upsert;
  request.validates = parts_.validates;
  // Whoever inserts the key in between is met by the second try.
  for (int tries = 0; write.inserts_document; ++tries) {
    MONGO_ASSIGN(const WriteOutcome changed, writer.Change(request));
    if (changed.matched > 0) return {};
    Outcome inserted = insert();
    if (inserted.has_value() || tries > 0 ||
        inserted.error().code != static_cast<int32_t>(ErrorCode::kDuplicateKey))
      return inserted;
  }
  MONGO_ASSIGN(const WriteOutcome changed, writer.Change(request));
  if (changed.matched == 0 && write.fails_unless_matched) {
    return Refuse(13113,
                  "$merge could not find a matching document in the target collection for "
                  "at least one document in the source collection");
  }
  return {};
}

Answer<std::unique_ptr<RowSource>> AggregateAccess::Special(const std::string& stage,
                                                            const model::Value& /*argument*/) {
  if (parts_.server_rows.has_value()) return std::make_unique<ListOfRows>(*parts_.server_rows);
  return Refuse(40324, fmt::format("Unrecognized pipeline stage name: '{}'", stage));
}

}  // namespace orrery::mongo
