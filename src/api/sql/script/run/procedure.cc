// Stored procedures: arguments in, one script in a transaction, its body out.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "api/sql/script/run/quota.h"
#include "api/sql/script/run/script_executor.h"
#include "api/sql/script/run/transact.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

Result<std::vector<script::Datum>> ArgumentsOf(const std::string& text) {
  std::vector<script::Datum> arguments;
  if (text.empty()) return arguments;
  ORRERY_ASSIGN(const model::Value list, model::ValueFromJson(text));
  if (list.kind() != model::Kind::kArray)
    return Fail(Code::kInvalidArgument, "the arguments of a stored procedure are a JSON array");
  if (list.AsValues().size() > kScriptArgumentsMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a stored procedure takes at most {} arguments", kScriptArgumentsMax));
  }
  for (const model::Value& each : list.AsValues())
    arguments.emplace_back(script::Json{model::ToJson(each)});
  return arguments;
}

}  // namespace

ProcedureAnswer RunProcedure(const ScriptParts& parts, script::Sandbox& sandbox,
                             const ProcedureCall& call) {
  ProcedureAnswer answer;
  const auto refuse = [&answer](const Error& error) {
    answer.body = std::unexpected(FailureOf(error));
    return std::move(answer);
  };
  const StoredScript* procedure = call.scripts->Find(ScriptKind::kProcedure, call.id);
  if (procedure == nullptr) {
    return refuse(Error(Code::kNotFound,
                        fmt::format("there is no stored procedure with the id '{}'", call.id)));
  }
  const auto arguments = ArgumentsOf(call.arguments);
  if (!arguments.has_value()) return refuse(arguments.error());

  Exchange exchange;
  Transacted transacted =
      Transact(parts, sandbox, call.container, call.partition_key,
               [&](const Attempt& attempt) -> std::expected<void, Failure> {
                 // Nothing of an attempt before this one is left.
                 exchange = {.role = ScriptRole::kProcedure,
                             .request_body = call.arguments.empty() ? "[]" : call.arguments,
                             .request_values = call.headers,
                             .usage = UsageOf(*call.scripts),
                             .quota = QuotaOfScripts()};
                 answer.log.clear();
                 return RunScript(parts, sandbox, attempt, procedure->definition, *arguments,
                                  exchange, answer.log);
               });
  answer.charge = transacted.charge;
  answer.session = std::move(transacted.session);
  if (!call.logging) answer.log.clear();
  if (!transacted.status.has_value()) {
    answer.body = std::unexpected(std::move(transacted.status).error());
  } else {
    answer.body = std::move(exchange.response_body).value_or("");
  }
  return answer;
}

}  // namespace orrery::sql
