#include "api/mongo/executor/write/insert_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "api/mongo/executor/stream/change_note.h"
#include "api/mongo/executor/write/write_outcome.h"
#include "api/mongo/language/value/print.h"
#include "model/compare.h"
#include "model/document/document_builder.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {
namespace {

// The bytes that the encoded form has beside the documents, and beside each of them.
constexpr size_t kProgramBytes = 64;
constexpr size_t kDocumentHeaderBytes = 8;

// Reads what Encode writes of it; nullptr: nothing.
std::shared_ptr<const RingRoom> ReadRoom(model::DocumentView program) {
  const auto given = program.Find("room");
  if (!given.has_value() || given->kind() != model::Kind::kObject) return nullptr;
  auto room = std::make_shared<RingRoom>();
  const model::DocumentView fields = given->AsDocument();
  const auto replaces = fields.Find("replaces");
  room->replaces =
      replaces.has_value() && replaces->kind() == model::Kind::kBool && replaces->AsBool();
  if (const auto counted = fields.Find("counted");
      counted.has_value() && counted->kind() == model::Kind::kBinary)
    room->counted = RingState::Read(counted->ToValue().AsBytes());
  const auto oldest = fields.Find("oldest");
  if (oldest.has_value() && oldest->kind() == model::Kind::kArray) {
    for (const model::ElementView key : oldest->AsDocument()) room->oldest.push_back(key.ToValue());
  }
  return room;
}

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
  if (retry_.has_value()) receipts_.assign(retry_->receipts().begin(), retry_->receipts().end());
  if (collection_->form != DocumentForm::kCapped) return;
  receipts_.emplace_back(kRingReceipt);
  if (options_.room != nullptr)
    keys_.insert(keys_.end(), options_.room->oldest.begin(), options_.room->oldest.end());
}

Result<gateway::DocumentProgram::Decision> InsertProgram::Decide(
    std::span<const std::optional<item::CurrentDocument>> documents, Micros /*now*/) const {
  return Make(documents, nullptr, nullptr);
}

Result<gateway::DocumentProgram::Decision> InsertProgram::DecideWithReceipts(
    std::span<const std::optional<item::CurrentDocument>> documents,
    std::span<const std::optional<std::string>> receipts, Micros /*now*/) const {
  std::optional<RingState> ring;
  if (collection_->form == DocumentForm::kCapped && !receipts.empty()) {
    ring = receipts.back().has_value() ? RingState::Read(*receipts.back()) : std::nullopt;
    if (options_.room != nullptr && (!ring.has_value() || options_.room->replaces)) {
      const int64_t next = ring.has_value() ? ring->next : 1;
      ring = options_.room->counted;
      if (ring.has_value()) ring->next = std::max(ring->next, next);
    }
    if (!ring.has_value()) {
      const WriteOutcome uncounted{.wants = WriteOutcome::Wants::kCount};
      return Decision{.operations = {}, .outcome = uncounted.Encode()};
    }
    receipts = receipts.first(receipts.size() - 1);
  }
  RingState* const counted = ring.has_value() ? &*ring : nullptr;
  if (!retry_.has_value()) return Make(documents, nullptr, counted);
  auto log = RetryLog::Open(*retry_, receipts);
  if (log.has_value()) return Make(documents, &*log, counted);
  WriteOutcome outcome;
  outcome.failures.push_back({.number = 0, .error = std::move(log).error()});
  return Decision{.operations = {}, .outcome = outcome.Encode()};
}

gateway::DocumentProgram::Decision InsertProgram::Make(
    std::span<const std::optional<item::CurrentDocument>> documents, RetryLog* log,
    RingState* ring) const {
  Decision decision;
  const RingState former = ring == nullptr ? RingState() : *ring;
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
    if (ring == nullptr) {
      create.document = documents_[i];
    } else {
      create.document = WithSequence(documents_[i], ring->next++);
      ring->Add(documents_[i].bson().size());
    }
    ++outcome.matched;
    WriteOutcome done{.matched = 1};
    if (options_.is_upsert) {
      const model::Document image = ToMongoForm(documents_[i], collection_->form);
      done.upserted = outcome.upserted = image.view().Get("_id");
      if (options_.wants_image) done.after = outcome.after = image;
    }
    if (log != nullptr) log->Record(i, std::move(done));
  }
  if (ring != nullptr && !decision.operations.empty() &&
      !MakeRoom(documents.subspan(documents_.size()), former, *ring, decision)) {
    outcome = {.wants = WriteOutcome::Wants::kRoom};
  } else if (log != nullptr) {
    decision.receipts = log->Take();
  }
  if (ring != nullptr && !decision.operations.empty())
    decision.receipts.push_back(ring->ToReceipt());
  decision.outcome = outcome.Encode();
  return decision;
}

bool InsertProgram::MakeRoom(std::span<const std::optional<item::CurrentDocument>> oldest,
                             const RingState& former, RingState& ring, Decision& decision) const {
  const CappedLimits limits = CappedLimitsOf(collection_->options);
  std::vector<gateway::WriteOperation> removals;
  RingState smaller = former;  // with the removals alone
  for (size_t i = 0; i < oldest.size() && ring.IsOver(limits); ++i) {
    if (!oldest[i].has_value()) continue;  // deleted meanwhile
    const size_t bytes = CappedSizeOf(oldest[i]->document);
    ring.Remove(bytes);
    smaller.Remove(bytes);
    gateway::WriteOperation& removal = removals.emplace_back();
    removal.kind = item::OperationKind::kDelete;
    removal.row_key = options_.room->oldest[i];
    if (NeedsNotes(*collection_)) removal.note = NoteOfDelete(*collection_);
  }
  if (ring.IsOver(limits) && smaller.documents > 0) {
    ring = smaller;
    decision.operations = std::move(removals);
    return false;
  }
  if (ring.IsOver(limits)) {
    // Nothing older is left: new documents go, but for the last.
    size_t gone = 0;
    for (; gone + 1 < decision.operations.size() && ring.IsOver(limits); ++gone)
      ring.Remove(CappedSizeOf(*decision.operations[gone].document));
    decision.operations.erase(decision.operations.begin(),
                              decision.operations.begin() + static_cast<ptrdiff_t>(gone));
  }
  decision.operations.insert(decision.operations.end(), std::make_move_iterator(removals.begin()),
                             std::make_move_iterator(removals.end()));
  return true;
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
  if (options_.room != nullptr) {
    builder.OpenObject("room").AppendBool("replaces", options_.room->replaces);
    if (options_.room->counted.has_value()) {
      builder.Append("counted", model::Value::Binary(options_.room->counted->ToReceipt().bytes));
    }
    builder.OpenArray("oldest");
    for (size_t i = 0; i < options_.room->oldest.size(); ++i)
      builder.Append(std::to_string(i), options_.room->oldest[i]);
    builder.Close().Close();
  }
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
                                                                   .wants_image = image->AsBool(),
                                                                   .room = ReadRoom(program)},
                                                     std::move(retry));
      });
}

}  // namespace orrery::mongo
