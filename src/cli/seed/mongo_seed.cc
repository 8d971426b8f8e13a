#include "cli/seed/mongo_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "cli/seed/item_file.h"
#include "cli/seed/text/extended_json.h"
#include "model/document/document_builder.h"

namespace orrery::cli {
namespace {

using model::Document;
using model::DocumentBuilder;
using model::Kind;
using model::Value;

constexpr size_t kInsertsMax = 1'000;
constexpr size_t kInsertBytesMax = size_t{8} << 20;
constexpr int64_t kDuplicateKey = 11'000;

struct Insert {
  size_t line = 0;  // or the place in a dump
  std::string bson;
};

// Sends batches of documents over one connection.
class Inserter {
 public:
  Inserter(const SeedFile& file, MongoClient client, SeedReport& report)
      : file_(file), client_(std::move(client)), report_(report) {}

  void Add(size_t line, const Document& document) {
    if (inserts_.size() == kInsertsMax || bytes_ + document.bson().size() > kInsertBytesMax)
      Flush();
    bytes_ += document.bson().size();
    inserts_.push_back({line, document.bson()});
  }

  void Flush() {
    if (inserts_.empty() || !report_.goes_on()) return inserts_.clear();
    std::vector<std::string_view> documents;
    for (const Insert& insert : inserts_) documents.emplace_back(insert.bson);
    DocumentBuilder command;
    command.AppendString("insert", file_.container).AppendBool("ordered", false);
    const auto reply =
        client_.Run(file_.database, std::move(command).Finish(), "documents", documents);
    size_t failed = 0;
    if (!reply.has_value()) {
      report_.Add(file_.shown, inserts_.front().line, reply.error().message());
      failed = inserts_.size();
    } else {
      failed = HandleErrors(*reply);
    }
    written_ += inserts_.size() - failed;
    inserts_.clear();
    bytes_ = 0;
  }

  uint64_t written() const { return written_; }

 private:
  // Returns how many of the batch are not written.
  size_t HandleErrors(const Document& reply) {
    const Value errors = reply.view().Get("writeErrors");
    if (errors.kind() != Kind::kArray) return 0;
    size_t failed = 0;
    for (const Value& error : errors.AsValues()) {
      const Value* index = error.Find("index");
      const Value* code = error.Find("code");
      const Value* text = error.Find("errmsg");
      if (index == nullptr || index->kind() != Kind::kInt32 ||
          static_cast<size_t>(index->AsInteger()) >= inserts_.size())
        continue;
      const Insert& insert = inserts_[static_cast<size_t>(index->AsInteger())];
      const bool is_there =
          code != nullptr && code->kind() == Kind::kInt32 && code->AsInteger() == kDuplicateKey;
      Status status = is_there ? Replace(insert) : Status();
      if (!is_there) {
        status =
            Fail(Code::kInvalidArgument,
                 text != nullptr && text->kind() == Kind::kString ? text->AsString() : "refused");
      }
      if (status.has_value()) continue;
      report_.Add(file_.shown, insert.line, status.error().message());
      ++failed;
    }
    return failed;
  }

  // The key that is taken may be another than the _id: then nothing matches, and the server's
  // upsert says so.
  Status Replace(const Insert& insert) {
    const model::DocumentView document = model::DocumentView::Trusted(insert.bson);
    DocumentBuilder update;
    update.OpenObject("q").Append("_id", *document.Find("_id")).Close();
    update.AppendDocument("u", document).AppendBool("upsert", true);
    const Document entry = std::move(update).Finish();
    DocumentBuilder command;
    command.AppendString("update", file_.container);
    ORRERY_ASSIGN(const Document reply, client_.Run(file_.database, std::move(command).Finish(),
                                                    "updates", {entry.bson()}));
    const Value errors = reply.view().Get("writeErrors");
    if (errors.kind() != Kind::kArray || errors.AsValues().empty()) return {};
    const Value* text = errors.AsValues().front().Find("errmsg");
    return Fail(Code::kInvalidArgument, text != nullptr && text->kind() == Kind::kString
                                            ? text->AsString()
                                            : "the document cannot be replaced");
  }

