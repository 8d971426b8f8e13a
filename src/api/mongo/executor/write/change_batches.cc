// Updates and deletions that go together (change_batch_program.h).
#include <set>
#include <string>
#include <utility>

#include "api/mongo/executor/write/change_batch_program.h"
#include "api/mongo/executor/write/collection_writer.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {

std::vector<Answer<WriteOutcome>> CollectionWriter::ChangeSeveral(
    std::span<const ChangeRequest> requests, bool is_ordered) {
  std::vector<std::shared_ptr<const ChangeProgram>> changes;
  gateway::ProgramRequest batch;
  std::set<std::string> keys;  // one program sees a document once
  for (const ChangeRequest& request : requests) {
    auto pinned = changes.size() == kChangesAtOnce ? std::nullopt : PinnedProgram(request);
    if (!pinned.has_value()) break;
    std::string key;
    model::AppendKey(key, pinned->program->reads().front(), model::Order::kMongo);
    if (!changes.empty() && pinned->partition_key != batch.partition_key) break;
    if (!keys.insert(std::move(key)).second) break;
    batch.container = pinned->container;
    batch.partition_key = std::move(pinned->partition_key);
    changes.push_back(std::static_pointer_cast<const ChangeProgram>(std::move(pinned->program)));
  }
  std::vector<Answer<WriteOutcome>> outcomes;
  if (changes.size() <= 1) {
    outcomes.push_back(Change(requests.front()));
    return outcomes;
  }
  const size_t count = changes.size();
  batch.program = std::make_shared<const ChangeBatchProgram>(std::move(changes), is_ordered);
  gateway::WriteResponse response = parts_.gateway.RunAndWait(batch);
  state_->charge += response.charge;
  auto made = response.status.has_value() ? ChangeBatchProgram::ReadOutcomes(response.outcome)
                                          : std::unexpected(response.status.error());
  if (made.has_value()) {
    for (WriteOutcome& outcome : *made) {
      if (outcome.failures.empty()) {
        outcomes.push_back(std::move(outcome));
      } else {
        outcomes.push_back(std::unexpected(std::move(outcome.failures.front().error)));
      }
    }
    return outcomes;
  }
  // One of them was refused, and none was made.
  for (const ChangeRequest& request : requests.first(count)) {
    outcomes.push_back(Change(request));
    if (is_ordered && !outcomes.back().has_value()) break;
  }
  return outcomes;
}

}  // namespace orrery::mongo
