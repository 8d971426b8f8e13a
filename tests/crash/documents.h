// The items that the tests write. Everything in one follows from its key, its token and its base,
// so that whoever reads it back can tell whether it is whole.
//
//   {"id":..., "pk":..., "token":..., "base":..., "bucket":0-9, "padding":..., "ttl":seconds?}
//
// "bucket" follows from the token: queries by index ask for it. "padding" follows from the base.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "crash/history.h"
#include "model/document/document.h"

namespace orrery::crash {

inline constexpr int kBuckets = 10;
int BucketOf(std::string_view token);

std::string DocumentJson(const Key& key, std::string_view token,
                         std::optional<uint32_t> ttl_s = std::nullopt);
// [{"op":"set",...}]: to a new token, the base stays.
std::string PatchJson(std::string_view token);

struct ParsedDocument {
  Key key;
  Value value;
  std::optional<uint32_t> ttl_s;
};
// kCorruption when it is not an item that DocumentJson or PatchJson made.
Result<ParsedDocument> ParseDocument(model::DocumentView document);

}  // namespace orrery::crash
