// An ItemMover brings single items of one container to where they belong in another, which may have
// another partition key: an item of the target is known by the key that it has in the source, which
// its document says.
//
// Whatever is given twice, or late, does no harm: what is there already is compared, and an item of
// the target is replaced or removed only while it is the same item's. Two items of the source that
// would be one in the target are a collision; while both are there, neither takes the other's place.
//
// Thread-safe; both containers' writes come from one move only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/request_context.h"
#include "base/status.h"
#include "gateway/gateway.h"

namespace orrery::gateway {

// An item of the source, or that it is not there.
struct MovedItem {
  item::ItemKey key;  // in the source
  std::optional<model::Document> document;
  Micros time{0};                           // of its last write
  std::vector<model::Document> former = {};  // versions that may be in the target
};

class ItemMover {
 public:
  // `gateway` must outlive it. `stop` is asked while the throughput of a container is waited for.
  ItemMover(Gateway& gateway, ContainerRef source, ContainerRef target, RequestContext stop);

  const ContainerEntry& source() const { return *source_; }
  const ContainerEntry& target() const { return *target_; }

  // Makes the target agree with the item. kAlreadyExists: a collision, or a unique key of the
  // target is another item's; maybe only until that one has been followed, too. kTooLarge,
  // kInvalidArgument, kPartitionFull: it does not fit into the target.
  Status Move(const MovedItem& item);
  // The same with the item as it is in the source now.
  Status MoveNow(const item::ItemKey& key, std::vector<model::Document> former = {});
  // Writes many that are most likely not there yet, together. Returns those that need Move, as
  // places in `items`.
  Result<std::vector<size_t>> Create(const std::vector<MovedItem>& items);

  // Reads an item of the source. Its time is 0 if it is not there.
  Result<MovedItem> ReadSource(const item::ItemKey& key);
  // The key that a document has in the source, and in the target.
  Result<item::ItemKey> SourceKeyOf(model::DocumentView document) const;
  Result<item::ItemKey> TargetKeyOf(model::DocumentView document) const;
  // Says which item it is, for messages.
  std::string Describe(model::DocumentView document) const;
  // Removes what the target has at a place if it is this item's.
  Status RemoveIf(const item::ItemKey& target, const item::ItemKey& source);

 private:
  struct Occupant {
    Lsn lsn;
    Micros time{0};
    model::Document document;
  };

  Result<item::ItemKey> KeyOf(const ContainerEntry& container, model::DocumentView document) const;
  Result<std::optional<Occupant>> ReadTarget(const item::ItemKey& key);
  Result<std::optional<Occupant>> Read(const ContainerRef& container, const item::ItemKey& key);
  Status Put(const MovedItem& item, const item::ItemKey& place);
  // Returns whether the source has another item, there now, that belongs at `place`.
  Result<bool> Belongs(const Occupant& occupant, const item::ItemKey& place);
  // Waits for as long as the error asks; kCancelled when the move is to stop.
  Status WaitFor(const Error& throttled) const;
  WriteRequest RequestOf(const MovedItem& item) const;

  Gateway& gateway_;
  const ContainerRef source_;
  const ContainerRef target_;
  const RequestContext stop_;
};

}  // namespace orrery::gateway
