#include "api/mongo/executor/write/change_batch_program.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "model/document/document_builder.h"

namespace orrery::mongo {

ChangeBatchProgram::ChangeBatchProgram(std::vector<std::shared_ptr<const ChangeProgram>> changes,
                                       bool is_ordered)
    : changes_(std::move(changes)), is_ordered_(is_ordered) {
  for (const auto& change : changes_) {
    keys_.push_back(change->reads().front());
    for (const std::string& name : change->receipts()) {
      if (std::ranges::find(receipts_, name) == receipts_.end()) receipts_.push_back(name);
    }
  }
}

Result<gateway::DocumentProgram::Decision> ChangeBatchProgram::Decide(
    std::span<const std::optional<item::CurrentDocument>> documents, Micros now) const {
  return DecideWithReceipts(documents, {}, now);
}

Result<gateway::DocumentProgram::Decision> ChangeBatchProgram::DecideWithReceipts(
    std::span<const std::optional<item::CurrentDocument>> documents,
    std::span<const std::optional<std::string>> receipts, Micros now) const {
  std::map<std::string_view, std::optional<std::string>> kept;
  for (size_t i = 0; i < receipts_.size(); ++i) kept[receipts_[i]] = receipts[i];
  Decision decision;
  std::map<std::string, item::Receipt> left;  // by name: the last one counts
  model::DocumentBuilder outcomes;
  outcomes.OpenArray("o");
  for (size_t i = 0; i < changes_.size(); ++i) {
    std::vector<std::optional<std::string>> own;
    for (const std::string& name : changes_[i]->receipts()) own.push_back(kept[name]);
    ORRERY_ASSIGN(Decision made,
                  changes_[i]->DecideWithReceipts(documents.subspan(i, 1), own, now));
    for (item::Receipt& receipt : made.receipts) {
      kept[*std::ranges::find(receipts_, receipt.name)] = receipt.bytes;
      left.insert_or_assign(receipt.name, std::move(receipt));
    }
    decision.operations.insert(decision.operations.end(),
                               std::make_move_iterator(made.operations.begin()),
                               std::make_move_iterator(made.operations.end()));
    outcomes.Append(std::to_string(i), model::Value::Binary(made.outcome));
    if (!is_ordered_) continue;
    ORRERY_ASSIGN(const WriteOutcome outcome, WriteOutcome::Decode(made.outcome));
    if (!outcome.failures.empty()) break;
  }
  outcomes.Close();
  decision.outcome = std::move(std::move(outcomes).Finish()).Release();
  for (auto& [name, receipt] : left) decision.receipts.push_back(std::move(receipt));
  return decision;
}

Result<std::vector<WriteOutcome>> ChangeBatchProgram::ReadOutcomes(std::string_view outcome) {
  const Error malformed(Code::kCorruption, "a program's outcome is malformed");
  const auto document = model::DocumentView::FromBson(outcome);
  if (!document.has_value()) return std::unexpected(malformed);
  const auto list = document->Find("o");
  if (!list.has_value() || list->kind() != model::Kind::kArray) return std::unexpected(malformed);
  std::vector<WriteOutcome> outcomes;
  for (const model::ElementView entry : list->AsDocument()) {
    if (entry.kind() != model::Kind::kBinary) return std::unexpected(malformed);
    ORRERY_ASSIGN(outcomes.emplace_back(), WriteOutcome::Decode(entry.ToValue().AsBytes()));
  }
  return outcomes;
}

std::string ChangeBatchProgram::Encode() const {
  model::DocumentBuilder builder;
  builder.AppendBool("ordered", is_ordered_).OpenArray("changes");
  for (size_t i = 0; i < changes_.size(); ++i) {
    builder.AppendDocument(std::to_string(i), model::Document::Trusted(changes_[i]->Encode()));
  }
  builder.Close();
  return std::move(std::move(builder).Finish()).Release();
}

void ChangeBatchProgram::Register(gateway::ProgramRegistry& registry) {
  registry.Add(
      std::string(kKind),
      [](const gateway::ContainerRef& container,
         std::string_view data) -> Result<std::shared_ptr<const gateway::DocumentProgram>> {
        const Error malformed(Code::kInvalidArgument, "a batch of changes is malformed");
        ORRERY_ASSIGN(const model::DocumentView program, model::DocumentView::FromBson(data));
        const auto ordered = program.Find("ordered");
        const auto list = program.Find("changes");
        if (!ordered || ordered->kind() != model::Kind::kBool || !list ||
            list->kind() != model::Kind::kArray)
          return std::unexpected(malformed);
        std::vector<std::shared_ptr<const ChangeProgram>> changes;
        for (const model::ElementView entry : list->AsDocument()) {
          if (entry.kind() != model::Kind::kObject) return std::unexpected(malformed);
          ORRERY_ASSIGN(changes.emplace_back(),
                        ChangeProgram::Decode(container, entry.AsDocument().bson()));
        }
        if (changes.empty()) return std::unexpected(malformed);
        return std::make_shared<const ChangeBatchProgram>(std::move(changes), ordered->AsBool());
      });
}

}  // namespace orrery::mongo
