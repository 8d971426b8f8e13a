// A KeyNaming shows partition keys as users of an API wrote them: the core has them as bytes, and
// only the API knows the types and the names of the columns that they came from.
//
// Each API whose keys are not simply the values at paths of documents implements one; the server
// hands them in. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "gateway/account/key_maker.h"
#include "gateway/catalog/catalog_entries.h"
#include "model/value.h"

namespace orrery::gateway {

class KeyNaming {
 public:
  virtual ~KeyNaming() = default;

  // The names of the columns or paths of the key. Nullopt: the container is another API's.
  virtual std::optional<std::vector<std::string>> ColumnsOf(
      const ContainerEntry& container) const = 0;
  // The values of an encoded key, a JSON array. Nullopt: another API's, or not readable.
  virtual std::optional<std::string> ValuesOf(const ContainerEntry& container,
                                              std::string_view encoded) const = 0;
  // The serialized key (row/row_requests.h) that JSON values mean. REQUIRES: ColumnsOf is of this
  // API. kInvalidArgument for values that are not the key's.
  virtual Result<std::string> Serialize(const ContainerEntry& container,
                                        const model::Values& values) const = 0;
};

// KeyNamings finds the one that knows a container; the paths and values of documents are shown
// without any. Thread-safe; what is added must outlive it.
class KeyNamings {
 public:
  static constexpr size_t kNamingsMax = 4;

  // REQUIRES: fewer than kNamingsMax are there. From one thread.
  void Add(const KeyNaming& naming);

  std::vector<std::string> ColumnsOf(const ContainerEntry& container) const;
  // A JSON array; of a key that nobody can read the bytes, in hex.
  std::string ValuesOf(const ContainerEntry& container, std::string_view encoded) const;
  Result<RoutedKey> Route(const ContainerEntry& container, const model::Values& values,
                          const partition::Limits& limits) const;

 private:
  // Calls `visit` with each until it says that it is done.
  template <typename Visit>
  void Each(Visit visit) const {
    for (const auto& slot : namings_) {
      const KeyNaming* naming = slot.load(std::memory_order_acquire);
      if (naming == nullptr || visit(*naming)) return;
    }
  }

  std::array<std::atomic<const KeyNaming*>, kNamingsMax> namings_{};
};

// Returns the position of an encoded key on the ring; nullopt if the bytes are not a key's.
std::optional<Hash128> RingPositionOf(const ContainerEntry& container, std::string_view encoded);

// Returns the API whose users made the container: "cassandra", "mongo", "table" or "sql". Graphs
// are documents of the SQL API, too.
std::string_view ApiOf(const ContainerEntry& container);

}  // namespace orrery::gateway
