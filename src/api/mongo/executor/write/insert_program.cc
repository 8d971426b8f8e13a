#include "api/mongo/executor/write/insert_program.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "api/mongo/executor/write/write_outcome.h"
#include "api/mongo/language/value/print.h"
#include "model/compare.h"
#include "model/document/document_builder.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {
namespace {

// What the encoded form has beside the documents, and beside each of them.
constexpr size_t kProgramBytes = 64;
constexpr size_t kDocumentHeaderBytes = 8;

}  // namespace

MongoError DuplicateId(const Collection& collection, const model::Value& id) {
  MongoError error{static_cast<int32_t>(ErrorCode::kDuplicateKey),
                   fmt::format("E11000 duplicate key error collection: {} index: _id_ dup key: {{ "
                               "_id: {} }}",
                               collection.name.ToString(), PrintBson(id))};
  model::DocumentBuilder beside;
  beside.OpenObject("keyPattern").AppendInt32("_id", 1).Close();
  beside.OpenObject("keyValue").Append("_id", id).Close();
  error.beside = std::move(beside).Finish();
  return error;
}

InsertProgram::InsertProgram(CollectionPtr collection, std::vector<model::Document> documents,
                             InsertOptions options, std::optional<RetryStatements> retry)
    : collection_(std::move(collection)),
      documents_(std::move(documents)),
      options_(options),
      retry_(std::move(retry)) {
  keys_.reserve(documents_.size());
  for (const model::Document& document : documents_)
    keys_.push_back(RowKeyOf(document, collection_->form));
}

Result<gateway::DocumentProgram::Decision> InsertProgram::Decide(
    std::span<const std::optional<item::CurrentDocument>> documents, Micros /*now*/) const {
  return Make(documents, nullptr);
}

Result<gateway::DocumentProgram::Decision> InsertProgram::DecideWithReceipts(
    std::span<const std::optional<item::CurrentDocument>> documents,
    std::span<const std::optional<std::string>> receipts, Micros /*now*/) const {
  if (!retry_.has_value()) return Make(documents, nullptr);
  auto log = RetryLog::Open(*retry_, receipts);
  if (log.has_value()) return Make(documents, &*log);
  WriteOutcome outcome;
  outcome.failures.push_back({.number = 0, .error = std::move(log).error()});
  return Decision{.operations = {}, .outcome = outcome.Encode()};
}

gateway::DocumentProgram::Decision InsertProgram::Make(
    std::span<const std::optional<item::CurrentDocument>> documents, RetryLog* log) const {
  Decision decision;
  WriteOutcome outcome;
  std::set<std::string> made;  // keys of this batch
  for (size_t i = 0; i < documents_.size(); ++i) {
    if (const WriteOutcome* const done = log == nullptr ? nullptr : log->Find(i)) {
      outcome.matched += done->matched;
      if (done->upserted.has_value()) outcome.upserted = done->upserted;
      if (done->after.has_value()) outcome.after = done->after;
      outcome.retried.push_back(i);
      continue;
    }
    std::string key;
    if (documents_.size() > 1) model::AppendKey(key, keys_[i], model::Order::kMongo);
    if (documents[i].has_value() || (documents_.size() > 1 && !made.insert(key).second)) {
      outcome.failures.push_back({.number = i, .error = DuplicateId(*collection_, keys_[i])});
      if (options_.is_ordered) break;
      continue;
    }
    gateway::WriteOperation& create = decision.operations.emplace_back();
    create.kind = item::OperationKind::kCreate;
    create.document = documents_[i];
    ++outcome.matched;
    WriteOutcome done{.matched = 1};
    if (options_.is_upsert) {
      const model::Document image = ToMongoForm(documents_[i], collection_->form);
      done.upserted = outcome.upserted = image.view().Get("_id");
      if (options_.wants_image) done.after = outcome.after = image;
    }
    if (log != nullptr) log->Record(i, std::move(done));
  }
  if (log != nullptr) decision.receipts = log->Take();
  decision.outcome = outcome.Encode();
  return decision;
}

size_t InsertProgram::bytes() const {
  size_t bytes = kProgramBytes;
  for (const model::Document& document : documents_)
    bytes += document.bson().size() + kDocumentHeaderBytes;
  return bytes;
}

std::string InsertProgram::Encode() const {
  model::DocumentBuilder builder;
  builder.AppendBool("ordered", options_.is_ordered);
  builder.AppendBool("upsert", options_.is_upsert).AppendBool("image", options_.wants_image);
  builder.OpenArray("documents");
  for (size_t i = 0; i < documents_.size(); ++i)
    builder.AppendDocument(std::to_string(i), documents_[i]);
  builder.Close();
  if (retry_.has_value()) retry_->AppendTo(builder);
  return std::move(std::move(builder).Finish()).Release();
}

void InsertProgram::Register(gateway::ProgramRegistry& registry) {
  registry.Add(
      std::string(kKind),
      [](const gateway::ContainerRef& container,
         std::string_view data) -> Result<std::shared_ptr<const gateway::DocumentProgram>> {
        ORRERY_ASSIGN(const model::DocumentView program, model::DocumentView::FromBson(data));
        const auto ordered = program.Find("ordered");
        const auto upsert = program.Find("upsert");
        const auto image = program.Find("image");
        const auto documents = program.Find("documents");
        const Error malformed(Code::kInvalidArgument, "an insert program is malformed");
        if (!ordered || ordered->kind() != model::Kind::kBool || !upsert ||
            upsert->kind() != model::Kind::kBool || !image || image->kind() != model::Kind::kBool ||
            !documents || documents->kind() != model::Kind::kArray)
          return std::unexpected(malformed);
        std::vector<model::Document> list;
        for (const model::ElementView document : documents->AsDocument()) {
          if (document.kind() != model::Kind::kObject) return std::unexpected(malformed);
          list.push_back(model::Document::Trusted(std::string(document.AsDocument().bson())));
        }
        ORRERY_ASSIGN(auto retry, RetryStatements::ReadFrom(program));
        if ((retry.has_value() && retry->statements().size() != list.size()) ||
            (upsert->AsBool() && list.size() != 1))
          return std::unexpected(malformed);
        return std::make_shared<const InsertProgram>(ReadCollection(container), std::move(list),
                                                     InsertOptions{.is_ordered = ordered->AsBool(),
                                                                   .is_upsert = upsert->AsBool(),
                                                                   .wants_image = image->AsBool()},
                                                     std::move(retry));
      });
}

}  // namespace orrery::mongo
