#include "api/mongo/executor/write/collection_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <latch>
#include <map>
#include <span>
#include <utility>

#include "api/mongo/catalog/duplicate_key.h"
#include "api/mongo/executor/read/find.h"
#include "api/mongo/executor/retry/retry_probe_program.h"
#include "api/mongo/executor/write/document_checks.h"
#include "api/mongo/language/match/conditions.h"
#include "api/mongo/language/sort/row_sorter.h"
#include "gateway/account/key_maker.h"

namespace orrery::mongo {
namespace {

// The times that a single change looks anew when all documents that it found were changed by
// others.
constexpr int kLooksMax = 16;

bool IsCode(const MongoError& error, ErrorCode code) {
  return error.code == static_cast<int32_t>(code);
}

// Returns whether one document of several was refused, and the others need not be.
bool IsOfOneDocument(const MongoError& error) {
  return IsCode(error, ErrorCode::kDuplicateKey) ||
         IsCode(error, ErrorCode::kCannotIndexParallelArrays);
}

void Add(WriteOutcome& sum, WriteOutcome&& more) {
  sum.matched += more.matched;
  sum.modified += more.modified;
  if (more.upserted.has_value()) sum.upserted = std::move(more.upserted);
  if (more.before.has_value()) sum.before = std::move(more.before);
  if (more.after.has_value()) sum.after = std::move(more.after);
  sum.retried.insert(sum.retried.end(), more.retried.begin(), more.retried.end());
  for (WriteOutcome::Failure& failure : more.failures) sum.failures.push_back(std::move(failure));
}

// The documents that one program may insert. Of a capped collection half of a batch is for those
// that make room; where throughput is limited a program must not ask for much of it at once.
size_t InsertsAtOnce(const Collection& collection, const partition::Limits& limits) {
  constexpr size_t kInsertsMax = 500;
  if (collection.form == DocumentForm::kCapped) return limits.batch_operations_max / 2;
  const bool is_metered = collection.container->throughput_owner.id != 0;
  return is_metered ? limits.batch_operations_max : kInsertsMax;
}

std::string_view FirstStep(std::string_view path) { return path.substr(0, path.find('.')); }

// Returns whether an update by operators may change what stands below a field of the document.
bool ChangesField(model::DocumentView operators, std::string_view field) {
  for (const model::ElementView op : operators) {
    if (op.kind() != model::Kind::kObject) return true;
    for (const model::ElementView at : op.AsDocument()) {
      if (FirstStep(at.name()) == field) return true;
      const bool renames = op.name() == "$rename" && at.kind() == model::Kind::kString;
      if (renames && FirstStep(at.AsString()) == field) return true;
    }
  }
  return false;
}

// Returns whether a change may be refused by a unique index, depending on which other documents
// have been changed before.
bool MayMeetUnique(const ChangeRequest& request) {
  if (request.statement->update == nullptr || !request.collection->has_unique_index()) return false;
  const auto& source = request.statement->source;
  const auto update = source.has_value() ? source->view().Find("u") : std::nullopt;
  if (!update.has_value() || update->kind() != model::Kind::kObject) return true;
  for (const item::NamedIndex& index : request.collection->settings().indexing.named) {
    if (!index.unique) continue;
    if (index.only.has_value()) return true;  // what its condition looks at may change
    for (const model::Path& path : index.paths)
      if (ChangesField(update->AsDocument(), path.steps().front())) return true;
  }
  return false;
}

// The first failure of a statement is its error.
Answer<WriteOutcome> FailureFirst(WriteOutcome outcome) {
  if (outcome.failures.empty()) return outcome;
  return std::unexpected(std::move(outcome.failures.front().error));
}

}  // namespace

Micros CollectionWriter::TimeOf(const ChangeRequest& request) {
  return std::chrono::milliseconds(request.statement->context->now_unix_ms);
}

std::unexpected<MongoError> CollectionWriter::Conflict() {
  return Refuse(ErrorCode::kWriteConflict,
                "WriteConflict error: this operation conflicted with another operation. Please "
                "retry your operation or multi-document transaction.");
}

Answer<WriteOutcome> CollectionWriter::OutcomeOf(const Collection& collection,
                                                 gateway::WriteResponse response) {
  if (!response.status.has_value()) {
    const Error& error = response.status.error();
    if (error.code() == Code::kAlreadyExists) {
      // Another API's unique key says which it is by its text alone.
      if (!response.outcome.empty())
        return std::unexpected(DuplicateKey(collection.name, collection.indexes, response.outcome));
      return Refuse(ErrorCode::kDuplicateKey,
                    fmt::format("E11000 duplicate key error collection: {} {}",
                                collection.name.ToString(), error.message()));
    }
    if (error.code() == Code::kNotFound) {
      return Refuse(ErrorCode::kNamespaceNotFound,
                    fmt::format("collection dropped: {}", collection.name.ToString()));
    }
    return std::unexpected(IndexRefusal(error));
  }
  auto outcome = WriteOutcome::Decode(response.outcome);
  if (!outcome.has_value()) return Refuse(outcome.error());
  return *std::move(outcome);
}

Answer<WriteOutcome> CollectionWriter::Run(const Collection& collection,
                                           const gateway::ProgramRequest& request) {
  gateway::WriteResponse response = parts_.gateway.RunAndWait(request);
  state_->charge += response.charge;
  return OutcomeOf(collection, std::move(response));
}

std::vector<Answer<WriteOutcome>> CollectionWriter::RunAll(
    const Collection& collection, std::span<const gateway::ProgramRequest> requests) {
  std::vector<gateway::WriteResponse> responses(requests.size());
  std::latch done(static_cast<ptrdiff_t>(requests.size()));
  for (size_t i = 0; i < requests.size(); ++i) {
    parts_.gateway.Run(requests[i], [&, i](gateway::WriteResponse response) {
      responses[i] = std::move(response);
      done.count_down();
    });
  }
  done.wait();
  std::vector<Answer<WriteOutcome>> outcomes;
  outcomes.reserve(requests.size());
  for (gateway::WriteResponse& response : responses) {
    state_->charge += response.charge;
    outcomes.push_back(OutcomeOf(collection, std::move(response)));
  }
  return outcomes;
}

gateway::ProgramRequest CollectionWriter::InsertOf(const CollectionPtr& collection,
                                                   std::vector<model::Document> stored,
                                                   InsertOptions options,
                                                   std::optional<RetryStatements> retry) {
  gateway::ProgramRequest request;
  request.container = collection->container;
  request.partition_key = gateway::PartitionKeyOf(*collection->container->schema, stored.front());
  request.program = std::make_shared<const InsertProgram>(collection, std::move(stored), options,
                                                          std::move(retry));
  return request;
}

std::optional<RetryStatements> CollectionWriter::RetryOf(const InsertRequest& request,
                                                         std::span<const size_t> numbers) {
  if (!request.retry.has_value()) return std::nullopt;
  std::vector<int32_t> statements;
  statements.reserve(numbers.size());
  for (const size_t number : numbers) statements.push_back(request.statement_numbers[number]);
  return RetryStatements(*request.retry, std::move(statements));
}

std::optional<RetryStatements> CollectionWriter::RetryOf(const ChangeRequest& request) {
  if (!request.retry.has_value()) return std::nullopt;
  return RetryStatements(*request.retry, {request.statement_number});
}

Answer<WriteOutcome> CollectionWriter::InsertSingly(const InsertRequest& request,
                                                    const InsertGroup& group) {
  WriteOutcome sum;
  for (size_t i = 0; i < group.stored.size(); ++i) {
    auto outcome =
        RunInsert(request.collection, {group.stored[i]}, {.is_ordered = request.is_ordered},
                  RetryOf(request, std::span(group.numbers).subspan(i, 1)));
    if (!outcome.has_value()) {
      sum.failures.push_back({.number = i, .error = std::move(outcome).error()});
    } else {
      for (WriteOutcome::Failure& failure : outcome->failures) failure.number = i;
      for (size_t& retried : outcome->retried) retried = i;
      Add(sum, *std::move(outcome));
    }
    if (request.is_ordered && !sum.failures.empty()) break;
  }
  return sum;
}

std::vector<Answer<WriteOutcome>> CollectionWriter::RunGroups(const InsertRequest& request,
                                                              std::span<const InsertGroup> groups) {
  if (request.is_ordered || request.collection->form == DocumentForm::kCapped) return {};
  std::vector<gateway::ProgramRequest> programs;
  for (const InsertGroup& group : groups.first(std::min(groups.size(), kGroupsAtOnce))) {
    programs.push_back(InsertOf(request.collection, group.stored, {.is_ordered = false},
                                RetryOf(request, group.numbers)));
  }
  return RunAll(*request.collection, programs);
}

Answer<WriteOutcome> CollectionWriter::Insert(const InsertRequest& request) {
  const auto& [collection, documents, is_ordered, validates, retry, statement_numbers] = request;
  const partition::Limits& limits = parts_.gateway.limits();
  WriteOutcome sum;
  const size_t group_max = InsertsAtOnce(*collection, limits);
  // Of an ordered insert groups follow each other, of another they are by key.
  std::vector<InsertGroup> groups;
  std::map<std::string, size_t> open;  // by encoded key: the last group of it
  for (size_t i = 0; i < documents.size(); ++i) {
    auto stored =
        PrepareInsert(*collection, documents[i], parts_.new_id(), validates, limits.item_bytes_max);
    if (!stored.has_value()) {
      sum.failures.push_back({.number = i, .error = std::move(stored).error()});
      if (is_ordered) break;
      continue;
    }
    std::string key;
    if (collection->is_sharded()) {
      const auto routed = parts_.gateway.RoutePartitionKey(
          *collection->container, gateway::PartitionKeyOf(*collection->container->schema, *stored));
      if (!routed.has_value()) {
        sum.failures.push_back({.number = i, .error = ToMongoError(routed.error())});
        if (is_ordered) break;
        continue;
      }
      key = routed->encoded;
    }
    const size_t bytes = stored->bson().size();
    if (is_ordered && !open.contains(key)) open.clear();
    const auto found = open.find(key);
    InsertGroup* group = found == open.end() ? nullptr : &groups[found->second];
    if (group == nullptr || group->stored.size() == group_max ||
        group->bytes + bytes > limits.batch_bytes_max) {
      open[key] = groups.size();
      group = &groups.emplace_back();
    }
    group->bytes += bytes;
    group->numbers.push_back(i);
    group->stored.push_back(*std::move(stored));
  }
  const std::vector<WriteOutcome::Failure> unprepared = std::exchange(sum.failures, {});
  std::vector<Answer<WriteOutcome>> outcomes;  // of the groups that are under way together
  for (size_t next = 0; next < groups.size(); ++next) {
    const InsertGroup& group = groups[next];
    MONGO_TRY(state_->Check());
    if (next % kGroupsAtOnce == 0) outcomes = RunGroups(request, std::span(groups).subspan(next));
    auto outcome = is_ordered || outcomes.empty()
                       ? RunInsert(collection, group.stored, {.is_ordered = is_ordered},
                                   RetryOf(request, group.numbers))
                       : std::move(outcomes[next % kGroupsAtOnce]);
    if (!outcome.has_value() && group.stored.size() > 1 && IsOfOneDocument(outcome.error()))
      outcome = InsertSingly(request, group);
    if (!outcome.has_value()) {
      // None of the group was inserted.
      for (const size_t number : group.numbers) {
        sum.failures.push_back({.number = number, .error = outcome.error()});
        if (is_ordered) break;
      }
    } else {
      for (WriteOutcome::Failure& failure : outcome->failures)
        failure.number = group.numbers[failure.number];
      for (size_t& retried : outcome->retried) retried = group.numbers[retried];
      Add(sum, *std::move(outcome));
    }
    if (is_ordered && !sum.failures.empty()) return sum;
  }
  sum.failures.insert(sum.failures.end(), unprepared.begin(), unprepared.end());
  std::ranges::sort(sum.failures, {}, &WriteOutcome::Failure::number);
  return sum;
}

std::optional<gateway::ProgramRequest> CollectionWriter::PinnedProgram(
    const ChangeRequest& request) {
  const Collection& collection = *request.collection;
  const Matcher& filter = *request.statement->filter;
  // Under a collation equal strings may differ.
  if (filter.context().collator != nullptr) return std::nullopt;
  const auto id = EqualityOn(filter, "_id");
  if (!id.has_value() || !IsOwnForm(collection.form)) return std::nullopt;
  // No document has such an _id, and no partition.
  if (id->kind() == model::Kind::kRegex || id->kind() == model::Kind::kArray) return std::nullopt;
  if (request.statement->runs_scripts) return std::nullopt;
  // What makes room for an upsert is found first.
  if (collection.form == DocumentForm::kCapped && request.upserts) return std::nullopt;
  gateway::ProgramRequest program;
  if (collection.is_sharded()) {
    const auto key = EqualityOn(filter, *collection.shard_key);
    // Null is met by documents without the field as well, which have another key.
    if (!key.has_value() || key->is_null() || key->is_undefined()) return std::nullopt;
    program.partition_key = {*key};
  }
  program.container = collection.container;
  program.program = std::make_shared<const ChangeProgram>(
      request.collection, *id, request.statement,
      ChangeOptions{
          .image = request.image, .upserts = request.upserts, .validates = request.validates},
      RetryOf(request));
  return program;
}

gateway::ProgramRequest CollectionWriter::ProgramFor(const ChangeRequest& request,
                                                     model::DocumentView document) const {
  const Collection& collection = *request.collection;
  gateway::ProgramRequest program;
  program.container = collection.container;
  program.partition_key = gateway::PartitionKeyOf(*collection.container->schema, document);
  program.program = std::make_shared<const ChangeProgram>(
      request.collection, RowKeyOf(document, collection.form), request.statement,
      ChangeOptions{.image = request.image, .upserts = false, .validates = request.validates},
      RetryOf(request));
  return program;
}

Answer<model::Document> CollectionWriter::UpsertedDocument(const ChangeRequest& request) {
  UpdateContext context;
  context.is_upsert = true;
  context.now_unix_ms = request.statement->context->now_unix_ms;
  context.timestamp = {.seconds = static_cast<uint32_t>(context.now_unix_ms / 1000),
                       .increment = 1};
  const model::Value new_id = parts_.new_id();
  MONGO_ASSIGN(const model::Document made,
               request.statement->update->NewDocument(*request.statement->filter, new_id, context));
  return PrepareInsert(*request.collection, made, new_id, request.validates,
                       parts_.gateway.limits().item_bytes_max);
}

Answer<WriteOutcome> CollectionWriter::Upsert(const ChangeRequest& request) {
  MONGO_ASSIGN(model::Document made, UpsertedDocument(request));
  std::vector<model::Document> stored;
  stored.push_back(std::move(made));
  MONGO_ASSIGN(WriteOutcome inserted,
               RunInsert(request.collection, std::move(stored),
                         {.is_upsert = true, .wants_image = request.image == ImageWanted::kAfter},
                         RetryOf(request)));
  return FailureFirst(std::move(inserted));
}

std::optional<gateway::KeyValues> CollectionWriter::PartitionOf(const ChangeRequest& request) {
  const Collection& collection = *request.collection;
  const size_t paths = collection.container->schema->partition_key_paths.size();
  if (paths == 0) return gateway::KeyValues();
  const Matcher& filter = *request.statement->filter;
  if (paths > 1 || !collection.is_sharded() || filter.context().collator != nullptr)
    return std::nullopt;
  const auto key = EqualityOn(filter, *collection.shard_key);
  // Null is met by documents without the field as well, which have another key.
  if (!key.has_value() || key->is_null() || key->is_undefined()) return std::nullopt;
  return gateway::KeyValues{*key};
}

std::unique_ptr<RowSource> CollectionWriter::NearCandidates(const ChangeRequest& request) {
  FindRequest find{.collection = request.collection,
                   .context = request.statement->context,
                   .filter = request.statement->filter,
                   .hint = request.hint};
  find.sort = request.sort;
  return OpenFind(parts_.gateway, std::move(find), state_);
}

std::unique_ptr<RowSource> CollectionWriter::Candidates(const ChangeRequest& request) {
  if (request.statement->filter->near() != nullptr) return NearCandidates(request);
  auto scan = std::make_unique<CollectionScan>(
      parts_.gateway,
      ScanRequest{.collection = request.collection,
                  .filter = request.statement->filter,
                  .sort = request.sort.has_value() ? &*request.sort : nullptr,
                  .rows_wanted = 1,
                  .hint = request.hint},
      state_);
  const bool is_ordered = !request.sort.has_value() || scan->is_ordered();
  if (is_ordered) return scan;
  return std::make_unique<RowSorter>(std::move(scan), *request.sort, request.statement->context,
                                     16);
}

Answer<WriteOutcome> CollectionWriter::Probe(const ChangeRequest& request,
                                             gateway::KeyValues partition_key) {
  gateway::ProgramRequest probe;
  probe.container = request.collection->container;
  probe.partition_key = std::move(partition_key);
  probe.program = std::make_shared<const RetryProbeProgram>(*RetryOf(request));
  MONGO_ASSIGN(WriteOutcome found, Run(*request.collection, probe));
  return FailureFirst(std::move(found));
}

Answer<std::vector<StatementTarget>> CollectionWriter::AgreeOnTargets(
    const ChangeRequest& request, size_t known, std::optional<StatementTarget> next) {
  gateway::ProgramRequest agree;
  agree.container = request.collection->container;
  agree.partition_key = TargetProgram::HomeOf(
      *request.retry, request.collection->container->schema->partition_key_paths.size());
  agree.program = std::make_shared<const TargetProgram>(*request.retry, request.statement_number,
                                                        known, std::move(next));
  gateway::WriteResponse response = parts_.gateway.RunAndWait(agree);
  state_->charge += response.charge;
  if (!response.status.has_value()) return Refuse(response.status.error());
  return TargetProgram::ReadTargets(response.outcome);
}

Answer<WriteOutcome> CollectionWriter::TryTarget(const ChangeRequest& request,
                                                 const StatementTarget& target, int32_t attempt) {
  if (request.statement->runs_scripts && target.row_key.has_value()) {
    MONGO_ASSIGN(WriteOutcome changed, ChangeSettled(request, target.partition_key, *target.row_key,
                                                     std::nullopt, attempt));
    return FailureFirst(std::move(changed));
  }
  RetryStatements retry(*request.retry, {request.statement_number}, attempt);
  gateway::ProgramRequest program;
  program.container = request.collection->container;
  program.partition_key = target.partition_key;
  if (target.insert.has_value()) {
    program.program = std::make_shared<const InsertProgram>(
        request.collection, std::vector<model::Document>{*target.insert},
        InsertOptions{.is_upsert = true, .wants_image = request.image == ImageWanted::kAfter},
        std::move(retry));
  } else {
    program.program = std::make_shared<const ChangeProgram>(
        request.collection, *target.row_key, request.statement,
        ChangeOptions{.image = request.image, .upserts = false, .validates = request.validates},
        std::move(retry));
  }
  MONGO_ASSIGN(WriteOutcome outcome, Run(*request.collection, program));
  return FailureFirst(std::move(outcome));
}

Answer<WriteOutcome> CollectionWriter::ChangeSomewhere(const ChangeRequest& request) {
  MONGO_ASSIGN(std::vector<StatementTarget> targets, AgreeOnTargets(request, 0, std::nullopt));
  for (size_t next = 0; next < static_cast<size_t>(kLooksMax); ++next) {
    if (next == targets.size()) {
      const std::unique_ptr<RowSource> rows = Candidates(request);
      MONGO_ASSIGN(const std::optional<Row> row, rows->Next());
      StatementTarget target;
      if (row.has_value()) {
        target.partition_key =
            gateway::PartitionKeyOf(*request.collection->container->schema, row->document);
        target.row_key = RowKeyOf(row->document, request.collection->form);
      } else if (request.upserts) {
        MONGO_ASSIGN(target.insert, UpsertedDocument(request));
        target.partition_key =
            gateway::PartitionKeyOf(*request.collection->container->schema, *target.insert);
      } else {
        return WriteOutcome();
      }
      MONGO_ASSIGN(targets, AgreeOnTargets(request, next, std::move(target)));
    }
    MONGO_ASSIGN(WriteOutcome outcome,
                 TryTarget(request, targets[next], static_cast<int32_t>(next)));
    if (outcome.matched > 0) return outcome;
  }
  return Conflict();
}

Answer<WriteOutcome> CollectionWriter::ChangeOne(const ChangeRequest& request) {
  if (const auto pinned = PinnedProgram(request)) {
    MONGO_ASSIGN(WriteOutcome outcome, Run(*request.collection, *pinned));
    return FailureFirst(std::move(outcome));
  }
  const std::optional<gateway::KeyValues> partition_key = PartitionOf(request);
  if (request.retry.has_value() && !partition_key.has_value()) return ChangeSomewhere(request);
  for (int look = 0; look < kLooksMax; ++look) {
    const std::unique_ptr<RowSource> rows = Candidates(request);
    bool was_found = false;
    while (true) {
      MONGO_ASSIGN(const std::optional<Row> row, rows->Next());
      if (!row.has_value()) break;
      was_found = true;
      auto changed = request.statement->runs_scripts
                         ? ChangeSettled(request, row->document)
                         : Run(*request.collection, ProgramFor(request, row->document));
      MONGO_ASSIGN(WriteOutcome outcome, std::move(changed));
      if (!outcome.failures.empty() || outcome.matched > 0) return FailureFirst(std::move(outcome));
    }
    if (was_found) continue;  // others were faster each time
    if (request.retry.has_value()) {
      MONGO_ASSIGN(WriteOutcome done, Probe(request, *partition_key));
      if (!done.retried.empty()) return done;
    }
    if (!request.upserts) return WriteOutcome();
    auto inserted = Upsert(request);
    // Another upsert was faster: its document may be the one to update.
    if (!inserted.has_value() && IsCode(inserted.error(), ErrorCode::kDuplicateKey) && look == 0)
      continue;
    return inserted;
  }
  return Conflict();
}

Answer<WriteOutcome> CollectionWriter::ChangeMany(const ChangeRequest& request) {
  // An update may move documents within the index that it reads, and meet them again: then all are
  // found before the first is changed, unless they are too many.
  IndexHint hint = request.hint;
  // One after the other, and none behind the first that a unique index refuses.
  const size_t turn = MayMeetUnique(request) ? 1 : kProgramsAtOnce;
  for (bool gathers = request.statement->update != nullptr;; gathers = false) {
    std::unique_ptr<RowSource> rows;
    if (request.statement->filter->near() != nullptr) {
      rows = NearCandidates(request);
      gathers = false;  // all are found before the first is given
    } else {
      auto scan = std::make_unique<CollectionScan>(parts_.gateway,
                                                   ScanRequest{.collection = request.collection,
                                                               .filter = request.statement->filter,
                                                               .rows_wanted = SIZE_MAX,
                                                               .hint = hint},
                                                   state_);
      gathers = gathers && scan->path().uses_index();
      rows = std::move(scan);
    }
    WriteOutcome sum;
    bool is_done = false;
    bool has_overflown = false;
    while (!is_done) {
      std::vector<gateway::ProgramRequest> programs;
      const size_t at_once = gathers ? kGatheredMax : kProgramsAtOnce;
      std::vector<model::Document> scripted;  // instead, of a statement that runs JavaScript
      std::optional<gateway::ProgramRequest> failing;
      while (programs.size() + scripted.size() < at_once && !failing.has_value()) {
        MONGO_ASSIGN(std::optional<Row> row, rows->Next());
        is_done = !row.has_value();
        if (is_done) break;
        if (request.statement->runs_scripts) {
          scripted.push_back(std::move(row->document));
          continue;
        }
        gateway::ProgramRequest program = ProgramFor(request, row->document);
        if (static_cast<const ChangeProgram&>(*program.program)
                .WouldFail(row->document, TimeOf(request))) {
          failing = std::move(program);
        } else {
          programs.push_back(std::move(program));
        }
      }
      // What is behind a document that cannot be changed stays as it is.
      has_overflown = gathers && !is_done && !failing.has_value();
      if (has_overflown) break;
      for (model::Document& document : scripted) {
        MONGO_TRY(state_->Check());
        MONGO_ASSIGN(WriteOutcome changed, ChangeSettled(request, std::move(document)));
        Add(sum, std::move(changed));
        if (!sum.failures.empty()) return FailureFirst(std::move(sum));
      }
      MONGO_TRY(RunInTurns(*request.collection, programs, turn, sum));
      if (failing.has_value() && sum.failures.empty())
        MONGO_TRY(RunInTurns(*request.collection, {*std::move(failing)}, 1, sum));
      // What was changed before is not told, as mongod does not.
      if (!sum.failures.empty()) return FailureFirst(std::move(sum));
    }
    if (has_overflown) {
      hint = {.natural = true};
      continue;
    }
    if (sum.matched == 0 && request.upserts) return Upsert(request);
    return sum;
  }
}

Outcome CollectionWriter::RunInTurns(const Collection& collection,
                                     const std::vector<gateway::ProgramRequest>& programs,
                                     size_t turn, WriteOutcome& sum) {
  for (size_t begin = 0; begin < programs.size(); begin += turn) {
    MONGO_TRY(state_->Check());
    const size_t count = std::min(turn, programs.size() - begin);
    for (auto& outcome : RunAll(collection, std::span(programs).subspan(begin, count))) {
      if (outcome.has_value()) {
        Add(sum, *std::move(outcome));
      } else if (sum.failures.empty()) {
        sum.failures.push_back({0, std::move(outcome).error()});
      }
    }
    if (!sum.failures.empty()) break;
  }
  return {};
}

Answer<WriteOutcome> CollectionWriter::Change(const ChangeRequest& request) {
  if (!request.multi || PinnedProgram(request).has_value()) return ChangeOne(request);
  return ChangeMany(request);
}

}  // namespace orrery::mongo
