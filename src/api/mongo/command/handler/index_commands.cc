// createIndexes, listIndexes and dropIndexes.
#include <fmt/format.h>

#include <algorithm>

#include "api/mongo/command/command_table.h"
#include "api/mongo/command/cursor_reply.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/executor/collation.h"
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

Answer<std::vector<IndexSpec>> ReadSpecs(const std::vector<model::DocumentView>& specs) {
  std::vector<IndexSpec> wanted;
  for (const model::DocumentView spec : specs) {
    MONGO_ASSIGN(const model::Document full, WithFullCollation(spec));
    MONGO_ASSIGN(IndexSpec index, ParseIndexSpec(full));
    if (IsIdIndex(index.key)) {
      if (AsWhole(*index.key.view().begin()) != 1) {
        return Refuse(ErrorCode::kBadValue,
                      "The field 'key' for an _id index must be {_id: 1}, but got { _id: -1 }");
      }
      continue;
    }
    if (index.is_unique()) {
      return Refuse(ErrorCode::kCannotCreateIndex,
                    "unique indexes are not supported by this server yet");
    }
    wanted.push_back(std::move(index));
  }
  return wanted;
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
  MONGO_ASSIGN(CollectionPtr collection, collections.FindOrCreate(name));
  if (collection->form != DocumentForm::kMongo) {
    return Refuse(ErrorCode::kCannotCreateIndex,
                  "the indexes of this container are those of its indexing policy; change it "
                  "through the API that made it");
  }
  const auto before = static_cast<int32_t>(collection->indexes.size() + 1);
  std::vector<IndexSpec> all = collection->indexes;
  for (const IndexSpec& index : wanted) {
    MONGO_ASSIGN(const bool is_there, IsAlreadyThere(index, all));
    if (!is_there) all.push_back(index);
  }
  if (all.size() + 1 > kIndexesMax) {
    return Refuse(ErrorCode::kCannotCreateIndex,
                  fmt::format("add index fails, too many indexes for {}", name.ToString()));
  }
  const bool is_new = all.size() != collection->indexes.size();
  if (is_new) {
    MONGO_ASSIGN(collection, collections.SetIndexes(*collection, all));
  }
  model::DocumentBuilder reply;
  reply.AppendInt32("numIndexesBefore", before);
  reply.AppendInt32("numIndexesAfter", static_cast<int32_t>(collection->indexes.size() + 1));
  reply.AppendBool("createdCollectionAutomatically", !was_there);
  if (is_new) {
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
  std::vector<model::Document> rows = {IdIndexSpec()};
  for (const IndexSpec& index : collection->indexes) rows.push_back(index.spec);
  return KnownBatch(context, name.ToString(), std::move(rows));
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
                    fmt::format("{} indexes found for key: {}, identify by name instead", count,
                                PrintBson(key.ToObject())));
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
                            "'[string, object, array]'",
                            TypeNameOf(which)));
}

CommandReply DropIndexes(CommandContext& context) {
  const Fields fields(context.body(), "dropIndexes");
  MONGO_TRY(fields.CheckKnown({"index"}));
  MONGO_ASSIGN(const Namespace name, context.command.CollectionOf());
  MONGO_TRY(context.services.collections.RefuseView(name));
  const CollectionPtr collection = context.services.collections.Find(name);
  if (collection == nullptr)
    return Refuse(ErrorCode::kNamespaceNotFound, fmt::format("ns not found {}", name.ToString()));
  const auto which = context.body().Find("index");
  if (!which.has_value())
    return Refuse(40414, "BSON field 'dropIndexes.index' is missing but a required field");
  std::vector<IndexSpec> left = collection->indexes;
  bool is_all = false;
  if (which->kind() == model::Kind::kArray) {
    for (const model::ElementView one : which->AsDocument()) MONGO_TRY(RemoveIndex(left, one));
  } else {
    MONGO_TRY(RemoveIndex(left, *which));
    is_all = which->kind() == model::Kind::kString && which->AsString() == "*";
  }
  if (left.size() != collection->indexes.size())
    MONGO_TRY(context.services.collections.SetIndexes(*collection, left));
  model::DocumentBuilder reply;
  reply.AppendInt32("nIndexesWas", static_cast<int32_t>(collection->indexes.size() + 1));
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
