#include "api/mongo/executor/write/change_program.h"

#include <chrono>
#include <utility>

#include "api/mongo/catalog/collection_forms.h"
#include "api/mongo/catalog/index_checks.h"
#include "api/mongo/executor/stream/change_note.h"
#include "api/mongo/executor/write/insert_program.h"
#include "api/mongo/language/match/near_search.h"
#include "api/mongo/language/script_runner.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

// Of statements whose scripts have run elsewhere.
class NoScripts final : public ScriptRunner {
 public:
  Answer<model::Value> Call(const std::string& /*body*/, std::span<const model::Value>,
                            const model::Value* /*self*/) override {
    return Refuse(ErrorCode::kInternalError, "a change that is settled runs no JavaScript");
  }
  Answer<model::Value> Fold(const std::string& /*body*/, const model::Value& /*first*/,
                            std::span<const model::Value>) override {
    return Refuse(ErrorCode::kInternalError, "a change that is settled runs no JavaScript");
  }
};

}  // namespace

UpdateContext ChangeProgram::ContextAt(Micros now) const {
  return ContextOf(*collection_, *statement_, now);
}

UpdateContext ChangeProgram::ContextOf(const Collection& collection,
                                       const WriteStatement& statement, Micros now) {
  UpdateContext context;
  context.now_unix_ms = statement.context->now_unix_ms;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now);
  context.timestamp = {.seconds = static_cast<uint32_t>(seconds.count()),
                       .increment = static_cast<uint32_t>((now - seconds).count()) + 1};
  if (collection.shard_key.has_value()) context.immutable_paths = {*collection.shard_key};
  return context;
}

Outcome ChangeProgram::Change(model::DocumentView stored, Micros now, Decision& decision,
                              WriteOutcome& outcome) const {
  const model::Document current = ToMongoForm(stored, collection_->form);
  MatchDetails details;
  bool matches = false;
  if (statement_->runs_scripts) {
    if (settled_ == nullptr || current != settled_->seen) {
      outcome.wants = WriteOutcome::Wants::kLook;
      return {};
    }
    matches = settled_->matches;
  } else {
    if (!search_.has_value()) return std::unexpected(search_.error());
    MONGO_ASSIGN(matches, statement_->filter->Matches(current, &details, search_->get()));
  }
  if (matches && statement_->filter->near() != nullptr) {
    // It may have moved since it was found.
    MONGO_ASSIGN(const NearSearch near, NearSearch::Make(statement_->filter->near()->search()));
    if (!near.Measure(current).has_value()) return {};
  }
  if (!matches) {
    if (!options_.upserts) return {};
    // What is wrong with the document to insert comes before that its `_id` is taken.
    Decision unused;
    WriteOutcome unmade;
    MONGO_TRY(Insert(now, unused, unmade));
    return std::unexpected(DuplicateId(*collection_, current.view().Get("_id")));
  }
  outcome.matched = 1;
  if (options_.image == ImageWanted::kBefore) outcome.before = current;
  if (statement_->update == nullptr) {
    gateway::WriteOperation& remove = decision.operations.emplace_back();
    remove.kind = item::OperationKind::kDelete;
    remove.row_key = key_;
    if (NeedsNotes(*collection_)) remove.note = NoteOfDelete(*collection_);
    return {};
  }
  UpdateContext update_context = ContextAt(now);
  update_context.tells_paths = NeedsNotes(*collection_);
  UpdateOutcome updated;
  if (settled_ != nullptr && settled_->updated.has_value()) {
    updated = *settled_->updated;
  } else {
    MONGO_ASSIGN(updated, statement_->update->Apply(current, details, update_context));
  }
  if (updated.is_modified) {
    MONGO_TRY(CheckIndexKeys(*collection_, updated.document));
    MONGO_TRY(CheckTime(*collection_, updated.document));
    if (options_.validates && collection_->validator != nullptr)
      MONGO_TRY(collection_->validator->Check(updated.document, current));
    outcome.modified = 1;
    gateway::WriteOperation& replace = decision.operations.emplace_back();
    replace.kind = item::OperationKind::kReplace;
    if (update_context.tells_paths) {
      replace.note = NoteOfUpdate(*collection_, *statement_->update, current, updated.document,
                                  updated.touched);
    }
    MONGO_ASSIGN(replace.document, ToStoredForm(updated.document, collection_->form));
    if (collection_->form == DocumentForm::kCapped)
      replace.document = WithSequence(*replace.document, SequenceOf(stored));
  }
  if (options_.image == ImageWanted::kAfter) outcome.after = std::move(updated.document);
  return {};
}

