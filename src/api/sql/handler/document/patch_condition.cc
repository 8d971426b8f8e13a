#include "api/sql/handler/document/patch_condition.h"

#include <utility>

#include "api/sql/document/document_form.h"

namespace orrery::sql {
namespace {

// The number of tries of a patch that others keep overtaking.
constexpr int kTriesMax = 16;

// The version of the document that meets the condition.
SqlResult<Lsn> MeetCondition(const HandlerParts& parts, const gateway::ContainerRef& container,
                             const DocumentTarget& target, std::string_view condition) {
  const gateway::ReadResponse read =
      parts.gateway.Read(container, target.key, storage::ReadMode::kMayBlock);
  if (!read.status.has_value()) return Fail(read.status.error());
  model::Value seen = ToSeen(read.item.document, ContainerNames(*container),
                             {.key = target.key, .lsn = read.item.lsn, .time = read.item.time});
  SQL_TRY(CheckCondition(parts, condition, std::move(seen)));
  return read.item.lsn;
}

}  // namespace

SqlResult<gateway::WriteResponse> WriteIfMet(const HandlerParts& parts,
                                             const gateway::ContainerRef& container,
                                             const PreparedWrite& write) {
  const bool own_etag = write.operation.if_match.has_value();
  for (int tries = 1;; ++tries) {
    SQL_ASSIGN(const Lsn met, MeetCondition(parts, container, write.target, write.condition));
    PreparedWrite bound = write;
    if (!own_etag) bound.operation.if_match = met;
    gateway::WriteResponse response =
        parts.gateway.WriteAndWait(RequestOf(container, std::move(bound)));
    const bool overtaken =
        !response.status.has_value() && response.status.error().code() == Code::kPreconditionFailed;
    if (!overtaken || own_etag || tries == kTriesMax) return response;
  }
}

SqlResult<void> CheckCondition(const HandlerParts& parts, std::string_view condition,
                               model::Value seen) {
  SQL_ASSIGN(const bool holds, parts.queries.Holds(condition, std::move(seen)));
  if (holds) return {};
  return Refuse(412, std::string(kConditionNotMet));
}

}  // namespace orrery::sql
