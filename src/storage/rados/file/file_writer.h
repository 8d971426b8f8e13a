// A FileWriter appends to one file: it buffers, cuts what it has into stripes and stores them, each
// write guarded by the epoch under which its directory is owned.
//
// A full stripe is stored while the file is appended to, up to kStripesInFlightMax of them at a
// time; the rest when Sync asks for it, in one write. No two writes of one stripe are on their way
// at the same time, so that none can be lost before one that is not: the stored bytes of a stripe
// never have a hole.
//
// Errors are sticky: after a write that failed, or of which nobody knows what became of it, no call
// says OK again.
//
// Thread-safe: Append while a Sync waits, reads at any time. Shared by the handles that write and
// read the file; the store must outlive it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/status.h"
#include "storage/rados/directory/directory_entry.h"
#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

class FileWriter : public std::enable_shared_from_this<FileWriter> {
 public:
  // Asks the directory whether it is owned still: see Sync.
  using Confirm = std::function<Status()>;
  // A new file. `confirm` must be callable as long as this lives.
  FileWriter(ObjectStore& store, FileEntry entry, Confirm confirm);

  Status Append(std::string_view bytes) EXCLUDES(mutex_);

  // All that was appended before the call is stored on return, and belongs to the file whoever
  // takes the directory: a former owner's write to a stripe that a new owner has sealed is refused
  // by the store; one that has made a new stripe meanwhile learns of the new owner by `confirm`,
  // after that, and before it promises anything.
  Status Sync() EXCLUDES(mutex_);

  // Makes the file shorter or, with zeros, longer.
  Status Truncate(uint64_t bytes) EXCLUDES(mutex_);

  // Returns the number of appended bytes.
  uint64_t size() const EXCLUDES(mutex_);
  // Returns how many of them are stored for certain.
  uint64_t stored() const EXCLUDES(mutex_);
  std::optional<Error> failure() const EXCLUDES(mutex_);

  // The content of the file at this moment: bytes up to `stored` are in the store, those behind it
  // are given here, as far as they are in [offset, offset + bytes).
  struct Tail {
    uint64_t size = 0;
    uint64_t stored = 0;
    std::string bytes;
  };
  Tail Look(uint64_t offset, size_t bytes) const EXCLUDES(mutex_);

  const FileEntry& entry() const { return entry_; }

 private:
  // Bytes of one stripe, to be stored in one write.
  struct Piece {
    uint64_t offset = 0;
    std::string bytes;
    enum class State { kWaiting, kInFlight, kStored } state = State::kWaiting;
  };

  uint64_t StoredLocked() const REQUIRES(mutex_);
  uint32_t StripeOf(uint64_t offset) const;
  // Makes pieces of the buffer's full stripes; of all of it with `all`.
  void Cut(bool all) REQUIRES(mutex_);
  bool CanStart(const Piece& piece) const REQUIRES(mutex_);
  // Sends what can be sent.
  void Pump() EXCLUDES(mutex_);
  ObjectWrite WriteOf(const Piece& piece) REQUIRES(mutex_);
  // Returns after the next answer; at once when nothing is on its way.
  void AwaitAnswer() REQUIRES(mutex_);
  void Answered(uint64_t offset, Status status) EXCLUDES(mutex_);
  void FailWith(Error error) REQUIRES(mutex_);
  // Waits until everything before `end` is stored.
  Status AwaitStored(uint64_t end) EXCLUDES(mutex_);
  Status CutStored(uint64_t bytes) EXCLUDES(mutex_);

  ObjectStore& store_;
  const FileEntry entry_;
  const Confirm confirm_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Piece> pieces_ GUARDED_BY(mutex_);  // in order, from the first that is not stored
  std::string buffer_ GUARDED_BY(mutex_);        // behind the pieces
  uint64_t buffer_offset_ GUARDED_BY(mutex_) = 0;
  uint32_t in_flight_ GUARDED_BY(mutex_) = 0;
  uint64_t answers_ GUARDED_BY(mutex_) = 0;
  uint32_t stripes_there_ GUARDED_BY(mutex_) = 0;  // the first so many have an object
  // Of the first so many it was asked whether the directory is owned, after they were stored.
  uint32_t stripes_confirmed_ GUARDED_BY(mutex_) = 0;
  std::optional<Error> error_ GUARDED_BY(mutex_);
};

}  // namespace orrery::storage::rados
