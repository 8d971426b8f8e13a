// Copies collections as mongodump does: documents byte for byte, options and indexes beside them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/seed/client/mongo_client.h"
#include "cli/seed/text/extended_json.h"
#include "cli/transfer/resumable_file.h"
#include "cli/transfer/seed_export.h"
#include "model/document/document_builder.h"

namespace orrery::cli {
namespace {

using model::Document;
using model::DocumentBuilder;
using model::DocumentView;
using model::ElementView;
using model::Kind;
using model::Value;

constexpr int32_t kDumpBatch = 1'000;

// Reads a cursor to its end, batch by batch.
class DumpCursor {
 public:
  DumpCursor(MongoClient& client, std::string database, std::string collection)
      : client_(client), database_(std::move(database)), collection_(std::move(collection)) {}

  // Calls `use` with the documents of each batch. `command` opens the cursor.
  template <typename Use>
  Status Read(DocumentView command, Use use) {
    ORRERY_ASSIGN(Document reply, client_.Run(database_, command));
    for (bool first = true;; first = false) {
      const auto cursor = reply.view().Find("cursor");
      if (!cursor.has_value() || cursor->kind() != Kind::kObject) return NotMongo();
      const DocumentView fields = cursor->AsDocument();
      const auto batch = fields.Find(first ? "firstBatch" : "nextBatch");
      const Value id = fields.Get("id");
      if (!batch.has_value() || batch->kind() != Kind::kArray || id.kind() != Kind::kInt64)
        return NotMongo();
      ORRERY_TRY(use(batch->AsDocument()));
      if (id.AsInteger() == 0) return {};
      DocumentBuilder more;
      more.AppendInt64("getMore", id.AsInteger()).AppendString("collection", collection_);
      more.AppendInt32("batchSize", kDumpBatch);
      ORRERY_ASSIGN(reply, client_.Run(database_, std::move(more).Finish()));
    }
  }

 private:
  static Status NotMongo() {
    return Fail(Code::kUnavailable, "the source answers, but not as MongoDB does");
  }

  MongoClient& client_;
  const std::string database_;
  const std::string collection_;
};

bool IsOfMongoItself(std::string_view database) {
  return database == "admin" || database == "config" || database == "local";
}

class MongoExport {
 public:
  MongoExport(MongoClient client, const SeedExportOptions& options, SeedExportTotals& totals)
      : client_(std::move(client)), options_(options), totals_(totals) {}

  Status Run() {
    DocumentBuilder list;
    list.AppendInt32("listDatabases", 1).AppendBool("nameOnly", true);
    ORRERY_ASSIGN(const Document reply, client_.Run("admin", std::move(list).Finish()));
    const Value databases = reply.view().Get("databases");
    if (databases.kind() != Kind::kArray)
      return Fail(Code::kUnavailable, "the source answers, but not as MongoDB does");
    for (const Value& each : databases.AsValues()) {
      const Value* name = each.Find("name");
      if (name == nullptr || name->kind() != Kind::kString || IsOfMongoItself(name->AsString()) ||
          !SeedExportTotals::Wants(options_, name->AsString()))
        continue;
      ORRERY_TRY(CheckFileName(name->AsString()));
      ORRERY_TRY(OneDatabase(name->AsString()));
    }
    return {};
  }

 private:
  struct Collection {
    std::string name;
    Value options;
  };

