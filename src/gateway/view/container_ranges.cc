#include "gateway/view/container_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "gateway/gateway.h"
#include "partition/key/partition_key.h"

namespace orrery::gateway {
namespace {

using partition::HashRange;
using partition::KeyHashing;

constexpr std::string_view kTop = "FF";
constexpr size_t kEpkDigitsMax = 512;
constexpr size_t kComponentDigits = 32;  // of a hierarchical key's EPK

bool IsUpperHex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); });
}

// The first 64 bits that the digits say, zeros where there are none.
uint64_t Leading64(std::string_view digits) {
  std::string padded(digits.substr(0, 16));
  padded.resize(16, '0');
  uint64_t number = 0;
  std::from_chars(padded.data(), padded.data() + padded.size(), number, 16);
  return number;
}

// A second or third level has 32 bits of the ring, without the two that are always zero in an EPK.
// Digits above all EPKs ("FF") are above all of the level.
uint64_t LevelBits(std::string_view digits) {
  const uint64_t bits = Leading64(digits);
  if (bits >> 62 != 0) return uint64_t{1} << 32;
  return bits >> 30;
}

// The least position of a hierarchical key with an EPK at or above `epk`, or of one that agrees
// with it in all that the ring keeps; nullopt when there is none.
std::optional<Hash128> PositionOfMultiHash(std::string_view epk) {
  const auto level = [&](size_t n) {
    const size_t at = n * kComponentDigits;
    return at >= epk.size() ? std::string_view() : epk.substr(at, kComponentDigits);
  };
  const uint64_t high = Leading64(level(0));
  const uint64_t second = LevelBits(level(1));
  const uint64_t third = LevelBits(level(2));
  constexpr uint64_t kLevel = uint64_t{1} << 32;
  const bool carry_second = second == kLevel || (second == kLevel - 1 && third == kLevel);
  if (!carry_second) return Hash128{high, (second << 32) + third};
  if (high == UINT64_MAX) return std::nullopt;
  return Hash128{high + 1, 0};
}

// Nothing behind the last.
std::optional<Hash128> Next(Hash128 position) {
  if (position == Hash128::Max()) return std::nullopt;
  return Hash128{position.low == UINT64_MAX ? position.high + 1 : position.high, position.low + 1};
}

// The position behind all keys that agree with `min` in the levels before the one where `max` is
// above it, and in what the ring keeps of that one.
std::optional<Hash128> BehindLevel(Hash128 at, std::string_view min, std::string_view max) {
  const auto difference = std::ranges::mismatch(min, max);
  const auto level = static_cast<size_t>(difference.in2 - max.begin()) / kComponentDigits;
  if (level > 1) return Next(at);
  const uint64_t second = at.low >> 32;
  if (level == 1 && second < UINT32_MAX) return Hash128{at.high, (second + 1) << 32};
  if (at.high == UINT64_MAX) return std::nullopt;
  return Hash128{at.high + 1, 0};
}

// The least position whose boundary, as EpkHex writes it, is at or above `epk`: EpkHex rises with
// the position, so halving finds it.
std::optional<Hash128> PositionBySearch(KeyHashing hashing, std::string_view epk) {
  const auto at_or_above = [&](Hash128 position) {
    return partition::EpkHex(hashing, position) >= epk;
  };
  if (!at_or_above(Hash128::Max())) return std::nullopt;
  Hash128 low = Hash128::Min();
  Hash128 high = Hash128::Max();
  while (low < high) {
    const Hash128 middle = HashRange::Inclusive(low, high).Midpoint();
    // Midpoint is the first of the upper half: what precedes it is the last of the lower one.
    const Hash128 below{middle.low == 0 ? middle.high - 1 : middle.high, middle.low - 1};
    if (at_or_above(below)) {
      high = below;
    } else {
      low = middle;
    }
  }
  return low;
}

