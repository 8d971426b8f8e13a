// The question who holds a unique claim, asked of the owner of its partition (kFindHolder).
//
//   question := hash claim:bytes                ; transaction/unique_claims.h
//   answer   := row_key:maybe                   ; encoded; absent when the claim is free
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/hash128.h"
#include "base/status.h"

namespace orrery::gateway {

struct HolderQuestion {
  Hash128 hash;  // of the partition key
  std::string claim;
};

std::string EncodeHolderQuestion(const HolderQuestion& question);
Result<HolderQuestion> DecodeHolderQuestion(std::string_view bytes);

std::string EncodeHolder(const std::optional<std::string>& row_key);
Result<std::optional<std::string>> DecodeHolder(std::string_view bytes);

}  // namespace orrery::gateway
