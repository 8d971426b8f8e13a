// A CollectionWriter makes the changes of write commands: it finds the documents that a statement
// means, and sends a program for each to the partition that has it.
//
// Documents of one insert go to their partitions many at a time; an update or deletion of many
// documents is a bounded stream of programs. Every program is atomic by itself.
//
// Blocks; for the I/O pool. Used by one thread at a time. The gateway must outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/executor/retry/target_program.h"
#include "api/mongo/executor/run_state.h"
#include "api/mongo/executor/write/change_program.h"
#include "api/mongo/executor/write/insert_program.h"
#include "api/mongo/executor/write/write_outcome.h"
#include "api/mongo/language/projection/projection.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

struct ChangeRequest {
  CollectionPtr collection;
  WriteStatementPtr statement;
  bool multi = false;
  bool upserts = false;
  bool validates = true;
  ImageWanted image = ImageWanted::kNone;
  std::optional<SortPattern> sort = {};  // which of several documents
  IndexHint hint = {};
  // Set: the statement is done once, however often it is sent. REQUIRES: !multi.
  std::optional<RetryKey> retry = {};
  int32_t statement_number = 0;  // of the retry key
};

struct InsertRequest {
  CollectionPtr collection;
  std::vector<model::DocumentView> documents;  // as clients send them
  bool is_ordered = true;
  bool validates = true;
  std::optional<RetryKey> retry = {};
  std::vector<int32_t> statement_numbers = {};  // of the documents, with a retry key
};

