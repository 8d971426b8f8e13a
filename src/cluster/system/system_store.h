// The system store keeps what must change together across partitions: the catalog (gateway) and the
// list of physical partitions (cluster). Every change is one durable commit, so a crash leaves all
// of a change or none of it.
//
//   "ct/" "db/" ...   the catalog's records, see gateway/catalog/catalog_codec.h
//   "pt/" id:uint64   partition records, see partition_record.h
//   "ow/" id:uint64   which node of a cluster has a partition, see ownership_record.h
//   "id/" name        the last id handed out, uint64
//   "tr/" id:uint64   partitions to trim, see node_state.h
//   "fmt"             the format version
//   "cv"              how often the catalog was changed
//   "term"            how many managers a cluster has had
//
// There is one, in one small engine (local_system_store.h); other nodes of a cluster have a copy of
// it in memory (system_replica.h) and send their changes to the node that has it.
//
// Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cluster/system/system_change.h"

namespace orrery::storage {
class EngineResources;
}

namespace orrery::cluster {

class SystemStore {
 public:
  using Change = SystemChange;

  // The one in an engine at `path`. kUnavailable when another process has it open; kCorruption or
  // kUnsupported when the directory is damaged or was written by a newer version.
  static Result<std::unique_ptr<SystemStore>> Open(storage::EngineResources& resources,
                                                   const std::string& path);

  virtual ~SystemStore() = default;

  // Durable on return, and known to all nodes. kMoved: what it expected is not so, nothing was
  // changed. After another error the outcome is unknown, and nothing more is committed until
  // Reopen() has succeeded.
  virtual Status Commit(Change change) = 0;

  // Why nothing is committed any more; nothing while all is well.
  virtual std::optional<Error> Failure() const = 0;
  // Opens the store anew from its files and takes back what of a failed commit had reached them: as
  // far as anybody was told, it did not happen. Until it succeeds, reads may be refused with
  // kUnavailable. One call at a time; not from inside ForEach.
  virtual Status Reopen() = 0;

  virtual Result<std::optional<std::string>> Get(std::string_view key) const = 0;
  using Visit = std::function<Status(std::string_view key, std::string_view value)>;
  // Every entry whose key begins with `prefix`, in key order.
  virtual Status ForEach(std::string_view prefix, const Visit& visit) const = 0;

  // The next unused id of a sequence; noted in `change`: when that commits, this id and all handed
  // out before are never handed out again, and without it not by this process. Changes may commit
  // in another order than they took their ids.
  virtual Result<uint64_t> NextId(std::string_view sequence, Change& change) = 0;
};

}  // namespace orrery::cluster