  const SeedFile& file_;
  MongoClient client_;
  SeedReport& report_;
  std::vector<Insert> inserts_;
  size_t bytes_ = 0;
  uint64_t written_ = 0;
};

Result<MongoClient> ConnectTo(const SeedEndpoints& endpoints) {
  if (!endpoints.mongo.has_value())
    return Fail(Code::kUnavailable, "the server has no MongoDB port (--mongo-port)");
  return MongoClient::Connect(*endpoints.mongo);
}

Status CreateCollection(MongoClient& client, const SeedFile& file, const Value* options) {
  DocumentBuilder create;
  create.AppendString("create", file.container);
  if (options != nullptr && options->kind() == Kind::kObject) {
    for (const model::Field& field : options->AsFields()) {
      // A dump names the storage engine of the server that it was made on.
      if (field.name != "uuid" && field.name != "storageEngine")
        create.Append(field.name, field.value);
    }
  }
  const auto reply = client.Run(file.database, std::move(create).Finish());
  if (reply.has_value() || reply.error().code() == Code::kAlreadyExists) return {};
  return Fail(reply.error());
}

Status CreateIndexes(MongoClient& client, const SeedFile& file, const Value& indexes) {
  DocumentBuilder command;
  command.AppendString("createIndexes", file.container).OpenArray("indexes");
  size_t count = 0;
  for (const Value& index : indexes.AsValues()) {
    const Value* name = index.Find("name");
    if (index.kind() != Kind::kObject ||
        (name != nullptr && name->kind() == Kind::kString && name->AsString() == "_id_"))
      continue;
    model::Fields fields;
    for (const model::Field& field : index.AsFields())
      if (field.name != "ns" && field.name != "v") fields.push_back(field);
    command.Append(std::to_string(count++), Value::Object(std::move(fields)));
  }
  command.Close();
  if (count == 0) return {};
  ORRERY_TRY(client.Run(file.database, std::move(command).Finish()));
  return {};
}

// The collection's options and indexes, from the file beside its documents.
Status ApplyMetadata(MongoClient& client, const SeedFile& file) {
  SeedFile beside = file;
  beside.path.replace(beside.path.size() - std::string_view(".bson").size(), std::string::npos,
                      ".metadata.json");
  std::error_code error;
  if (!std::filesystem::exists(beside.path, error)) return CreateCollection(client, file, nullptr);
  ORRERY_ASSIGN(const std::string text, ReadSeedFile(beside));
  auto metadata = ReadExtendedJson(text);
  if (!metadata.has_value()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("its .metadata.json: {}", metadata.error().message()));
  }
  const Value options = metadata->view().Get("options");
  const Value indexes = metadata->view().Get("indexes");
  ORRERY_TRY(CreateCollection(client, file, &options));
  return indexes.kind() == Kind::kArray ? CreateIndexes(client, file, indexes) : Status();
}

}  // namespace

Document WithId(const SeedFile& file, size_t place, const Document& document) {
  if (document.view().Find("_id").has_value()) return document;
  const Hash128 hash = Murmur3(fmt::format("{}:{}", file.shown, place));
  std::string bytes;
  hash.AppendTo(bytes);
  model::ObjectIdBytes id{};
  std::copy_n(bytes.begin(), id.size(), id.begin());
  DocumentBuilder builder;
  builder.Append("_id", Value::ObjectId(id));
  for (const model::ElementView field : document.view()) builder.Append(field.name(), field);
  return std::move(builder).Finish();
}

void LoadCollection(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report) {
  const auto text = ReadSeedFile(file);
  if (!text.has_value()) return report.Add(file.shown, 0, text.error().message());
  auto client = ConnectTo(endpoints);
  if (!client.has_value()) return report.Add(file.shown, 0, client.error().message());
  Inserter inserter(file, *std::move(client), report);
  ItemFile items(file.shown, *text, CsvTypes::kInferred);
  for (size_t place = 0; report.goes_on(); ++place) {
    auto next = items.Next();
    if (!next.has_value()) {
      std::string message = next.error().message();
      const size_t line = TakeLine(message);
      report.Add(file.shown, line, message);
      if (!file.shown.ends_with(".csv")) break;
      continue;
    }
    if (!next->has_value()) break;
    const auto document = ReadExtendedJson((*next)->json);
    if (document.has_value()) {
      inserter.Add((*next)->line, WithId(file, place, *document));
    } else {
      report.Add(file.shown, (*next)->line, document.error().message());
    }
  }
  inserter.Flush();
  if (report.goes_on()) report.Done(file.shown, inserter.written(), "documents");
}

void LoadDump(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report) {
  const auto text = ReadSeedFile(file);
  if (!text.has_value()) return report.Add(file.shown, 0, text.error().message());
  auto client = ConnectTo(endpoints);
  if (!client.has_value()) return report.Add(file.shown, 0, client.error().message());
  if (const Status status = ApplyMetadata(*client, file); !status.has_value())
    return report.Add(file.shown, 0, status.error().message());
  Inserter inserter(file, *std::move(client), report);
  std::string_view rest = *text;
  for (size_t place = 1; !rest.empty() && report.goes_on(); ++place) {
    const uint32_t size = LoadMongoInt(rest);
    if (size < 5 || size > rest.size()) {
      report.Add(file.shown, 0, fmt::format("document {} is cut off or no BSON", place));
      break;
    }
    auto document = Document::FromBson(std::string(rest.substr(0, size)));
    rest.remove_prefix(size);
    if (document.has_value()) {
      inserter.Add(place, WithId(file, place, *document));
    } else {
      report.Add(file.shown, 0, fmt::format("document {}: {}", place, document.error().message()));
    }
  }
  inserter.Flush();
  if (report.goes_on()) report.Done(file.shown, inserter.written(), "documents");
}

}  // namespace orrery::cli
