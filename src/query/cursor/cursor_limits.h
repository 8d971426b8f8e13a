// CursorLimits bound what a CursorRegistry keeps, in all and for each owner of cursors.
#pragma once

#include <chrono>
#include <cstddef>

#include "base/clock.h"

namespace orrery::query {

struct CursorLimits {
  size_t cursors_max = 10'000;
  size_t cursors_of_owner_max = 1'000;
  size_t bytes_max = size_t{256} << 20;
  size_t bytes_of_owner_max = size_t{64} << 20;
  // The time that an unused cursor is kept.
  Micros idle_max = std::chrono::minutes(10);
};

}  // namespace orrery::query