class CollectionWriter {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    std::function<model::Value()> new_id;  // a new ObjectId
  };
  CollectionWriter(Parts parts, std::shared_ptr<RunState> state)
      : parts_(std::move(parts)), state_(std::move(state)) {}

  // Inserts documents. Failures, and what was done before, have the number of their document; an
  // ordered insert ends with the first failure. The error is one that stops all.
  Answer<WriteOutcome> Insert(const InsertRequest& request);

  // Updates or deletes. What was done before a failure is in the outcome, too.
  Answer<WriteOutcome> Change(const ChangeRequest& request);

  // Changes documents by several statements in order: as many of them as go together (at least
  // one). Returns the outcomes of those that were tried, or the error of the one that failed in
  // their place; of an ordered command none follows such a one.
  std::vector<Answer<WriteOutcome>> ChangeSeveral(std::span<const ChangeRequest> requests,
                                                  bool is_ordered);
  // The statements that one program may make.
  static constexpr size_t kChangesAtOnce = 100;

  // The program of a statement that demands one `_id` (and shard key), and where to run it; nullopt
  // if it does not. REQUIRES: !request.multi.
  static std::optional<gateway::ProgramRequest> PinnedProgram(const ChangeRequest& request);
  // The program that inserts documents of one partition key, which is that of the first.
  static gateway::ProgramRequest InsertOf(const CollectionPtr& collection,
                                          std::vector<model::Document> stored,
                                          InsertOptions options,
                                          std::optional<RetryStatements> retry = std::nullopt);
  // Returns the outcome that a response tells, with the collection's own errors.
  static Answer<WriteOutcome> OutcomeOf(const Collection& collection,
                                        gateway::WriteResponse response);

 private:
  // Documents that are updated or deleted at once.
  static constexpr size_t kProgramsAtOnce = 128;
  // Documents that are found before the first of them is changed.
  static constexpr size_t kGatheredMax = 200'000;
  // Groups of an unordered insert that are under way at once.
  static constexpr size_t kGroupsAtOnce = 8;
  // The programs that one insert into a capped collection may need to make room.
  static constexpr int kRoomStepsMax = 1'000'000;

  static Micros TimeOf(const ChangeRequest& request);
  // Others were faster, time and again.
  static std::unexpected<MongoError> Conflict();
  Answer<WriteOutcome> Run(const Collection& collection, const gateway::ProgramRequest& request);
  std::vector<Answer<WriteOutcome>> RunAll(const Collection& collection,
                                           std::span<const gateway::ProgramRequest> requests);
  // Runs them, so many at a time, until one fails.
  Outcome RunInTurns(const Collection& collection,
                     const std::vector<gateway::ProgramRequest>& programs, size_t turn,
                     WriteOutcome& sum);
  static std::optional<RetryStatements> RetryOf(const ChangeRequest& request);
  gateway::ProgramRequest ProgramFor(const ChangeRequest& request,
                                     model::DocumentView document) const;
  // Changes the document of a key by a statement that runs JavaScript: evaluates it here, and again
  // when the document has changed meanwhile (settled_change.h). Without a document it is read
  // first. `attempt` as of RetryStatements.
  Answer<WriteOutcome> ChangeSettled(const ChangeRequest& request,
                                     const gateway::KeyValues& partition_key,
                                     const model::Value& row_key,
                                     std::optional<model::Document> document,
                                     std::optional<int32_t> attempt = std::nullopt);
  Answer<WriteOutcome> ChangeSettled(const ChangeRequest& request, model::Document document);
  // Returns what the statement makes of the document.
  static Answer<std::shared_ptr<const SettledChange>> Settle(const ChangeRequest& request,
                                                             model::Document document);
  // The partition key that all documents have which the statement may mean; nullopt: not known.
  static std::optional<gateway::KeyValues> PartitionOf(const ChangeRequest& request);
  // The rows that a statement may change, in its order.
  // Those of a filter with $near, by distance.
  std::unique_ptr<RowSource> NearCandidates(const ChangeRequest& request);
  std::unique_ptr<RowSource> Candidates(const ChangeRequest& request);
  Answer<WriteOutcome> ChangeOne(const ChangeRequest& request);
  Answer<WriteOutcome> ChangeMany(const ChangeRequest& request);
  Answer<WriteOutcome> Upsert(const ChangeRequest& request);
  // The document that an upsert inserts, in stored form.
  Answer<model::Document> UpsertedDocument(const ChangeRequest& request);
  // Returns what the statement has done before in this partition; an empty outcome: nothing.
  Answer<WriteOutcome> Probe(const ChangeRequest& request, gateway::KeyValues partition_key);
  // A retryable change whose partition is not known beforehand (target_program.h).
  Answer<WriteOutcome> ChangeSomewhere(const ChangeRequest& request);
  Answer<std::vector<StatementTarget>> AgreeOnTargets(const ChangeRequest& request, size_t known,
                                                      std::optional<StatementTarget> next);
  Answer<WriteOutcome> TryTarget(const ChangeRequest& request, const StatementTarget& target,
                                 int32_t attempt);
  // Consecutive documents of one partition key, as many as one batch may have.
  struct InsertGroup {
    std::vector<model::Document> stored;
    std::vector<size_t> numbers;  // among all
    size_t bytes = 0;
  };
  static std::optional<RetryStatements> RetryOf(const InsertRequest& request,
                                                std::span<const size_t> numbers);
  // Inserts the first of these groups together, where none waits for another; none: they are
  // inserted one after the other.
  std::vector<Answer<WriteOutcome>> RunGroups(const InsertRequest& request,
                                              std::span<const InsertGroup> groups);
  // Inserts documents of one partition key, as InsertOf; in a capped collection it makes room.
  Answer<WriteOutcome> RunInsert(const CollectionPtr& collection,
                                 std::vector<model::Document> stored, InsertOptions options,
                                 std::optional<RetryStatements> retry);
  // Count the documents of a capped collection, and find the oldest of them.
  Answer<RingState> CountRing(const CollectionPtr& collection);
  Answer<RingRoom> FindRoom(const CollectionPtr& collection);
  // Inserts a group one by one: where a unique index refuses it as a whole.
  Answer<WriteOutcome> InsertSingly(const InsertRequest& request, const InsertGroup& group);

  const Parts parts_;
  const std::shared_ptr<RunState> state_;
};

}  // namespace orrery::mongo
