#include "api/mongo/command/write_reply.h"

#include "api/mongo/command/fields.h"
#include "api/mongo/command/session/session_arguments.h"

namespace orrery::mongo {

void AppendCount(model::DocumentBuilder& reply, std::string_view name, int64_t count) {
  if (count >= INT32_MIN && count <= INT32_MAX) {
    reply.AppendInt32(name, static_cast<int32_t>(count));
  } else {
    reply.AppendInt64(name, count);
  }
}

void AppendDetails(model::DocumentBuilder& reply, const MongoError& error) {
  if (error.beside.has_value()) {
    for (const model::ElementView field : error.beside->view()) reply.Append(field.name(), field);
  }
  if (error.info.has_value()) reply.AppendDocument("errInfo", *error.info);
}

bool EndsCommand(const CommandContext& context, const MongoError& error) {
  const bool is_too_old = error.code == static_cast<int32_t>(ErrorCode::kTransactionTooOld);
  return is_too_old || (context.retry.has_value() && IsRetryableWriteError(error));
}

void AppendRetried(model::DocumentBuilder& reply, const std::vector<int32_t>& retried) {
  if (retried.empty()) return;
  reply.OpenArray("retriedStmtIds");
  for (size_t i = 0; i < retried.size(); ++i) reply.AppendInt32(std::to_string(i), retried[i]);
  reply.Close();
}

CommandReply WriteReply(const CommandContext& context, const WriteSummary& summary,
                        bool with_modified) {
  for (const WriteSummary::Failed& failed : summary.failed) {
    if (EndsCommand(context, failed.error)) return std::unexpected(failed.error);
  }
  context.has_write_errors = context.has_write_errors || !summary.failed.empty();
  model::DocumentBuilder reply;
  AppendCount(reply, "n", summary.n);
  if (!summary.upserted.empty()) {
    reply.OpenArray("upserted");
    for (size_t i = 0; i < summary.upserted.size(); ++i) {
      reply.OpenObject(std::to_string(i));
      AppendCount(reply, "index", static_cast<int64_t>(summary.upserted[i].index));
      reply.Append("_id", summary.upserted[i].id).Close();
    }
    reply.Close();
  }
  if (with_modified) AppendCount(reply, "nModified", summary.modified);
  if (!summary.failed.empty()) {
    reply.OpenArray("writeErrors");
    for (size_t i = 0; i < summary.failed.size(); ++i) {
      const WriteSummary::Failed& failed = summary.failed[i];
      reply.OpenObject(std::to_string(i));
      AppendCount(reply, "index", static_cast<int64_t>(failed.index));
      reply.AppendInt32("code", failed.error.code);
      AppendDetails(reply, failed.error);
      reply.AppendString("errmsg", failed.error.message).Close();
    }
    reply.Close();
  }
  AppendRetried(reply, summary.retried);
  return reply;
}

}  // namespace orrery::mongo
