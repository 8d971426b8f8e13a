#include "api/mongo/executor/stream/change_event.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/cluster_clock.h"
#include "model/document/document_builder.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {
namespace {

model::Value TimestampValue(Micros time) {
  const uint64_t timestamp = TimestampOf(time);
  return model::Value::Timestamp({.seconds = static_cast<uint32_t>(timestamp >> 32),
                                  .increment = static_cast<uint32_t>(timestamp)});
}

model::Value WallTime(Micros time) {
  return model::Value::DateTime(
      std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

void AppendNamespace(model::DocumentBuilder& event, std::string_view field,
                     std::string_view database, std::string_view collection) {
  event.OpenObject(field).AppendString("db", database);
  if (!collection.empty()) event.AppendString("coll", collection);
  event.Close();
}

std::string_view OperationOf(const DocumentChange& change, const ChangeNote& note) {
  switch (change.entry.kind) {
    case item::ChangeKind::kCreate:
      return "insert";
    case item::ChangeKind::kDelete:
      return "delete";
    case item::ChangeKind::kReplace:
      break;
  }
  return note.is_update ? "update" : "replace";
}

model::Value ValueAt(model::DocumentView document, const std::string& dotted) {
  const model::Value whole = document.ToObject();
  const model::Value* at = &whole;
  for (const std::string& step : PathOf(dotted).steps()) {
    at = at->kind() == model::Kind::kObject ? at->Find(step) : nullptr;
    if (at == nullptr) return model::Value::Undefined();
  }
  return *at;
}

// The document that has the key now; nullopt if there is none, or no collection.
std::optional<model::Document> LookUp(const DocumentChange& change, gateway::Gateway& gateway) {
  const Collection& collection = *change.collection;
  const auto snapshot = gateway.catalog().snapshot();
  const gateway::ContainerRef newest = snapshot->Newest(*collection.container);
  if (newest == nullptr) return std::nullopt;
  const gateway::ReadResponse read =
      gateway.Read(newest, change.entry.key, storage::ReadMode::kMayBlock);
  if (!read.status.has_value()) return std::nullopt;
  return ToMongoForm(read.item.document, collection.form);
}

std::unexpected<MongoError> NoImage(std::string_view what, std::string_view operation,
                                    const DocumentChange& change) {
  const uint64_t timestamp = TimestampOf(change.entry.time);
  return Refuse(
      ErrorCode::kNoMatchingDocument,
      fmt::format("Executor error during getMore :: caused by :: Change stream was configured to "
                  "require a {}-image for {}, but the {}-image was not found for event: "
                  "{{operationType: \"{}\", ns: {{db: \"{}\", coll: \"{}\"}}, clusterTime: "
                  "Timestamp({}, {})}}",
                  what,
                  what == "pre" ? "all update, delete and replace events" : "all update events",
                  what, operation, change.name.database, change.name.collection, timestamp >> 32,
                  static_cast<uint32_t>(timestamp)));
}

// An image: the document, or null.
void AppendImage(model::DocumentBuilder& event, std::string_view field,
                 const std::optional<model::Document>& image) {
  if (image.has_value()) {
    event.AppendDocument(field, *image);
  } else {
    event.Append(field, model::Value::Null());
  }
}

void AppendBeginning(model::DocumentBuilder& event, const std::string& token,
                     std::string_view operation, Micros time) {
  event.AppendDocument("_id", TokenDocument(token)).AppendString("operationType", operation);
  event.Append("clusterTime", TimestampValue(time));
}

}  // namespace

model::Document DocumentKeyOf(const DocumentChange& change) {
  const Collection& collection = *change.collection;
  model::DocumentBuilder key;
  if (change.entry.document.has_value()) {
    const model::Document document = ToMongoForm(*change.entry.document, collection.form);
    if (collection.shard_key.has_value() && *collection.shard_key != "_id") {
      const model::Value value = ValueAt(document, *collection.shard_key);
      if (!value.is_undefined()) key.Append(*collection.shard_key, value);
    }
    key.Append("_id", document.view().Get("_id"));
    return std::move(key).Finish();
  }
  // Of a document that is not known any more: what the keys say.
  if (collection.shard_key.has_value() && *collection.shard_key != "_id") {
    const auto values = model::DecodeKey(change.entry.key.partition_key);
    if (values.has_value() && values->size() == 1 && !values->front().is_undefined())
      key.Append(*collection.shard_key, values->front());
  }
  const auto id = model::DecodeKey(change.entry.key.row_key);
  if (id.has_value() && !id->empty()) key.Append("_id", id->front());
  return std::move(key).Finish();
}

Answer<std::optional<model::Document>> EventOf(const DocumentChange& change,
                                               const std::string& token,
                                               const EventOptions& options,
                                               gateway::Gateway& gateway) {
  const Collection& collection = *change.collection;
  const item::FeedEntry& entry = change.entry;
  const ChangeNote note = ReadChangeNote(entry.note);
  const std::string_view operation = OperationOf(change, note);
  const bool is_update = operation == "update";
  const bool is_delete = operation == "delete";
  if (!entry.document.has_value() && !is_update && !is_delete) return std::nullopt;
  model::DocumentBuilder event;
  if (note.transaction.has_value()) {
    for (const model::ElementView field : note.transaction->view())
      event.Append(field.name(), field);
  }
  AppendBeginning(event, token, operation, entry.time);
  if (options.shows_expanded) event.Append("collectionUUID", collection.uuid);
  event.Append("wallTime", WallTime(entry.time));
  if (is_update) {
    std::optional<model::Document> full;
    const bool wants_image = options.full_document == FullDocument::kWhenAvailable ||
                             options.full_document == FullDocument::kRequired;
    if (options.full_document == FullDocument::kUpdateLookup) {
      full = LookUp(change, gateway);
    } else if (wants_image && note.has_images && entry.document.has_value()) {
      full = ToMongoForm(*entry.document, collection.form);
    }
    if (options.full_document == FullDocument::kRequired && !full.has_value())
      return NoImage("post", operation, change);
    if (options.full_document != FullDocument::kDefault) AppendImage(event, "fullDocument", full);
  } else if (!is_delete) {
    event.AppendDocument("fullDocument", ToMongoForm(*entry.document, collection.form));
  }
  AppendNamespace(event, "ns", change.name.database, change.name.collection);
  event.AppendDocument("documentKey", DocumentKeyOf(change));
  if (is_update) {
    event.OpenObject("updateDescription").AppendDocument("updatedFields", note.updated);
    event.OpenArray("removedFields");
    for (const model::ElementView path : note.removed.view()) event.Append(path.name(), path);
    event.Close().OpenArray("truncatedArrays");
    for (const model::ElementView cut : note.truncated.view()) event.Append(cut.name(), cut);
    event.Close().Close();
  }
  if (options.before != FullDocumentBefore::kOff && entry.kind != item::ChangeKind::kCreate) {
    std::optional<model::Document> before;
    const auto& image = is_delete ? entry.document : entry.before;
    if (note.has_images && image.has_value()) before = ToMongoForm(*image, collection.form);
    if (options.before == FullDocumentBefore::kRequired && !before.has_value())
      return NoImage("pre", operation, change);
    AppendImage(event, "fullDocumentBeforeChange", before);
  }
  return std::move(event).Finish();
}

std::optional<model::Document> EventOf(const gateway::CatalogEvent& change,
                                       const model::Value& uuid, const std::string& token,
                                       const EventOptions& options) {
  using Kind = gateway::CatalogEventKind;
  std::string_view operation;
  std::optional<model::DocumentView> description;
  std::optional<model::ElementView> state;
  switch (change.kind) {
    case Kind::kDrop:
      operation = "drop";
      break;
    case Kind::kDropDatabase:
      operation = "dropDatabase";
      break;
    case Kind::kRename:
      operation = "rename";
      break;
    case Kind::kCreate:
      operation = "create";
      break;
    case Kind::kUpdate:
      break;
  }
  if (change.note.has_value()) {
    // {op: "modify", description: {...}, stateBeforeChange?: {...}}
    for (const model::ElementView field : change.note->view()) {
      if (field.name() == "op" && field.kind() == model::Kind::kString)
        operation = field.AsString();
      if (field.name() == "description" && field.kind() == model::Kind::kObject)
        description = field.AsDocument();
      if (field.name() == "stateBeforeChange") state = field;
    }
  }
  const bool is_expanded = change.kind == Kind::kCreate || change.kind == Kind::kUpdate;
  if (operation.empty() || (is_expanded && !options.shows_expanded)) return std::nullopt;
  model::DocumentBuilder event;
  if (change.kind == Kind::kRename)
    AppendNamespace(event, "to", change.to_database, change.to_name);
  AppendBeginning(event, token, operation, change.time);
  if (options.shows_expanded && !uuid.is_undefined() && change.kind != Kind::kDropDatabase)
    event.Append("collectionUUID", uuid);
  event.Append("wallTime", WallTime(change.time));
  AppendNamespace(event, "ns", change.database, change.name);
  if (options.shows_expanded && change.kind == Kind::kRename) {
    event.OpenObject("operationDescription");
    AppendNamespace(event, "to", change.to_database, change.to_name);
    event.Close();
  } else if (options.shows_expanded && description.has_value()) {
    event.AppendDocument("operationDescription", *description);
    if (state.has_value()) event.Append("stateBeforeChange", *state);
  }
  return std::move(event).Finish();
}

model::Document InvalidateEvent(Micros time, const std::string& token) {
  model::DocumentBuilder event;
  AppendBeginning(event, token, "invalidate", time);
  event.Append("wallTime", WallTime(time));
  return std::move(event).Finish();
}

}  // namespace orrery::mongo