Outcome ChangeProgram::Insert(Micros now, Decision& decision, WriteOutcome& outcome) const {
  UpdateContext context = ContextAt(now);
  context.is_upsert = true;
  MONGO_ASSIGN(model::Document made,
               statement_->update->NewDocument(*statement_->filter, key_, context));
  made = WithIdFirst(made, key_);
  MONGO_TRY(CheckIndexKeys(*collection_, made));
  MONGO_TRY(CheckTime(*collection_, made));
  if (options_.validates && collection_->validator != nullptr)
    MONGO_TRY(collection_->validator->Check(made, std::nullopt));
  outcome.matched = 1;
  outcome.upserted = made.view().Get("_id");
  if (options_.image == ImageWanted::kAfter) outcome.after = made;
  gateway::WriteOperation& create = decision.operations.emplace_back();
  create.kind = item::OperationKind::kCreate;
  MONGO_ASSIGN(create.document, ToStoredForm(std::move(made), collection_->form));
  return {};
}

bool ChangeProgram::WouldFail(const model::Document& document, Micros now) const {
  if (statement_->update == nullptr) return false;
  if (!search_.has_value()) return true;
  MatchDetails details;
  const auto matches = statement_->filter->Matches(document, &details, search_->get());
  if (!matches.has_value()) return true;
  if (!*matches) return false;
  const auto updated = statement_->update->Apply(document, details, ContextAt(now));
  if (!updated.has_value()) return true;
  if (!updated->is_modified) return false;
  return !CheckIndexKeys(*collection_, updated->document).has_value() ||
         !CheckTime(*collection_, updated->document).has_value() ||
         (options_.validates && collection_->validator != nullptr &&
          !collection_->validator->Check(updated->document, document).has_value());
}

WriteOutcome ChangeProgram::Make(const std::optional<item::CurrentDocument>& current, Micros now,
                                 Decision& decision) const {
  WriteOutcome outcome;
  Outcome done;
  if (current.has_value()) {
    done = Change(current->document, now, decision, outcome);
  } else if (options_.upserts) {
    done = Insert(now, decision, outcome);
  }
  if (!done.has_value()) {
    decision.operations.clear();
    outcome = {};
    outcome.failures.push_back({.number = 0, .error = std::move(done).error()});
  }
  return outcome;
}

void ChangeProgram::CountChange(const std::optional<item::CurrentDocument>& current,
                                const std::optional<std::string>& kept, Decision& decision) {
  if (decision.operations.empty() || !current.has_value() || !kept.has_value()) return;
  auto ring = RingState::Read(*kept);
  if (!ring.has_value()) return;
  ring->Remove(CappedSizeOf(current->document));
  if (decision.operations.front().kind == item::OperationKind::kReplace)
    ring->Add(CappedSizeOf(*decision.operations.front().document));
  decision.receipts.push_back(ring->ToReceipt());
}

Result<gateway::DocumentProgram::Decision> ChangeProgram::Decide(
    std::span<const std::optional<item::CurrentDocument>> documents, Micros now) const {
  Decision decision;
  decision.outcome = Make(documents.front(), now, decision).Encode();
  return decision;
}

