// The part of Catalog that gives containers other names.
#include <fmt/format.h>

#include <utility>

#include "gateway/catalog/catalog.h"
#include "gateway/catalog/catalog_codec.h"
#include "gateway/catalog/catalog_drop.h"
#include "gateway/catalog/catalog_persist.h"
#include "gateway/move/move_lock.h"
#include "gateway/move/move_settings.h"

namespace orrery::gateway {

using cluster::SystemStore;
using cluster::ThroughputOwner;
using cluster::TopologyChange;

Result<ContainerRef> Catalog::RenameContainer(std::string_view database, std::string_view container,
                                              std::string_view to_database,
                                              std::string_view to_container, bool replaces) {
  ORRERY_TRY(ValidateName("container", to_container));
  ContainerRef renamed;
  ContainerRef replaced;
  bool stays = false;  // the one that was replaced, for readers of its feed
  {
    MutexLock lock(change_mutex_);
    const auto rename = [&]() REQUIRES(change_mutex_) -> Result<ContainerRef> {
      ORRERY_ASSIGN(const ContainerRef entry, FindContainer(database, container));
      ORRERY_ASSIGN(const DatabaseEntry target, FindDatabase(to_database));
      const auto picture = snapshot();
      replaced = picture->Container(target.id, to_container);
      ORRERY_TRY(CheckNotMoving(system_, *entry));
      if (replaced != nullptr) ORRERY_TRY(CheckNotMoving(system_, *replaced));
      if (replaced != nullptr && MoveScope::IsHere() && replaced->gate->Enter()) {
        replaced->gate->Leave();
        return Fail(Code::kUnavailable, "writers of the container are not held up any more");
      }
      if (replaced == entry) {
        return Fail(Code::kInvalidArgument,
                    fmt::format("container '{}' has that name already", container));
      }
      if (replaced != nullptr && !replaces) {
        return Fail(Code::kAlreadyExists,
                    fmt::format("container '{}' exists already in database '{}'", to_container,
                                to_database));
      }
      if (entry->database != target.id &&
          entry->throughput_owner.kind == ThroughputOwner::Kind::kDatabase) {
        return Fail(Code::kUnsupported,
                    fmt::format("container '{}' lives in the partitions of database '{}', whose "
                                "throughput it shares: copy its items into a new container",
                                container, database));
      }
      ContainerEntry next = *entry;
      ++next.version;
      next.database = target.id;
      next.database_name = target.name;
      next.settings.name = to_container;
      // Whoever still has the former entry goes on in the new one, if its items are at the same
      // keys.
      if (replaced != nullptr && MoveScope::IsHere() &&
          HasSameKeys(replaced->settings, next.settings))
        next.lineage = replaced->lineage;
      ORRERY_TRY(Complete(next));
      SystemStore::Change change;
      change.Put(ContainerRecordKey(next.id), EncodeContainer(next));
      TopologyChange topology;
      CatalogSnapshot shown = picture->Without({entry});
      stays = replaced != nullptr && AddDrop(replaced, topology, change, shown);
      std::vector<CatalogEvent> events = EventOf(CatalogEventKind::kRename, *entry);
      for (CatalogEvent& event : events) {
        event.to_database = next.database_name;
        event.to_name = next.settings.name;
        if (replaced != nullptr) event.replaced = replaced->id;
      }
      const auto shared = std::make_shared<const ContainerEntry>(std::move(next));
      ORRERY_TRY(Commit(topology, std::move(change), shown.With(shared), std::move(events)));
      return shared;
    };
    ORRERY_ASSIGN(renamed, Persist(rename));
    if (replaced != nullptr && !stays &&
        replaced->throughput_owner == ThroughputOwner::Of(replaced->id))
      node_->SetThroughput(replaced->throughput_owner, std::nullopt);
  }
  // Nothing is acknowledged by the container that was replaced once its name means another.
  if (replaced != nullptr) {
    replaced->gate->Close();
    replaced->gate->WaitUntilEmpty();
  }
  return renamed;
}

}  // namespace orrery::gateway
