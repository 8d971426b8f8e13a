// A Collection is a container as the MongoDB API sees it: what the catalog's `extra` keeps for this
// API, taken apart once.
//
// A collection without a shard key is a fixed container: one logical partition, in which `_id` is
// unique and all indexes are. A sharded one has the shard key's path as its partition key; `_id` is
// unique among documents of one shard key. Containers of other APIs are collections, too: what
// their documents lack of MongoDB's form is in `form`.
//
// Immutable and shared.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/catalog/document_form.h"
#include "api/mongo/catalog/index_spec.h"
#include "api/mongo/catalog/namespace.h"
#include "api/mongo/catalog/validator.h"
#include "api/mongo/error/mongo_error.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

struct Collection {
  Namespace name;
  gateway::ContainerRef container;
  DocumentForm form = DocumentForm::kMongo;
  model::Value uuid;  // binary of subtype 4
  // As create and collMod were given them: capped, size, max, validator, validationLevel,
  // validationAction, collation, comment and the like.
  model::Document options;
  std::optional<std::string> shard_key = {};  // "address.city"
  bool shard_key_is_hashed = true;
  std::vector<IndexSpec> indexes = {};  // without that of `_id`
  ValidatorPtr validator = nullptr;     // null: every document may be written

  bool is_sharded() const { return shard_key.has_value(); }
  bool has_unique_index() const { return container->schema->indexing.has_unique(); }
  const gateway::ContainerSettings& settings() const { return container->settings; }
  // An option, or nullptr.
  std::optional<model::ElementView> Option(std::string_view option) const {
    return options.view().Find(option);
  }
};
using CollectionPtr = std::shared_ptr<const Collection>;

// A view is a named pipeline over a collection or another view.
struct View {
  Namespace name;
  std::string on;
  std::vector<model::Document> pipeline;
  model::Document options;  // viewOn, pipeline, collation

  // nullopt: that of bytes.
  std::optional<model::DocumentView> collation() const {
    const auto kept = options.view().Find("collation");
    if (!kept.has_value() || kept->kind() != model::Kind::kObject) return std::nullopt;
    return kept->AsDocument();
  }
};

// Takes a container apart. REQUIRES: it has documents, not rows.
CollectionPtr ReadCollection(const gateway::ContainerRef& container);

// The options of a new collection.
struct NewCollection {
  Namespace name;
  model::Document options = {};
  std::optional<std::string> shard_key = {};
  bool shard_key_is_hashed = true;
  std::vector<IndexSpec> indexes = {};
  partition::ThroughputSettings throughput = {};
};
// The settings of its container.
Answer<gateway::ContainerSettings> SettingsOf(const NewCollection& made, const model::Value& uuid);

// `settings` with these indexes and options in the place of the former ones: what the catalog keeps
// and what the core follows. Ids of indexes that stay are kept, new ones are above `highest_id`.
Answer<gateway::ContainerSettings> WithIndexes(const Collection& collection,
                                               const std::vector<IndexSpec>& indexes);
gateway::ContainerSettings WithOptions(const Collection& collection, model::Document options);

// "5e0c0d9a-..."; empty for what is no uuid.
std::string UuidText(const model::Value& uuid);

// "a.b" as a path of the model.
model::Path PathOf(std::string_view dotted);

}  // namespace orrery::mongo
