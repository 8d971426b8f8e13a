#include "api/sql/handler/document/patch_condition.h"

#include <utility>

#include "api/sql/document/document_form.h"

namespace orrery::sql {

Answered<Lsn> MeetCondition(const HandlerParts& parts, const gateway::ContainerRef& container,
                            const DocumentTarget& target, std::string_view condition) {
  const gateway::ReadResponse read =
      parts.gateway.Read(container, target.partition_key, model::Value::String(target.id),
                         storage::ReadMode::kMayBlock);
  if (!read.status.has_value()) return Fail(read.status.error());
  model::Value seen = ToSeen(read.item.document, ContainerNames(*container),
                             {.key = target.key, .lsn = read.item.lsn, .time = read.item.time});
  SQL_TRY(CheckCondition(parts, condition, std::move(seen)));
  return read.item.lsn;
}

Answered<void> CheckCondition(const HandlerParts& parts, std::string_view condition,
                              model::Value seen) {
  SQL_ASSIGN(const bool holds, parts.queries.Holds(condition, std::move(seen)));
  if (holds) return {};
  return Refuse(412, "One of the specified pre-condition is not met: the patch's condition");
}

}  // namespace orrery::sql
