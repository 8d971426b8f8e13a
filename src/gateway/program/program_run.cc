#include "gateway/program/program_run.h"

#include <utility>

#include "gateway/write/transaction_maker.h"

namespace orrery::gateway {

Result<std::shared_ptr<const ProgramRun>> ProgramRun::Make(
    Program program, std::shared_ptr<const item::ContainerSchema> schema, RoutedKey key,
    const partition::Limits& limits) {
  std::shared_ptr<ProgramRun> run(
      new ProgramRun(std::move(program), std::move(schema), std::move(key), limits));
  for (const model::Value& row_key : run->program_->reads()) {
    ORRERY_ASSIGN(std::string encoded, EncodeRowKey(*run->schema_, row_key, limits));
    run->reads_.push_back(std::move(encoded));
  }
  run->bytes_ = run->program_->bytes();
  return run;
}

Result<item::ProgramDecision> ProgramRun::Decide(
    std::span<const std::optional<item::CurrentDocument>> documents, Micros now) const {
  return DecideWithReceipts(documents, {}, now);
}

Result<item::ProgramDecision> ProgramRun::DecideWithReceipts(
    std::span<const std::optional<item::CurrentDocument>> documents,
    std::span<const std::optional<std::string>> receipts, Micros now) const {
  ORRERY_ASSIGN(gateway::DocumentProgram::Decision decided,
                program_->DecideWithReceipts(documents, receipts, now));
  // What a program looks at bounds it (item::kProgramReadsMax): it is no batch of a client.
  TransactionMaker maker(*schema_, limits_, WriteSize::kScript);
  maker.SetKey(key_);
  item::ProgramDecision decision;
  decision.outcome = std::move(decided.outcome);
  decision.receipts = std::move(decided.receipts);
  ORRERY_ASSIGN(decision.operations, maker.MakeAll(decided.operations));
  return decision;
}

}  // namespace orrery::gateway
