// How a change of the catalog is made although other nodes, or splits, may be faster. Internal to
// catalog/.
#pragma once

#include <chrono>
#include <thread>

#include "gateway/catalog/catalog.h"

namespace orrery::gateway {

// How often a change is made anew.
inline constexpr int kChangeAttemptsMax = 64;
inline constexpr std::chrono::milliseconds kChangePause{20};

template <typename Make>
std::invoke_result_t<Make> Catalog::Persist(Make make) {
  for (int attempt = 1;; ++attempt) {
    auto made = make();
    if (made.has_value() || made.error().code() != Code::kMoved) return made;
    if (attempt == kChangeAttemptsMax) {
      return Fail(Code::kUnavailable,
                  "other changes of the catalog or of partitions were faster each time; retry");
    }
    // What was faster is published already, or will be in a moment.
    std::this_thread::sleep_for(attempt < 3 ? std::chrono::milliseconds(0) : kChangePause);
  }
}

}  // namespace orrery::gateway
