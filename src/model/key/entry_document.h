// An EntryDocument makes of an index's entry what it says of its document: the value at the path of
// the index, the partition key and the row key, each as the key codec has it.
//
// Only of indexes that have one value of each document. Immutable, so thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/path/path.h"
#include "model/value.h"

namespace orrery::model {

class EntryDocument {
 public:
  struct Paths {
    std::vector<Path> partition_key;
    Path row_key;
    Path value;  // where the index has its values from
  };
  // `cut`: of values of so many bytes the index may not have all.
  EntryDocument(Paths paths, size_t cut) : paths_(std::move(paths)), cut_(cut) {}

  // Returns an object with these values; nullopt if the entry does not say them all: its value is
  // cut, or written in another way than it was stored.
  std::optional<Value> Of(std::string_view partition_key, std::string_view row_key,
                          std::string_view value) const;

 private:
  const Paths paths_;
  const size_t cut_;
};

}  // namespace orrery::model