  Status OneDatabase(const std::string& database) {
    std::vector<Collection> collections;
    DocumentBuilder list;
    list.AppendInt32("listCollections", 1);
    ORRERY_TRY(DumpCursor(client_, database, "$cmd.listCollections")
                   .Read(std::move(list).Finish(), [&](DocumentView batch) -> Status {
                     for (const ElementView each : batch) {
                       const Value value = each.ToValue();
                       const Value* name = value.Find("name");
                       const Value* type = value.Find("type");
                       const Value* options = value.Find("options");
                       if (name == nullptr || name->kind() != Kind::kString) continue;
                       if (name->AsString().starts_with("system.")) continue;
                       if (type != nullptr && type->kind() == Kind::kString &&
                           type->AsString() != "collection") {
                         totals_.left_out.push_back(fmt::format("{}.{}: it is a {}", database,
                                                                name->AsString(),
                                                                type->AsString()));
                         continue;
                       }
                       collections.push_back({name->AsString(), options == nullptr
                                                                    ? Value::Object({})
                                                                    : *options});
                     }
                     return {};
                   }));
    for (const Collection& collection : collections) {
      ORRERY_TRY(CheckFileName(collection.name));
      ORRERY_TRY(Metadata(database, collection));
      ORRERY_TRY(Documents(database, collection.name));
    }
    return {};
  }

  std::string PathOf(const std::string& database, std::string_view file) const {
    return fmt::format("{}/dump/{}/{}", options_.directory, database, file);
  }

  Status Metadata(const std::string& database, const Collection& collection) {
    model::Values indexes;
    DocumentBuilder list;
    list.AppendString("listIndexes", collection.name);
    ORRERY_TRY(DumpCursor(client_, database, collection.name)
                   .Read(std::move(list).Finish(), [&](DocumentView batch) -> Status {
                     for (const ElementView each : batch) indexes.push_back(each.ToValue());
                     return {};
                   }));
    const Value metadata = Value::Object({{"options", collection.options},
                                          {"indexes", Value::Array(std::move(indexes))},
                                          {"collectionName", Value::String(collection.name)},
                                          {"type", Value::String("collection")}});
    return WriteWholeFile(PathOf(database, collection.name + ".metadata.json"),
                          ToExtendedJson(model::ToDocument(metadata)));
  }

  // In the order of the index of _id, which has a place to go on at for ids of every type.
  Status Documents(const std::string& database, const std::string& collection) {
    ORRERY_ASSIGN(auto file, ResumableFile::Open(PathOf(database, collection + ".bson")));
    ++totals_.containers;
    const bool was_finished = file.is_finished();
    if (!was_finished) {
      std::string last = file.position();  // {_id: ..}, as BSON
      DocumentBuilder find;
      find.AppendString("find", collection).AppendInt32("batchSize", kDumpBatch);
      find.OpenObject("hint").AppendInt32("_id", 1).Close();
      if (!last.empty()) find.AppendDocument("min", DocumentView::Trusted(last));
      ORRERY_TRY(DumpCursor(client_, database, collection)
                     .Read(std::move(find).Finish(), [&](DocumentView batch) -> Status {
                       std::string bytes;
                       uint64_t items = 0;
                       for (const ElementView each : batch) {
                         const DocumentView document = each.AsDocument();
                         DocumentBuilder id;
                         if (const auto found = document.Find("_id")) id.Append("_id", *found);
                         std::string place(std::move(id).Finish().bson());
                         // The one that it goes on at was written before.
                         if (place == last) continue;
                         last = std::move(place);
                         bytes += document.bson();
                         ++items;
                       }
                       return items == 0 ? Status() : file.Append(bytes, items, last);
                     }));
      ORRERY_TRY(file.Finish());
    }
    totals_.items += file.items();
    if (options_.progress) {
      options_.progress(
          was_finished ? fmt::format("{}.{}: is there already", database, collection)
                       : fmt::format("{}.{}: {} documents", database, collection, file.items()));
    }
    return {};
  }

  MongoClient client_;
  const SeedExportOptions& options_;
  SeedExportTotals& totals_;
};

}  // namespace

Status ExportMongo(const MongoAddress& source, const SeedExportOptions& options,
                   SeedExportTotals& totals) {
  ORRERY_ASSIGN(MongoClient client, MongoClient::Connect(source));
  return MongoExport(std::move(client), options, totals).Run();
}

}  // namespace orrery::cli
