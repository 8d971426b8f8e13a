// "Did you mean ...?": the known name that a mistyped one is nearest to.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace orrery::cli {

// nullopt when nothing is near enough to be worth a guess. Case, and '-' against '_', cost nothing.
std::optional<std::string> NearestName(std::string_view typed, std::span<const std::string> known);

// "; did you mean '--cache-mb'?", or nothing. `prefix` is put before the suggested name.
std::string DidYouMean(std::string_view typed, std::span<const std::string> known,
                       std::string_view prefix = "");

}  // namespace orrery::cli
