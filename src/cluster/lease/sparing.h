// When the store did not answer for a while every lease has run out, and nobody is dead for that.
// Whoever finds a lease like that by a look that took longer than kSlowLook leaves it alone for
// kSpared: its holder, who waited for the same store, renews it now.
#pragma once

#include <chrono>

namespace orrery::cluster {

inline constexpr std::chrono::milliseconds kSlowLook{500};
inline constexpr std::chrono::milliseconds kSpared{2'000};

}  // namespace orrery::cluster
