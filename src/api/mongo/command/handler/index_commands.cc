// createIndexes, listIndexes and dropIndexes.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/mongo/catalog/collation.h"
#include "api/mongo/catalog/collection_forms.h"
#include "api/mongo/catalog/index_checks.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/language/value/print.h"

namespace orrery::mongo {
namespace {

// The spec with all fields of its collation.
Answer<model::Document> WithFullCollation(model::DocumentView spec) {
  const auto collation = spec.Find("collation");
  if (!collation.has_value() || collation->kind() != model::Kind::kObject)
    return model::Document::Trusted(std::string(spec.bson()));
  MONGO_TRY(ParseCollation(collation->AsDocument()));
  MONGO_ASSIGN(const model::Document full, FullCollation(collation->AsDocument()));
  model::DocumentBuilder builder;
  for (const model::ElementView field : spec) {
    if (field.name() != "collation") {
      builder.Append(field.name(), field);
    } else if (full.view().Get("locale") != model::Value::String("simple")) {
      builder.AppendDocument("collation", full);
    }
  }
  return std::move(builder).Finish();
}

bool IsIdIndex(model::DocumentView key) {
  return !key.empty() && (*key.begin()).name() == "_id" && std::next(key.begin()) == key.end();
}

// Changes of a collection's indexes are made anew when another was faster.
constexpr int kIndexChangesMax = 64;

bool IsBusy(const MongoError& error) {
  return error.code == static_cast<int32_t>(ErrorCode::kConflictingOperationInProgress);
}

// Checks what an index over `_id` alone says: it is there already.
Outcome CheckIdIndex(const IndexSpec& index, model::DocumentView spec) {
  if (AsWhole(*index.key.view().begin()) != 1) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The field 'key' for an _id index must be {{_id: 1}}, but got {}",
                              PrintBson(index.key.view().ToObject())));
  }
  for (const model::ElementView field : spec) {
    constexpr std::array<std::string_view, 5> kAllowed = {"v", "key", "name", "ns", "collation"};
    if (std::ranges::find(kAllowed, field.name()) != kAllowed.end()) continue;
    model::Fields shown = spec.ToObject().AsFields();
    if (!spec.Find("v").has_value()) shown.push_back({"v", model::Value::Int32(2)});
    return Refuse(ErrorCode::kInvalidIndexSpecificationOption,
                  fmt::format("The field '{}' is not valid for an _id index specification. "
                              "Specification: {}",
                              field.name(), PrintBson(model::Value::Object(std::move(shown)))));
  }
  return {};
}

Answer<std::vector<IndexSpec>> ReadSpecs(const std::vector<model::DocumentView>& specs) {
  std::vector<IndexSpec> wanted;
  for (const model::DocumentView spec : specs) {
    MONGO_ASSIGN(const model::Document full, WithFullCollation(spec));
    MONGO_ASSIGN(IndexSpec index, ParseIndexSpec(full));
    if (IsIdIndex(index.key) && (*index.key.view().begin()).kind() != model::Kind::kString) {
      MONGO_TRY(CheckIdIndex(index, spec));
      continue;
    }
    if (index.name == "_id_") {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("The index name '_id_' is reserved for the _id index, which must "
                                "have key pattern {{_id: 1}}, found key: {}",
                                PrintBson(index.key.view().ToObject())));
    }
    wanted.push_back(std::move(index));
  }
  return wanted;
}

// The indexes of the collection with those that are wanted and not there yet.
Answer<std::vector<IndexSpec>> WithWanted(const Collection& collection,
                                          const std::vector<IndexSpec>& wanted) {
  std::vector<IndexSpec> all = collection.indexes;
  for (const IndexSpec& index : wanted) {
    MONGO_ASSIGN(const bool is_there, IsAlreadyThere(index, collection.indexes));
    if (is_there) continue;
    // What the command names twice.
    MONGO_ASSIGN(const bool is_twice, IsAlreadyThere(index, all));
    if (is_twice) {
      return Refuse(ErrorCode::kIndexAlreadyExists,
                    fmt::format("Identical index already exists: {}", index.name));
    }
    if (index.is_unique() && IsTimeSeries(collection)) {
      return Refuse(ErrorCode::kInvalidOptions,
                    "Unique indexes are not supported on time-series collections");
    }
    if (index.is_unique() && collection.is_sharded() &&
        !IsUniqueWithin(index, *collection.shard_key)) {
      return Refuse(ErrorCode::kCannotCreateIndex,
                    fmt::format("cannot create unique index over {} with shard key pattern {{ {}: "
                                "{} }}",
                                PrintBson(index.key.view().ToObject()), *collection.shard_key,
                                collection.shard_key_is_hashed ? "\"hashed\"" : "1"));
    }
    all.push_back(index);
  }
  if (all.size() + 1 > kIndexesMax) {
    return Refuse(
        ErrorCode::kCannotCreateIndex,
        fmt::format("add index fails, too many indexes for {}", collection.name.ToString()));
  }
  return all;
}

