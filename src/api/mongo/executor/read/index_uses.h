// IndexUses are told which indexes of which collections are read. Implementations are thread-safe.
#pragma once

#include <string_view>

namespace orrery::mongo {

class IndexUses {
 public:
  virtual ~IndexUses() = default;
  // `collection` is "db.name"; `index` is empty for a scan of the whole collection.
  virtual void CountIndexUse(std::string_view collection, std::string_view index) = 0;
};

}  // namespace orrery::mongo
