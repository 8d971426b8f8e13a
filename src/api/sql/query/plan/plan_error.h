// Why a query has no plan.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::sql {

// kUnsupported: only the server can execute it.
inline std::unexpected<Error> OnlyHere(std::string_view what) {
  return Fail(Code::kUnsupported,
              std::string(what) + " cannot be executed partition by partition by a client");
}

// kUnsupported: a value that is made of several aggregates, or of one and something else. The text
// is Azure's.
inline std::unexpected<Error> CompositionOfAggregates() {
  return Fail(
      Code::kUnsupported,
      R"({"Errors":["Compositions of aggregates and other expressions are not allowed."]})");
}

// kUnsupported: this client cannot.
inline std::unexpected<Error> NotUnderstood(std::string_view feature) {
  return Fail(Code::kUnsupported,
              "Query contains 1 or more unsupported features. Upgrade your SDK to a version that "
              "does support the requested features: Query contained " +
                  std::string(feature) + ", which the calling client does not support.");
}

}  // namespace orrery::sql
