#include "api/cassandra/executor/write/write_run.h"

#include <algorithm>
#include <map>

#include "api/cassandra/executor/write/batch_size.h"
#include "api/cassandra/executor/write/pending_write.h"

namespace orrery::cassandra {
namespace {

WriteType TypeOf(WriteKind kind, bool conditional, bool counter) {
  if (conditional) return WriteType::kCas;
  if (counter) return WriteType::kCounter;
  switch (kind) {
    case WriteKind::kStatement:
      return WriteType::kSimple;
    case WriteKind::kLoggedBatch:
      return WriteType::kBatch;
    case WriteKind::kUnloggedBatch:
      return WriteType::kUnloggedBatch;
    case WriteKind::kCounterBatch:
      return WriteType::kCounter;
  }
  return WriteType::kSimple;
}

CqlStatus AddAllChanges(item::RowChanges& changes, std::span<const WrittenStatement> statements,
                        int64_t unique_us, uint32_t now_s) {
  uint32_t list_turn = 0;
  for (const WrittenStatement& statement : statements) {
    WriteTimes times;
    times.timestamp_us = *statement.timestamp_us;
    times.now_s = now_s;
    times.ttl_s = TtlOf(statement.bound);
    times.list_order = unique_us;
    times.list_turn = ++list_turn;
    CQL_TRY(AddChanges(changes, statement.bound, times, {}));
  }
  return {};
}

WriteRunner::Done Warned(std::vector<std::string> warnings, WriteRunner::Done done) {
  return [warnings = std::move(warnings), done = std::move(done)](Outcome outcome) mutable {
    std::ranges::move(warnings, std::back_inserter(outcome.warnings));
    done(std::move(outcome));
  };
}

}  // namespace

// The part of a statement or batch in one partition.
struct WriteRunner::Share {
  gateway::ContainerRef container;
  std::string partition_key;
  std::vector<WrittenStatement> statements;
};

struct WriteRunner::Prepared {
  gateway::RowWriteRequest request;
  // Of a logged batch: whether it may follow another. Not when it must look for itself, nor when it
  // deletes ranges of rows that views show, which may turn out to be too many.
  bool may_follow = false;
  item::RowChanges viewed;  // then, of a table with views: what the program would change
};

CqlResult<std::vector<WriteRunner::Share>> WriteRunner::Divide(
    std::vector<WrittenStatement> statements) const {
  std::vector<Share> shares;
  if (statements.size() == 1 && statements.front().bound.partition_keys.size() == 1) {
    // Most are so, and need no sorting.
    const gateway::ContainerRef& container = statements.front().plan->table->container;
    shares.push_back({container, statements.front().bound.partition_keys.front(), {}});
    shares.back().statements = std::move(statements);
    return shares;
  }
  std::map<std::pair<ContainerId, std::string>, size_t> places;
  for (WrittenStatement& statement : statements) {
    const auto keys = statement.bound.partition_keys;  // a copy: the statement is moved from
    for (const std::string& key : keys) {
      const gateway::ContainerRef& container = statement.plan->table->container;
      const auto [found, added] = places.try_emplace({container->id, key}, shares.size());
      if (added) shares.push_back({container, key, {}});
      WrittenStatement part{statement.plan, {}, statement.timestamp_us};
      if (keys.size() == 1) {
        part.bound = std::move(statement.bound);
      } else {
        part.bound = statement.bound;
      }
      shares[found->second].statements.push_back(std::move(part));
    }
  }
  return shares;
}

CqlResult<WriteRunner::Prepared> WriteRunner::Prepare(Share share, const WriteContext& context,
                                                      const Now& now, bool in_batch) const {
  Prepared prepared;
  gateway::RowWriteRequest& request = prepared.request;
  request.container = std::move(share.container);
  request.partition_key = std::move(share.partition_key);
  std::unique_ptr<ViewMaintenance> views;
  const Table& table = *share.statements.front().plan->table;
  if (views_ != nullptr) views = views_->Plan(table, request.partition_key, share.statements);
  const bool reads = std::ranges::any_of(
      share.statements, [](const WrittenStatement& each) { return each.plan->reads(); });
  if (!reads && views == nullptr) {
    CQL_TRY(AddAllChanges(request.changes, share.statements, now.unique_us, now.seconds));
    prepared.may_follow = in_batch;
    return prepared;
  }
  if (in_batch && !reads && views->read_ranges().empty()) {
    prepared.may_follow = true;
    CQL_TRY(AddAllChanges(prepared.viewed, share.statements, now.unique_us, now.seconds));
  }
  ModificationProgram::Options options;
  options.partition_key = request.partition_key;
  options.now_s = context.now_s;
  options.views = std::move(views);
  request.program =
      std::make_unique<ModificationProgram>(std::move(share.statements), std::move(options));
  return prepared;
}

CqlResult<std::vector<gateway::RowWriteRequest>> WriteRunner::JoinDerivedWrites(
    std::vector<Prepared> shares, Consistency consistency) const {
  // One that cannot follow leads; were there more of them, they stay on their own.
  const auto leader = std::ranges::find(shares, false, &Prepared::may_follow);
  std::iter_swap(shares.begin(), leader == shares.end() ? shares.begin() : leader);
  std::vector<gateway::RowWriteRequest> joined;
  for (Prepared& share : shares) {
    gateway::RowWriteRequest& request = share.request;
    if (joined.empty() || !share.may_follow) {
      joined.push_back(std::move(request));
      continue;
    }
    const auto* viewed = static_cast<const ModificationProgram*>(request.program.get());
    item::RowChanges& changes = viewed != nullptr ? share.viewed : request.changes;
    if (viewed != nullptr) {
      CQL_ASSIGN(const auto foreseen,
                 views_->Foresee(viewed->table(), request.partition_key, changes));
      if (const Status sound = rows_.CheckDerivedWrites(foreseen); !sound.has_value())
        return std::unexpected(ToWriteError(sound.error(), consistency, WriteType::kBatch));
    }
    joined.front().changes.derived_writes.push_back(
        {request.container->id, std::move(request.partition_key), std::move(changes),
         /*maintains_views=*/true});
  }
  return joined;
}

void WriteRunner::Run(WriteKind kind, std::vector<WrittenStatement> statements,
                      const WriteContext& context, Done done) const {
  const bool conditional = std::ranges::any_of(
      statements, [](const WrittenStatement& each) { return each.plan->is_conditional(); });
  const bool counter = statements.front().plan->table->is_counter;
  const auto time = std::chrono::floor<std::chrono::seconds>(rows_.clock().Now());
  const Now now{clock_.NextMicros(), context.now_s.value_or(static_cast<uint32_t>(time.count()))};
  const int64_t default_timestamp = context.timestamp_us.value_or(now.unique_us);
  std::vector<std::shared_ptr<const ModificationPlan>> conditional_plans;
  for (WrittenStatement& statement : statements) {
    if (statement.plan->is_conditional()) conditional_plans.push_back(statement.plan);
    if (!conditional) {
      statement.timestamp_us = statement.bound.attributes.timestamp_us.value_or(default_timestamp);
    }
  }
  if (kind != WriteKind::kStatement && !conditional) {
    auto warnings = CheckBatchSize(kind, statements);
    if (!warnings.has_value()) return done(Outcome::Failed(std::move(warnings).error()));
    if (!warnings->empty()) done = Warned(*std::move(warnings), std::move(done));
  }
  const auto view_pass = views_ == nullptr ? nullptr : views_->Enter();
  auto shares = Divide(std::move(statements));
  if (!shares.has_value()) return done(Outcome::Failed(std::move(shares).error()));
  const bool in_batch = kind == WriteKind::kLoggedBatch && shares->size() > 1;
  std::vector<Prepared> to_join;
  std::vector<gateway::RowWriteRequest> requests;
  for (Share& share : *shares) {
    auto each = Prepare(std::move(share), context, now, in_batch);
    if (!each.has_value()) return done(Outcome::Failed(std::move(each).error()));
    if (each->request.changes.empty() && each->request.program == nullptr) continue;
    if (in_batch) {
      to_join.push_back(*std::move(each));
    } else {
      requests.push_back(std::move(each->request));
    }
  }
  if (!to_join.empty()) {
    auto joined = JoinDerivedWrites(std::move(to_join), context.consistency);
    if (!joined.has_value()) return done(Outcome::Failed(std::move(joined).error()));
    requests = *std::move(joined);
  }
  if (requests.empty()) return done(Outcome{});
  PendingWrite::Start({.rows = rows_,
                       .waits = waits_,
                       .consistency = context.consistency,
                       .type = TypeOf(kind, conditional, counter),
                       .conditional = std::move(conditional_plans),
                       .is_batch = kind != WriteKind::kStatement,
                       .view_pass = view_pass},
                      std::move(requests), std::move(done));
}

}  // namespace orrery::cassandra