// Checks the documents that are there against indexes that the collection has now. Those that come
// later are checked as they are written.
Outcome CheckDocuments(CommandContext& context, const CollectionPtr& collection,
                       const std::vector<IndexSpec>& wanted) {
  std::vector<const IndexSpec*> checked;
  for (const IndexSpec& index : collection->indexes) {
    if (std::ranges::find(wanted, index.name, &IndexSpec::name) != wanted.end() &&
        MayRefuseDocuments(index))
      checked.push_back(&index);
  }
  if (checked.empty()) return {};
  auto state = std::make_shared<RunState>();
  Attach(*state, context);
  CollectionScan scan(context.services.gateway,
                      {.collection = collection, .filter = nullptr, .rows_wanted = SIZE_MAX},
                      state);
  while (true) {
    Answer<std::optional<Row>> row = scan.Next();
    context.charge += std::exchange(state->charge, {});
    if (!row.has_value()) return std::unexpected(std::move(row).error());
    if (!row->has_value()) return {};
    for (const IndexSpec* const index : checked)
      MONGO_TRY(CheckIndexKeys(*collection, *index, (*row)->document));
  }
}

// Takes new indexes back that a document does not fit, and says why.
std::unexpected<MongoError> RevertIndexes(CommandContext& context, const CollectionPtr& collection,
                                          const std::vector<IndexSpec>& wanted, MongoError why) {
  std::vector<IndexSpec> kept;
  for (const IndexSpec& index : collection->indexes) {
    if (std::ranges::find(wanted, index.name, &IndexSpec::name) == wanted.end())
      kept.push_back(index);
  }
  const auto reverted = context.services.collections.SetIndexes(*collection, kept);
  if (!reverted.has_value()) return std::unexpected(reverted.error());
  return std::unexpected(std::move(why).Prefixed(fmt::format(
      "Index build failed: Collection {} :: caused by :: ", collection->name.ToString())));
}

