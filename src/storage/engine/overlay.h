// An Overlay is a set of changes that lies over an engine in memory: entries that are put or
// removed for whoever reads through it, and for nobody else.
//
// Not thread-safe; many may read while nobody applies.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "storage/batch.h"
#include "storage/iterator.h"

namespace orrery::storage {

class Overlay {
 public:
  // nullopt: the key is removed.
  using Changes = std::map<std::string, std::optional<std::string>, std::less<>>;

  // Adds the changes of a batch, in their order. kUnsupported when it merges or removes a range:
  // then some of it may have been added.
  Status Apply(const Batch& batch);

  // By key; each has what was said of it last.
  const Changes& changes() const { return changes_; }
  bool empty() const { return changes_.empty(); }
  // About the memory that it takes.
  size_t bytes() const { return bytes_; }

  // Returns an iterator over `below`, which has the bounds of `options`, with the changes on top.
  // Both must outlive it, and no changes may be applied while it lives.
  std::unique_ptr<Iterator> Over(std::unique_ptr<Iterator> below, const ScanOptions& options) const;

 private:
  Changes changes_;
  size_t bytes_ = 0;
};

}  // namespace orrery::storage
