// A Guid names a request in logs and answers: 16 bytes on the wire, of which the first three groups
// are little-endian, and text as everywhere else.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace orrery::sql::direct {

inline constexpr size_t kGuidBytes = 16;

struct Guid {
  std::array<char, kGuidBytes> bytes{};
  friend bool operator==(const Guid&, const Guid&) = default;
};

// Returns "00112233-4455-6677-8899-aabbccddeeff".
std::string GuidText(const Guid& guid);

}  // namespace orrery::sql::direct