Result<std::optional<Hash128>> PositionOf(const ContainerEntry& container, std::string_view epk) {
  if (epk.size() > kEpkDigitsMax || !IsUpperHex(epk)) {
    return Fail(Code::kInvalidArgument,
                "an effective partition key is upper-case hexadecimal digits, or nothing");
  }
  if (epk.empty()) return Hash128::Min();
  if (epk >= kTop) return std::nullopt;
  if (container.settings.hashing == KeyHashing::kMultiHash) return PositionOfMultiHash(epk);
  return PositionBySearch(container.settings.hashing, epk);
}

// Under kV1 the ring has the beginning of an EPK only, so that a whole one lies behind the boundary
// at its own position: a range that begins there begins with that position.
std::optional<Hash128> IncludingItsKey(const ContainerEntry& container, std::string_view epk,
                                       std::optional<Hash128> position) {
  if (container.settings.hashing != KeyHashing::kV1 || epk.empty()) return position;
  if (position == Hash128::Min()) return position;
  const Hash128 after = position.value_or(Hash128::Max());
  const Hash128 before = position.has_value()
                             ? Hash128{after.low == 0 ? after.high - 1 : after.high, after.low - 1}
                             : after;
  return epk.starts_with(partition::EpkHex(KeyHashing::kV1, before)) ? before : position;
}

}  // namespace

Result<std::vector<ContainerRange>> RangesOf(const Gateway& gateway,
                                             const ContainerEntry& container) {
  const auto topology = gateway.node().topology();
  const auto entries = topology->map->Ranges(container.id);
  if (entries.empty()) {
    return Fail(Code::kNotFound,
                fmt::format("container '{}' is there no more", container.settings.name));
  }
  const KeyHashing hashing = container.settings.hashing;
  const auto epk_at = [&](size_t i) {
    if (i == entries.size()) return std::string(kTop);
    return entries[i].begin_epk.empty() ? partition::EpkHex(hashing, entries[i].range.begin())
                                        : entries[i].begin_epk;
  };
  std::vector<ContainerRange> ranges;
  for (size_t i = 0; i < entries.size(); ++i) {
    ContainerRange range;
    range.partition = entries[i].partition;
    range.range = entries[i].range;
    range.min_epk = epk_at(i);
    range.max_epk = epk_at(i + 1);
    if (const auto* info = topology->map->Find(range.partition); info != nullptr)
      range.ancestry = info->parents;
    if (const auto hosted = topology->Find(range.partition); hosted != nullptr) {
      range.lsn = hosted->sequencer().last_committed();
      const auto totals = hosted->ledger().ByContainer();
      if (const auto mine = totals.find(container.id); mine != totals.end()) {
        range.bytes = static_cast<uint64_t>(std::max<int64_t>(mine->second.bytes, 0));
        range.items = static_cast<uint64_t>(std::max<int64_t>(mine->second.items, 0));
      }
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

std::optional<partition::HashRange> FindRange(const Gateway& gateway,
                                              const ContainerEntry& container,
                                              PartitionId partition) {
  const auto topology = gateway.node().topology();
  const auto entries = topology->map->Ranges(container.id);
  const auto found = std::ranges::find(entries, partition, &partition::RangeEntry::partition);
  if (found == entries.end()) return std::nullopt;
  return found->range;
}

Result<partition::HashRange> RangeOfEpks(const ContainerEntry& container, std::string_view min,
                                         std::string_view max) {
  ORRERY_ASSIGN(auto begin, PositionOf(container, min));
  begin = IncludingItsKey(container, min, begin);
  ORRERY_ASSIGN(auto end, PositionOf(container, max));
  // The ring has the beginnings of a hierarchical key's levels only: a range of one whole key or of
  // one prefix, which clients ask for, may end where it begins.
  if (container.settings.hashing == KeyHashing::kMultiHash && begin.has_value() &&
      end.has_value() && *end <= *begin && min < max)
    end = BehindLevel(*begin, min, max);
  const auto range =
      begin.has_value() ? HashRange::HalfOpen(*begin, end) : std::optional<HashRange>();
  if (!range.has_value()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("from '{}' to '{}' is no range of effective partition keys", min, max));
  }
  return *range;
}

}  // namespace orrery::gateway
