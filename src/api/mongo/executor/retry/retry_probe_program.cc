#include "api/mongo/executor/retry/retry_probe_program.h"

namespace orrery::mongo {

Result<gateway::DocumentProgram::Decision> RetryProbeProgram::Decide(
    std::span<const std::optional<item::CurrentDocument>> /*documents*/, Micros /*now*/) const {
  return Fail(Code::kInternal, "a probe needs the receipts");
}

Result<gateway::DocumentProgram::Decision> RetryProbeProgram::DecideWithReceipts(
    std::span<const std::optional<item::CurrentDocument>> /*documents*/,
    std::span<const std::optional<std::string>> receipts, Micros /*now*/) const {
  WriteOutcome outcome;
  auto log = RetryLog::Open(statements_, receipts);
  if (!log.has_value()) {
    outcome.failures.push_back({.number = 0, .error = std::move(log).error()});
  } else if (const WriteOutcome* const done = log->Find(0)) {
    outcome = *done;
    outcome.retried = {0};
  }
  return Decision{.operations = {}, .outcome = outcome.Encode()};
}

std::string RetryProbeProgram::Encode() const {
  model::DocumentBuilder builder;
  statements_.AppendTo(builder);
  return std::move(std::move(builder).Finish()).Release();
}

void RetryProbeProgram::Register(gateway::ProgramRegistry& registry) {
  registry.Add(
      std::string(kKind),
      [](const gateway::ContainerRef& /*container*/,
         std::string_view data) -> Result<std::shared_ptr<const gateway::DocumentProgram>> {
        ORRERY_ASSIGN(const model::DocumentView program, model::DocumentView::FromBson(data));
        ORRERY_ASSIGN(auto statements, RetryStatements::ReadFrom(program));
        if (!statements.has_value() || statements->statements().size() != 1)
          return Fail(Code::kInvalidArgument, "a probe program is malformed");
        return std::make_shared<const RetryProbeProgram>(*std::move(statements));
      });
}

}  // namespace orrery::mongo
