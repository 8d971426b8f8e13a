// Retries a change of the catalog while other nodes, or splits, are faster. Internal to catalog/.
#pragma once

#include <chrono>
#include <thread>

#include "gateway/catalog/catalog.h"

namespace orrery::gateway {

// The number of attempts of one change.
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
    // The change that was faster is published already, or will be in a moment.
    std::this_thread::sleep_for(attempt < 3 ? std::chrono::milliseconds(0) : kChangePause);
  }
}

}  // namespace orrery::gateway
