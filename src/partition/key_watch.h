// A KeyWatch is told of entries that mutations write, before they are stored.
//
// Called on the sequencer's turn to evaluate, one call at a time. What it is told may never be
// stored: a mutation can still fail, and so can its group.
#pragma once

#include <string_view>

namespace orrery::partition {

class KeyWatch {
 public:
  virtual ~KeyWatch() = default;
  virtual void OnPut(std::string_view key) = 0;
};

}  // namespace orrery::partition