CommandReply CreateIndexes(CommandContext& context) {
  const Fields fields(context.body(), "createIndexes");
  MONGO_TRY(fields.CheckKnown({"indexes", "commitQuorum", "ignoreUnknownIndexOptions", "v"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_ASSIGN(const std::vector<model::DocumentView> specs,
               context.command.Documents("indexes", "createIndexes"));
  if (specs.empty()) {
    return Refuse(ErrorCode::kBadValue, "Must specify at least one index to create");
  }
  MONGO_TRY(context.services.collections.RefuseView(name));
  MONGO_ASSIGN(const std::vector<IndexSpec> wanted, ReadSpecs(specs));
  CollectionCatalog& collections = context.services.collections;
  const bool was_there = collections.Find(name) != nullptr;
  int32_t before = 1;
  bool is_new = false;
  CollectionPtr collection;
  for (int change = 0;; ++change) {
    MONGO_ASSIGN(collection, collections.FindOrCreate(name));
    if (!IsOwnForm(collection->form)) {
      return Refuse(ErrorCode::kCannotCreateIndex,
                    "the indexes of this container are those of its indexing policy; change it "
                    "through the API that made it");
    }
    const bool expires = std::ranges::any_of(
        wanted, [](const IndexSpec& index) { return index.expire_after_seconds().has_value(); });
    if (expires && collection->form == DocumentForm::kCapped) {
      return Refuse(ErrorCode::kCannotCreateIndex,
                    "Cannot create TTL index on a capped collection");
    }
    before = static_cast<int32_t>(collection->indexes.size() + 1);
    MONGO_ASSIGN(const std::vector<IndexSpec> all, WithWanted(*collection, wanted));
    is_new = all.size() != collection->indexes.size();
    if (!is_new) {
      if (collection->container->indexes_ready() || change == kIndexChangesMax) break;
      // Another command's, or one that a crash has cut off: it may yet be refused.
      context.services.gateway.catalog().WaitForIndexes(*collection->container);
      continue;
    }
    auto changed = collections.SetIndexes(*collection, all);
    if (changed.has_value()) {
      std::vector<IndexSpec> added;
      for (const IndexSpec& index : wanted) {
        if (std::ranges::find(collection->indexes, index.name, &IndexSpec::name) ==
            collection->indexes.end())
          added.push_back(index);
      }
      collection = *std::move(changed);
      if (Outcome fit = CheckDocuments(context, collection, added); !fit.has_value())
        return RevertIndexes(context, collection, added, std::move(fit).error());
      break;
    }
    if (!IsBusy(changed.error()) || change == kIndexChangesMax)
      return std::unexpected(std::move(changed).error());
  }
  model::DocumentBuilder reply;
  reply.AppendInt32("numIndexesBefore", before);
  reply.AppendInt32("numIndexesAfter", static_cast<int32_t>(collection->indexes.size() + 1));
  if (is_new) {
    reply.AppendBool("createdCollectionAutomatically", !was_there);
    reply.AppendString("commitQuorum", "votingMembers");
  } else {
    reply.AppendString("note", "all indexes already exist");
  }
  return reply;
}

CommandReply ListIndexes(CommandContext& context) {
  const Fields fields(context.body(), "listIndexes");
  MONGO_TRY(fields.CheckKnown({"cursor", "includeBuildUUIDs", "includeIndexBuildInfo"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_TRY(context.services.collections.RefuseView(name));
  MONGO_ASSIGN(const CollectionPtr collection, context.services.collections.Get(name));
  std::vector<model::Document> rows = {IdIndexOf(*collection)};
  for (const IndexSpec& index : collection->indexes) rows.push_back(index.spec);
  return KnownBatch(context, name.ToString(), std::move(rows));
}

// The first two that are meant, as text.
template <typename IsIt>
std::string FirstTwo(const std::vector<IndexSpec>& indexes, const IsIt& is_it) {
  std::string text;
  int shown = 0;
  for (const IndexSpec& index : indexes) {
    if (!is_it(index) || shown == 2) continue;
    if (shown++ > 0) text += ", ";
    text += PrintBson(index.spec.view().ToObject());
  }
  return text;
}

// Removes what an element of `index` means: a name, "*", or a key.
Outcome RemoveIndex(std::vector<IndexSpec>& indexes, const model::ElementView& which) {
  if (which.kind() == model::Kind::kString) {
    const std::string_view name = which.AsString();
    if (name == "*") {
      indexes.clear();
      return {};
    }
    if (name == "_id_") return Refuse(ErrorCode::kInvalidOptions, "cannot drop _id index");
    if (std::erase_if(indexes, [&](const IndexSpec& index) { return index.name == name; }) > 0)
      return {};
    return Refuse(ErrorCode::kIndexNotFound, fmt::format("index not found with name [{}]", name));
  }
  if (which.kind() == model::Kind::kObject) {
    const model::DocumentView key = which.AsDocument();
    if (IsIdIndex(key)) return Refuse(ErrorCode::kInvalidOptions, "cannot drop _id index");
    const auto is_it = [&](const IndexSpec& index) {
      return model::Equivalent(index.key.view().ToObject(), key.ToObject(), model::Order::kMongo);
    };
    const auto count = std::ranges::count_if(indexes, is_it);
    if (count > 1) {
      return Refuse(ErrorCode::kAmbiguousIndexKeyPattern,
                    fmt::format("{} indexes found for key: {}, identify by name instead. "
                                "Conflicting indexes: {}",
                                count, PrintBson(key.ToObject()), FirstTwo(indexes, is_it)));
    }
    if (count == 0) {
      return Refuse(ErrorCode::kIndexNotFound,
                    fmt::format("can't find index with key: {}", PrintBson(key.ToObject())));
    }
    std::erase_if(indexes, is_it);
    return {};
  }
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("BSON field 'dropIndexes.index' is the wrong type '{}', expected types "
                            "'[string, object']",
                            TypeNameOf(which)));
}

CommandReply DropIndexes(CommandContext& context) {
  const Fields fields(context.body(), "dropIndexes");
  MONGO_TRY(fields.CheckKnown({"index"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_TRY(context.services.collections.RefuseView(name));
  const auto which = context.body().Find("index");
  const bool is_all =
      which.has_value() && which->kind() == model::Kind::kString && which->AsString() == "*";
  size_t before = 0;
  for (int change = 0;; ++change) {
    const CollectionPtr collection = context.services.collections.Find(name);
    if (collection == nullptr)
      return Refuse(ErrorCode::kNamespaceNotFound, fmt::format("ns not found {}", name.ToString()));
    if (!which.has_value())
      return Refuse(40414, "BSON field 'dropIndexes.index' is missing but a required field");
    before = collection->indexes.size() + 1;
    std::vector<IndexSpec> left = collection->indexes;
    if (which->kind() == model::Kind::kArray) {
      for (const model::ElementView one : which->AsDocument()) MONGO_TRY(RemoveIndex(left, one));
    } else {
      MONGO_TRY(RemoveIndex(left, *which));
    }
    if (left.size() == collection->indexes.size()) break;
    auto changed = context.services.collections.SetIndexes(*collection, left);
    if (changed.has_value()) break;
    if (!IsBusy(changed.error()) || change == kIndexChangesMax)
      return std::unexpected(std::move(changed).error());
  }
  model::DocumentBuilder reply;
  reply.AppendInt32("nIndexesWas", static_cast<int32_t>(before));
  if (is_all) reply.AppendString("msg", "non-_id indexes dropped for collection");
  return reply;
}

}  // namespace

std::vector<CommandEntry> IndexCommands() {
  return {{.name = "createIndexes", .action = Action::kWrite, .handler = CreateIndexes},
          {.name = "listIndexes", .action = Action::kRead, .handler = ListIndexes},
          {.name = "dropIndexes", .action = Action::kWrite, .handler = DropIndexes},
          {.name = "deleteIndexes", .action = Action::kWrite, .handler = DropIndexes}};
}

}  // namespace orrery::mongo
