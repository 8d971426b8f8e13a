// A write with triggers: those before it, the write, those after it, in one transaction.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "api/sql/document/document_form.h"
#include "api/sql/script/run/quota.h"
#include "api/sql/script/run/script_executor.h"
#include "api/sql/script/run/script_failure.h"
#include "api/sql/script/run/transact.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using Triggers = std::vector<const ScriptDefinition*>;

// Those named. One that is not for this kind of write is an error.
Result<Triggers> Choose(const TriggeredWrite& write, const std::vector<std::string>& ids,
                        TriggerType type) {
  if (ids.size() > kTriggersPerWriteMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("at most {} triggers can be named", kTriggersPerWriteMax));
  }
  Triggers chosen;
  for (const std::string& id : ids) {
    const StoredScript* trigger = write.scripts->Find(ScriptKind::kTrigger, id);
    if (trigger == nullptr) {
      return Fail(Code::kInvalidArgument, fmt::format("there is no trigger with the id '{}'", id));
    }
    if (trigger->definition.type != type) {
      return Fail(Code::kInvalidArgument, fmt::format("the trigger '{}' is a {}-trigger", id,
                                                      NameOf(trigger->definition.type)));
    }
    if (!Covers(trigger->definition.operation, write.operation)) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("the trigger '{}' is for the operation {}, not for {}", id,
                              NameOf(trigger->definition.operation), NameOf(write.operation)));
    }
    chosen.push_back(&trigger->definition);
  }
  return chosen;
}

class TriggerRun {
 public:
  TriggerRun(const ScriptParts& parts, script::Sandbox& sandbox, const TriggeredWrite& write)
      : parts_(parts), sandbox_(sandbox), write_(write) {}

  Status Prepare() {
    ORRERY_ASSIGN(before_, Choose(write_, write_.before, TriggerType::kPre));
    ORRERY_ASSIGN(after_, Choose(write_, write_.after, TriggerType::kPost));
    return {};
  }

  std::expected<void, Failure> Attempt(const sql::Attempt& attempt) {
    Exchange exchange{.role = ScriptRole::kPreTrigger,
                      .operation = std::string(NameOf(write_.operation)),
                      .request_values = write_.headers,
                      .usage = UsageOf(*write_.scripts),
                      .quota = QuotaOfScripts()};
    if (write_.document.has_value()) exchange.request_body = model::ToJson(*write_.document);
    written_ = {};
    if (auto ran = RunAll(before_, attempt, exchange); !ran.has_value()) return ran;
    if (auto done = Do(attempt.view, exchange); !done.has_value())
      return std::unexpected(FailureOf(done.error()));
    const std::optional<std::string> answer = exchange.response_body;
    exchange.role = ScriptRole::kPostTrigger;
    if (auto ran = RunAll(after_, attempt, exchange); !ran.has_value()) return ran;
    if (exchange.response_body != answer) written_.body = std::move(exchange.response_body);
    return {};
  }

  TriggeredResult Take(std::optional<Lsn> lsn) && {
    if (written_.document.has_value() && lsn.has_value()) written_.document->lsn = *lsn;
    return std::move(written_);
  }

 private:
  std::expected<void, Failure> RunAll(const Triggers& triggers, const sql::Attempt& attempt,
                                      Exchange& exchange) {
    std::string log;
    for (const ScriptDefinition* trigger : triggers) {
      auto ran = RunScript(parts_, sandbox_, attempt, *trigger, {}, exchange, log);
      if (!ran.has_value()) return ran;
    }
    return {};
  }

  // The write itself, with the body that the pre-triggers left.
  Status Do(ScriptDocuments& view, Exchange& exchange) {
    if (write_.operation == TriggerOperation::kDelete)
      return view.Remove(write_.id, write_.if_match);
    ORRERY_ASSIGN(const model::Document body,
                  model::ParseJson(exchange.request_body.value_or("null")));
    ORRERY_ASSIGN(written_.document, Put(view, body));
    std::string& seen = exchange.response_body.emplace();
    AppendSeenJson(seen, written_.document->document, view.names(),
                   {.key = written_.document->key,
                    .lsn = written_.document->lsn,
                    .time = written_.document->time});
    return {};
  }

  Result<ScriptDocuments::Document> Put(ScriptDocuments& view, const model::Document& body) {
    switch (write_.operation) {
      case TriggerOperation::kCreate:
        written_.created = true;
        return view.Create(body);
      case TriggerOperation::kUpsert: {
        ORRERY_ASSIGN(ScriptDocuments::Upserted upserted, view.Upsert(body, write_.if_match));
        written_.created = upserted.created;
        return std::move(upserted.document);
      }
      case TriggerOperation::kReplace:
        return view.Replace(write_.id, body, write_.if_match);
      default:
        return Fail(Code::kInternal, "no write of this kind has a document");
    }
  }

  const ScriptParts& parts_;
  script::Sandbox& sandbox_;
  const TriggeredWrite& write_;
  Triggers before_;
  Triggers after_;
  TriggeredResult written_;
};

}  // namespace

TriggeredAnswer WriteWithTriggers(const ScriptParts& parts, script::Sandbox& sandbox,
                                  const TriggeredWrite& write) {
  TriggeredAnswer answer;
  TriggerRun run(parts, sandbox, write);
  if (auto prepared = run.Prepare(); !prepared.has_value()) {
    answer.written = std::unexpected(FailureOf(prepared.error()));
    return answer;
  }
  Transacted transacted = Transact(parts, sandbox, write.container, write.partition_key,
                                   [&run](const Attempt& attempt) { return run.Attempt(attempt); });
  answer.charge = transacted.charge;
  answer.session = std::move(transacted.session);
  if (!transacted.status.has_value()) {
    answer.written = std::unexpected(std::move(transacted.status).error());
  } else {
    answer.written = std::move(run).Take(transacted.lsn);
  }
  return answer;
}

}  // namespace orrery::sql
