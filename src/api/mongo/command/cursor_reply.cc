#include "api/mongo/command/cursor_reply.h"

#include <utility>

#include "api/mongo/command/fields.h"
#include "api/mongo/command/transaction/mongo_transaction.h"
#include "api/mongo/error/error_map.h"
#include "base/cluster_clock.h"

namespace orrery::mongo {

void AppendAtClusterTime(model::DocumentBuilder& reply, const CommandContext& context) {
  if (!context.at_cluster_time.has_value()) return;
  const uint64_t bits = TimestampOf(*context.at_cluster_time);
  reply.Append("atClusterTime",
               model::Value::Timestamp({.seconds = static_cast<uint32_t>(bits >> 32),
                                        .increment = static_cast<uint32_t>(bits)}));
}

std::string CursorOwner(const CommandContext& context) {
  std::string owner = context.client->owner() + '\n';
  if (context.transaction != nullptr) owner += context.transaction->CursorTag();
  return owner + context.session;
}

CommandReply FirstBatch(CommandContext& context, std::unique_ptr<CursorRun> run,
                        const BatchOptions& options) {
  RunState& state = run->state();
  Attach(state, context);
  model::DocumentBuilder reply;
  reply.OpenObject("cursor").OpenArray("firstBatch");
  auto filled = run->Fill(reply, options.batch_size.value_or(kFirstBatchRows),
                          /*may_cut=*/!options.single_batch);
  TakeCost(state, context);
  Detach(state);
  if (!filled.has_value()) return std::unexpected(std::move(filled).error());
  reply.Close();
  run->AppendFacts(reply);
  context.use.returned = run->given();
  int64_t id = 0;
  const std::string name = run->name();
  if (*filled && !options.single_batch) {
    const auto kept = context.services.cursors.Add(
        std::move(run), {.owner = CursorOwner(context), .never_times_out = options.no_timeout});
    if (!kept.has_value()) {
      // Cursors are closed or time out soon: what drivers try again.
      return Refuse(kept.error().code() == Code::kResourceExhausted
                        ? Error(Code::kOverloaded, kept.error().message())
                        : kept.error());
    }
    id = kept->value();
    if (context.transaction != nullptr) context.transaction->NoteCursor();
  }
  context.use.cursor_id = id;
  reply.AppendInt64("id", id).AppendString("ns", name);
  AppendAtClusterTime(reply, context);
  reply.Close();
  return reply;
}

CommandReply KnownBatch(CommandContext& context, std::string name,
                        std::vector<model::Document> rows) {
  const auto cursor = context.body().Find("cursor");
  BatchOptions options;
  if (cursor.has_value() && cursor->kind() == model::Kind::kObject) {
    MONGO_ASSIGN(const std::optional<int64_t> size,
                 Fields(cursor->AsDocument(), "cursor").Count("batchSize"));
    if (size.has_value()) options.batch_size = static_cast<uint64_t>(*size);
  }
  return FirstBatch(
      context,
      std::make_unique<CursorRun>(std::move(name), std::make_unique<KnownRows>(std::move(rows)),
                                  std::make_shared<RunState>()),
      options);
}

}  // namespace orrery::mongo