Result<gateway::DocumentProgram::Decision> ChangeProgram::DecideWithReceipts(
    std::span<const std::optional<item::CurrentDocument>> documents,
    std::span<const std::optional<std::string>> receipts, Micros now) const {
  Decision decision;
  std::optional<std::string> ring;
  const bool is_capped = collection_->form == DocumentForm::kCapped && !receipts.empty();
  if (is_capped) {
    ring = receipts.back();
    receipts = receipts.first(receipts.size() - 1);
  }
  if (!retry_.has_value()) {
    decision.outcome = Make(documents.front(), now, decision).Encode();
    if (is_capped) CountChange(documents.front(), ring, decision);
    return decision;
  }
  WriteOutcome outcome;
  auto log = RetryLog::Open(*retry_, receipts);
  if (!log.has_value()) {
    outcome.failures.push_back({.number = 0, .error = std::move(log).error()});
  } else if (const WriteOutcome* const done = log->Find(0)) {
    outcome = *done;
    outcome.retried = {0};
  } else {
    outcome = Make(documents.front(), now, decision);
    // Of a try it counts, too, that it met nothing.
    if (outcome.failures.empty() && outcome.wants == WriteOutcome::Wants::kNothing &&
        (outcome.matched > 0 || retry_->is_attempt())) {
      log->Record(0, outcome);
      decision.receipts = log->Take();
    }
    if (is_capped) CountChange(documents.front(), ring, decision);
  }
  decision.outcome = outcome.Encode();
  return decision;
}

std::string ChangeProgram::Encode() const {
  model::DocumentBuilder builder;
  builder.Append("id", key_);
  if (statement_->source.has_value()) builder.AppendDocument("statement", *statement_->source);
  builder.AppendInt32("image", static_cast<int32_t>(options_.image));
  builder.AppendBool("upserts", options_.upserts).AppendBool("validates", options_.validates);
  if (retry_.has_value()) retry_->AppendTo(builder);
  if (settled_ != nullptr) settled_->AppendTo(builder);
  return std::move(std::move(builder).Finish()).Release();
}

Result<std::shared_ptr<const ChangeProgram>> ChangeProgram::Decode(
    const gateway::ContainerRef& container, std::string_view data) {
  ORRERY_ASSIGN(const model::DocumentView program, model::DocumentView::FromBson(data));
  const auto statement = program.Find("statement");
  const auto image = program.Find("image");
  const auto upserts = program.Find("upserts");
  const auto validates = program.Find("validates");
  if (!statement) return Fail(Code::kUnsupported, "this change can be made on its own node only");
  const auto is = [](const std::optional<model::ElementView>& field, model::Kind kind) {
    return field.has_value() && field->kind() == kind;
  };
  if (!is(statement, model::Kind::kObject) || !is(image, model::Kind::kInt32) ||
      !is(upserts, model::Kind::kBool) || !is(validates, model::Kind::kBool))
    return Fail(Code::kInvalidArgument, "a change program is malformed");
  ORRERY_ASSIGN(auto settled, SettledChange::ReadFrom(program));
  auto compiled =
      WriteStatement::Compile(model::Document::Trusted(std::string(statement->AsDocument().bson())),
                              std::make_shared<NoScripts>());
  if (!compiled.has_value()) return Fail(Code::kInvalidArgument, compiled.error().message);
  ORRERY_ASSIGN(auto retry, RetryStatements::ReadFrom(program));
  if (retry.has_value() && retry->statements().size() != 1)
    return Fail(Code::kInvalidArgument, "a change program is malformed");
  return std::make_shared<const ChangeProgram>(
      ReadCollection(container), program.Get("id"), *std::move(compiled),
      ChangeOptions{.image = static_cast<ImageWanted>(image->AsInteger()),
                    .upserts = upserts->AsBool(),
                    .validates = validates->AsBool()},
      std::move(retry), std::move(settled));
}

void ChangeProgram::Register(gateway::ProgramRegistry& registry) {
  registry.Add(
      std::string(kKind),
      [](const gateway::ContainerRef& container,
         std::string_view data) -> Result<std::shared_ptr<const gateway::DocumentProgram>> {
        return Decode(container, data);
      });
}

}  // namespace orrery::mongo
