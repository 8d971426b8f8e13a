#include "api/sql/handler/document/batch_conditions.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/handler/document/patch_condition.h"
#include "model/expression/patch.h"

namespace orrery::sql {
namespace {

using item::OperationKind;

class Playthrough {
 public:
  Playthrough(const HandlerParts& parts, const gateway::ContainerRef& container,
              const std::vector<PreparedWrite>& writes)
      : parts_(parts), container_(container) {
    for (const PreparedWrite& write : writes)
      if (!write.condition.empty()) watched_.insert(write.target.id);
  }

  SqlResult<void> Next(PreparedWrite& write) {
    if (write.removal.has_value()) known_[write.removal->row_key->AsString()] = State{};
    if (!watched_.contains(write.target.id)) return {};
    if (write.operation.kind == OperationKind::kPatch && !known_.contains(write.target.id))
      SQL_TRY(Look(write));
    if (!write.condition.empty()) SQL_TRY(Check(write));
    return Follow(write);
  }

 private:
  // Reads the stored document, which the operation is then for.
  SqlResult<void> Look(PreparedWrite& write) {
    const gateway::ReadResponse read =
        parts_.gateway.Read(container_, write.target.key, storage::ReadMode::kMayBlock);
    if (!read.status.has_value()) return Fail(read.status.error());
    write.operation.if_match = write.operation.if_match.value_or(read.item.lsn);
    known_[write.target.id] =
        State{.document = model::Document::Trusted(std::string(read.item.document.bson())),
              .lsn = read.item.lsn,
              .time = read.item.time};
    return {};
  }

  SqlResult<void> Check(const PreparedWrite& write) {
    const State& state = known_[write.target.id];
    // The write itself finds that there is nothing to patch.
    if (!state.document.has_value()) return {};
    return CheckCondition(parts_, write.condition,
                          ToSeen(*state.document, ContainerNames(*container_),
                                 {.key = write.target.key, .lsn = state.lsn, .time = state.time}));
  }

  SqlResult<void> Follow(const PreparedWrite& write) {
    switch (write.operation.kind) {
      case OperationKind::kCreate:
      case OperationKind::kUpsert:
      case OperationKind::kReplace:
        known_[write.target.id] = State{.document = write.operation.document};
        return {};
      case OperationKind::kDelete:
        known_[write.target.id] = State{};
        return {};
      case OperationKind::kPatch: {
        State& state = known_[write.target.id];
        if (!state.document.has_value()) return {};
        SQL_ASSIGN(state.document, model::ApplyPatch(*state.document, write.operation.patch));
        return {};
      }
      case OperationKind::kRead:
      case OperationKind::kCheck:
        return {};
    }
    return {};
  }

  struct State {
    std::optional<model::Document> document{};  // none: it is not there
    Lsn lsn{};
    Micros time{0};
  };

  const HandlerParts& parts_;
  const gateway::ContainerRef& container_;
  std::set<std::string> watched_;  // ids of documents that conditions are about
  std::map<std::string, State> known_;
};

}  // namespace

std::expected<void, UnmetCondition> MeetConditions(const HandlerParts& parts,
                                                   const gateway::ContainerRef& container,
                                                   std::vector<PreparedWrite>& writes) {
  Playthrough playthrough(parts, container, writes);
  for (size_t i = 0; i < writes.size(); ++i) {
    if (auto met = playthrough.Next(writes[i]); !met.has_value())
      return std::unexpected(UnmetCondition{i, std::move(met).error()});
  }
  return {};
}

}  // namespace orrery::sql
