// Writes of a transaction: one request of the gateway for each logical partition, several at once.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "api/gremlin/store/document_store.h"
#include "api/gremlin/store/element_codec.h"
#include "api/gremlin/value/relation.h"
#include "base/mutex.h"

namespace orrery::gremlin {
namespace {

// Writes of different partitions that are under way together.
constexpr size_t kWritesAtOnce = 64;

struct PartitionWrite {
  Value partition;
  std::vector<gateway::WriteOperation> operations{};
  std::vector<std::string> names{};  // of the elements, for messages
  size_t bytes = 0;
};

gateway::WriteOperation OperationOf(const ElementChange& change, const GraphRules& rules,
                                    Micros now) {
  const bool is_vertex = change.element.type() == Type::kVertex;
  const auto version =
      is_vertex ? change.element.AsVertex()->version : change.element.AsEdge()->version;
  gateway::WriteOperation operation;
  if (change.kind == ElementChange::Kind::kDelete) {
    operation.kind = item::OperationKind::kDelete;
    operation.row_key = model::Value::String(IdText(*IdOf(change.element)));
  } else {
    operation.kind = change.kind == ElementChange::Kind::kCreate ? item::OperationKind::kCreate
                                                                 : item::OperationKind::kReplace;
    operation.document = is_vertex ? VertexDocument(*change.element.AsVertex(), rules, now)
                                   : EdgeDocument(*change.element.AsEdge(), rules, now);
  }
  if (change.kind != ElementChange::Kind::kCreate && version.has_value())
    operation.if_match = Lsn(*version);
  return operation;
}

// Waits for writes; the first error counts.
class WriteGroup {
 public:
  // Waits for room. False once a write has failed.
  bool Begin() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (under_way_ >= kWritesAtOnce) changed_.Wait(mutex_);
    if (error_.has_value()) return false;
    ++under_way_;
    return true;
  }
  void End(gateway::WriteResponse response, const std::vector<std::string>& names)
      EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    --under_way_;
    charge_ += response.charge;
    if (response.status.has_value()) {
      ++done_;
    } else if (!error_.has_value()) {
      error_ = std::move(response.status).error();
      const size_t failed = response.failed_operation.value_or(0);
      if (failed < names.size()) failed_ = names[failed];
    }
    changed_.NotifyAll();
  }
  struct Outcome {
    Status status;
    bool any_done = false;
    RequestUnits charge;
    std::string failed;  // the element because of which nothing was written
  };
  Outcome Wait() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (under_way_ > 0) changed_.Wait(mutex_);
    Outcome outcome{.status = {}, .any_done = done_ > 0, .charge = charge_, .failed = failed_};
    if (error_.has_value()) outcome.status = Fail(*error_);
    return outcome;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  size_t under_way_ GUARDED_BY(mutex_) = 0;
  size_t done_ GUARDED_BY(mutex_) = 0;
  std::optional<Error> error_ GUARDED_BY(mutex_);
  std::string failed_ GUARDED_BY(mutex_);
  RequestUnits charge_ GUARDED_BY(mutex_);
};

Status Explained(Error error, const std::string& element) {
  switch (error.code()) {
    case Code::kAlreadyExists:
      return Fail(Code::kAlreadyExists,
                  "Conflicting request to resource has been attempted. Retry to avoid conflicts. " +
                      element);
    case Code::kNotFound:  // removed since it was read
    case Code::kPreconditionFailed:
      return Fail(Code::kPreconditionFailed,
                  "\"PreconditionFailedException\": One of the specified pre-condition is not met: "
                  "an element was changed by another request");
    default:
      return Fail(std::move(error));
  }
}

}  // namespace

Status DocumentStore::Commit(std::span<const ElementChange> changes, bool& committed) {
  const partition::Limits& limits = parts_.gateway.limits();
  const Micros now = parts_.clock.Now();
  std::vector<PartitionWrite> writes;
  std::unordered_map<Value, size_t, ValueHash, ValueEquivalent> write_of;
  for (const ElementChange& change : changes) {
    const Value& partition = change.element.type() == Type::kVertex
                                 ? change.element.AsVertex()->partition
                                 : change.element.AsEdge()->partition;
    gateway::WriteOperation operation = OperationOf(change, rules(), now);
    const size_t bytes = operation.document.has_value() ? operation.document->bson().size() : 0;
    const auto found = write_of.find(partition);
    const bool fits = found != write_of.end() &&
                      writes[found->second].operations.size() < limits.script_operations_max &&
                      writes[found->second].bytes + bytes <= limits.script_bytes_max;
    if (!fits) {
      write_of[partition] = writes.size();
      writes.push_back({.partition = partition});
    }
    PartitionWrite& write = writes[write_of.at(partition)];
    write.operations.push_back(std::move(operation));
    write.names.push_back((change.element.type() == Type::kVertex ? "Vertex" : "Edge") +
                          std::string(" with id already exists: ") + IdText(*IdOf(change.element)));
    write.bytes += bytes;
  }
  WriteGroup group;
  for (PartitionWrite& write : writes) {
    if (!group.Begin()) break;
    const bool is_batch = write.operations.size() <= limits.batch_operations_max &&
                          write.bytes <= limits.batch_bytes_max;
    parts_.gateway.Write(
        {.container = parts_.container,
         .partition_key = gateway::KeyValues{PartitionValue(write.partition)},
         .operations = std::move(write.operations),
         .size = is_batch ? gateway::WriteSize::kBatch : gateway::WriteSize::kScript},
        [&group, &names = write.names](gateway::WriteResponse response) {
          group.End(std::move(response), names);
        });
  }
  WriteGroup::Outcome outcome = group.Wait();
  charge_ += outcome.charge;
  committed = outcome.any_done;
  if (!outcome.status.has_value())
    return Explained(std::move(outcome.status).error(), outcome.failed);
  return {};
}

}  // namespace orrery::gremlin
