// Inserts into capped collections: the room that programs ask for (capped_ring.h).
#include <algorithm>
#include <utility>

#include "api/mongo/executor/write/collection_writer.h"

namespace orrery::mongo {
namespace {

// The looks that find all documents of a collection before these are counted anew.
constexpr int kFullLooksMax = 16;

}  // namespace

Answer<WriteOutcome> CollectionWriter::RunInsert(const CollectionPtr& collection,
                                                 std::vector<model::Document> stored,
                                                 InsertOptions options,
                                                 std::optional<RetryStatements> retry) {
  if (collection->form != DocumentForm::kCapped) {
    return Run(*collection,
               InsertOf(collection, std::move(stored), std::move(options), std::move(retry)));
  }
  auto room = std::make_shared<const RingRoom>();
  int looks = 0;  // that found all documents
  for (int step = 0; step < kRoomStepsMax; ++step) {
    MONGO_TRY(state_->Check());
    options.room = room;
    MONGO_ASSIGN(WriteOutcome outcome,
                 Run(*collection, InsertOf(collection, stored, options, retry)));
    if (outcome.wants == WriteOutcome::Wants::kNothing) return outcome;
    RingRoom found = *room;
    if (outcome.wants == WriteOutcome::Wants::kCount) {
      MONGO_ASSIGN(found.counted, CountRing(collection));
    } else {
      MONGO_ASSIGN(found, FindRoom(collection));
      found.counted = room->counted;
      // There are documents only by the count, time and again.
      if (found.are_all && ++looks > kFullLooksMax) {
        MONGO_ASSIGN(found.counted, CountRing(collection));
        found.replaces = true;
      }
    }
    room = std::make_shared<const RingRoom>(std::move(found));
  }
  return Conflict();
}

Answer<RingState> CollectionWriter::CountRing(const CollectionPtr& collection) {
  CollectionScan scan(
      parts_.gateway,
      {.collection = collection, .filter = nullptr, .rows_wanted = SIZE_MAX, .as_stored = true},
      state_);
  RingState ring;
  while (true) {
    MONGO_ASSIGN(const std::optional<Row> row, scan.Next());
    if (!row.has_value()) return ring;
    ring.Add(CappedSizeOf(row->document));
    ring.next = std::max(ring.next, SequenceOf(row->document) + 1);
  }
}

Answer<RingRoom> CollectionWriter::FindRoom(const CollectionPtr& collection) {
  const size_t wanted = std::max<size_t>(parts_.gateway.limits().batch_operations_max / 2, 1);
  CollectionScan scan(parts_.gateway,
                      {.collection = collection, .filter = nullptr, .rows_wanted = wanted}, state_);
  RingRoom room;
  while (room.oldest.size() < wanted) {
    MONGO_ASSIGN(const std::optional<Row> row, scan.Next());
    if (!row.has_value()) {
      room.are_all = true;
      break;
    }
    room.oldest.push_back(RowKeyOf(row->document, collection->form));
  }
  return room;
}

}  // namespace orrery::mongo
