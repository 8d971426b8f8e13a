// An ObjectStore in one namespace of a pool of a Ceph cluster, through librados.
//
// Each store is a client of the cluster by itself, with an address of its own: two stores in one
// process are fenced separately. Every operation ends within Options::operation_timeout, also while
// the cluster cannot serve; an operation that ran out of time is kUnavailable, and if it was a
// write it may still have been applied.
//
// Attributes whose names begin with "lock." belong to locks and are not shown.
//
// Thread-safe. Watches must be destroyed before their store, and not by their own callback. The
// destructor waits for what was submitted.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "storage/rados/object/cluster_facts.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

class LibradosStore final : public ObjectStore {
 public:
  struct Options {
    std::string conf;             // path of a ceph.conf
    std::string user = "orrery";  // without "client."
    std::string pool = "orrery";
    std::string name_space;  // empty: the pool's nameless one
    std::chrono::seconds connect_timeout{10};
    // Longer than the cluster needs to give up a hung OSD, or one such OSD would fail writes.
    std::chrono::seconds operation_timeout{30};
  };
  // Blocks up to the timeout. Checks that the pool is there and that the user may do all that a
  // store does; each message says what to do. Copies are another matter: see CheckCopies.
  //   kInvalidArgument  the configuration is missing or not one
  //   kUnavailable      no monitor answers
  //   kNotFound         no such pool
  //   kForbidden        unknown user, wrong key, too few capabilities
  static Result<std::unique_ptr<LibradosStore>> Connect(const Options& options);
  ~LibradosStore() override;

  void Submit(std::string_view object, ObjectWrite write, Done done) override;
  void SubmitRead(std::string_view object, uint64_t offset, size_t bytes, ReadDone done) override;
  Result<ObjectStat> Stat(std::string_view object) override;
  Result<std::map<std::string, std::string>> Attributes(std::string_view object) override;
  Result<EntryPage> Entries(std::string_view object, std::string_view after, size_t count) override;
  Result<NamePage> List(std::string_view cursor, size_t count) override;

  Status Lock(std::string_view object, std::string_view name, std::string_view cookie,
              std::chrono::milliseconds duration) override;
  Status RenewLock(std::string_view object, std::string_view name, std::string_view cookie,
                   std::chrono::milliseconds duration) override;
  Status Unlock(std::string_view object, std::string_view name, std::string_view cookie) override;
  Status BreakLock(std::string_view object, std::string_view name,
                   const LockHolder& holder) override;
  Result<std::optional<LockHolder>> HolderOf(std::string_view object,
                                             std::string_view name) override;

  std::string Address() const override;
  // The entry stays for kBlocklistTime; until then the process must have noticed.
  Status Blocklist(const std::string& address) override;
  static constexpr std::chrono::hours kBlocklistTime{24};

  Result<std::unique_ptr<Watch>> StartWatch(std::string_view object, Heard heard) override;
  // Patience is counted in whole seconds, at least one.
  Status Notify(std::string_view object, std::string_view payload,
                std::chrono::milliseconds patience) override;

  // The traffic since the store was opened: operations that change something, and the bytes of
  // data, entries and attributes in them. Each is stored as often as the pool has copies.
  struct Traffic {
    uint64_t writes = 0;
    uint64_t written_bytes = 0;
  };
  Traffic traffic() const;

  // Returns how many more bytes fit into the pool, as the monitors reported lately; nullopt when
  // they have not. Never blocks.
  std::optional<uint64_t> FreeBytes() const;
  // Asks them for it; what they say is good for kFreeBytesLast.
  Status LookForFreeBytes();
  static constexpr std::chrono::seconds kFreeBytesLast{30};

  // Ask the monitors; each is a round trip.
  Result<PoolFacts> Pool();
  Result<ClusterFacts> Cluster();
  // The OSDs that have the object, or would have it.
  Result<std::vector<uint32_t>> CopiesOf(std::string_view object);

 private:
  struct Rep;
  explicit LibradosStore(std::unique_ptr<Rep> rep);

  const std::unique_ptr<Rep> rep_;
};

}  // namespace orrery::storage::rados
