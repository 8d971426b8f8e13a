#include "api/sql/handler/document/conditional_patch.h"

#include <utility>
#include <variant>

#include "api/sql/document/document_form.h"
#include "api/sql/handler/document/patch_condition.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/bind/tree_walk.h"
#include "gateway/remote/codec/expression_codec.h"
#include "gateway/remote/message.h"
#include "model/expression/letter_case.h"

namespace orrery::sql {
namespace {

// Functions that look at no more than the kind of their argument.
bool IsTypeTest(const ast::FunctionCall& call) {
  return !call.is_user_defined && call.arguments.size() == 1 && call.function.text.size() > 3 &&
         model::ToUpperCase(call.function.text).starts_with("IS_");
}

bool IsBoundedExpression(const ast::Expression& expression, size_t& nodes) {
  if (++nodes > kBoundedNodesMax) return false;
  if (expression.As<ast::Like>() != nullptr) return false;
  if (const auto* call = expression.As<ast::FunctionCall>(); call != nullptr && !IsTypeTest(*call))
    return false;
  bool bounded = true;
  ForEachChild(
      expression,
      [&](const ast::Expression& child) { bounded = bounded && IsBoundedExpression(child, nodes); },
      [&](const ast::Query&) { bounded = false; });
  return bounded;
}

}  // namespace

bool IsBounded(std::string_view condition) {
  const Parsed<ast::Query> query = ParseQuery("SELECT * " + std::string(condition));
  if (!query.has_value() || !query->where.has_value()) return false;
  const bool one_document = query->sources.size() == 1 && !query->sources[0].is_iterated &&
                            std::holds_alternative<ast::Expression>(query->sources[0].collection);
  size_t nodes = 0;
  return one_document && IsBoundedExpression(*query->where, nodes);
}

ConditionalPatch::ConditionalPatch(const ListQueries& queries, gateway::ContainerRef container,
                                   What what)
    : queries_(queries),
      container_(std::move(container)),
      what_(std::move(what)),
      row_key_(model::Value::String(what_.id)) {}

Result<gateway::DocumentProgram::Decision> ConditionalPatch::Decide(
    std::span<const std::optional<item::CurrentDocument>> documents, Micros /*now*/) const {
  const std::optional<item::CurrentDocument>& current = documents.front();
  if (!current.has_value()) return Fail(Code::kNotFound, "there is no such item");
  model::Value seen = ToSeen(current->document, ContainerNames(*container_),
                             {.key = current->key, .lsn = current->lsn, .time = current->time});
  ORRERY_ASSIGN(const bool holds, queries_.Holds(what_.condition, std::move(seen)));
  if (!holds) return Fail(Code::kPreconditionFailed, std::string(kConditionNotMet));
  Decision decision;
  gateway::WriteOperation& patch = decision.operations.emplace_back();
  patch.kind = item::OperationKind::kPatch;
  patch.row_key = row_key_;
  patch.patch = what_.patch;
  patch.if_match = what_.if_match;
  return decision;
}

std::string ConditionalPatch::Encode() const {
  gateway::MessageWriter out;
  out.Bytes(what_.id);
  out.Bytes(what_.condition);
  gateway::AppendPatch(out, what_.patch);
  out.Flag(what_.if_match.has_value());
  if (what_.if_match.has_value()) out.Number(what_.if_match->value());
  return std::move(out).Take();
}

gateway::ProgramRequest ProgramOf(const ListQueries& queries,
                                  const gateway::ContainerRef& container, PreparedWrite write) {
  ConditionalPatch::What what{.id = std::move(write.target.id),
                              .condition = std::move(write.condition),
                              .patch = std::move(write.operation.patch),
                              .if_match = write.operation.if_match};
  return {.container = container,
          .partition_key = std::move(write.target.partition_key),
          .program = std::make_shared<const ConditionalPatch>(queries, container, std::move(what))};
}

void ConditionalPatch::Register(gateway::ProgramRegistry& registry, const Clock& clock) {
  const auto queries = std::make_shared<const ListQueries>(clock);
  registry.Add(
      std::string(kKind),
      [queries](const gateway::ContainerRef& container,
                std::string_view data) -> Result<std::shared_ptr<const gateway::DocumentProgram>> {
        gateway::MessageReader in(data);
        What what;
        what.id = in.String();
        what.condition = in.String();
        what.patch = gateway::ReadPatch(in);
        if (in.Flag()) what.if_match = Lsn(in.Number());
        ORRERY_TRY(in.End());
        return std::make_shared<const ConditionalPatch>(*queries, container, std::move(what));
      });
}

}  // namespace orrery::sql
