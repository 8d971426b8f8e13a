// A KeyWatch is told of what mutations write, before it is stored, and when it has been.
//
// OnPut and OnStore are called on the sequencer's turn to evaluate, OnSeal by a worker that has
// both turns, OnWritten on the turn to write: no two of the first three run at once. What it is
// told of may never be stored: a mutation can still fail after OnPut, and a group after OnStore.
#pragma once

#include <optional>
#include <string_view>

namespace orrery::partition {

class KeyWatch {
 public:
  virtual ~KeyWatch() = default;
  // An entry that no mutation reads, as it is written (GroupWriter::PutWatched).
  virtual void OnPut(std::string_view key) = 0;

  // Returns whether OnStore is to be called. Changes only while the sequencer is paused.
  virtual bool watches_stores() const = 0;
  // For each key of a mutation that was evaluated without an error, with its last value: nullopt if
  // it was removed or merged.
  virtual void OnStore(std::string_view key, std::optional<std::string_view> value) = 0;
  // The group that OnStore was called for goes to the engine: later calls are for the next one.
  virtual void OnSeal() = 0;
  // That group is stored, or is not known to be, and nobody was told yet. Once for each OnSeal, in
  // order.
  virtual void OnWritten(bool durable) = 0;
};

}  // namespace orrery::partition
