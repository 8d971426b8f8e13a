// The access policies that a table stores, by which shared access signatures can be changed and
// withdrawn later: at most five, kept with the table in the catalog.
//
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::table {

inline constexpr size_t kPoliciesMax = 5;
inline constexpr size_t kPolicyIdBytesMax = 64;

// Parts that the client left out stay left out.
struct AccessPolicy {
  std::string id{};
  bool has_policy = false;  // an identifier may have no AccessPolicy at all
  std::optional<std::string> start{};
  std::optional<std::string> expiry{};
  std::optional<std::string> permission{};

  friend bool operator==(const AccessPolicy&, const AccessPolicy&) = default;
};

// As they are kept in the `extra` document of a container. Other fields there are others' and stay.
std::vector<AccessPolicy> KeptPolicies(const std::optional<model::Document>& extra);
model::Document WithPolicies(const std::optional<model::Document>& extra,
                             const std::vector<AccessPolicy>& policies);

}  // namespace orrery::table
