#include "item/read/index_bounds.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "item/index/index_terms.h"
#include "model/key/key_codec.h"

namespace orrery::item {
namespace {

std::optional<ValueBound> Cut(std::optional<ValueBound> bound, bool is_whole) {
  if (!is_whole && bound.has_value() && bound->encoded.size() >= kIndexValueBytesMax) {
    bound->encoded.resize(kIndexValueBytesMax);
    bound->inclusive = true;
  }
  return bound;
}

// Returns whether stored values that begin with `encoded` are equal to it, not merely longer.
bool IsWholeValue(const IndexPolicy& policy, IndexId index, std::string_view encoded) {
  if (encoded.size() >= kIndexValueBytesMax) return true;
  const auto named = std::ranges::find_if(policy.named(), [index](const NamedIndex& candidate) {
    return NamedIndexId(candidate.id) == index;
  });
  if (named == policy.named().end() || named->paths.size() == 1) return true;
  ByteReader reader(encoded);
  for (size_t i = 0; i < named->paths.size(); ++i)
    if (!model::ReadKey(reader, named->direction(i)).has_value()) return false;
  return reader.empty();
}

}  // namespace

std::vector<ValueInterval> CutIntervals(const IndexPolicy& policy, const IndexRange& range) {
  const bool is_whole = policy.KeepsWhole(range.index);
  std::vector<ValueInterval> intervals = {{Cut(range.lower, is_whole), Cut(range.upper, is_whole)}};
  for (const ValueInterval& interval : range.further)
    intervals.push_back({Cut(interval.lower, is_whole), Cut(interval.upper, is_whole)});
  return intervals;
}

bool IsWithin(const ValueInterval& interval, std::string_view value) {
  if (interval.lower.has_value()) {
    const std::string& lower = interval.lower->encoded;
    if (value < lower || (!interval.lower->inclusive && value.starts_with(lower))) return false;
  }
  if (interval.upper.has_value()) {
    const std::string& upper = interval.upper->encoded;
    if (value >= upper && !(interval.upper->inclusive && value.starts_with(upper))) return false;
  }
  return true;
}

bool IsOneValue(const IndexPolicy& policy, IndexId index, const ValueInterval& interval) {
  return interval.lower.has_value() && interval.upper.has_value() && interval.lower->inclusive &&
         interval.upper->inclusive && interval.lower->encoded == interval.upper->encoded &&
         IsWholeValue(policy, index, interval.lower->encoded);
}

KeyBounds PartitionBounds(const ScanRequest& request, ContainerId container) {
  const std::string prefix =
      LogicalPartitionPrefix(Space::kData, container, request.hash, *request.partition_key);
  KeyBounds bounds{prefix, PrefixEnd(prefix)};
  if (request.row_key_lower.has_value()) bounds.lower += *request.row_key_lower;
  if (request.row_key_upper.has_value()) bounds.upper = prefix + *request.row_key_upper;
  return bounds;
}

KeyBounds BoundsOfOneValue(const ScanRequest& request, std::string prefix,
                           const partition::HashRange& range) {
  if (request.partition_key.has_value()) {
    request.hash.AppendTo(prefix);
    prefix += *request.partition_key;
    KeyBounds bounds{prefix, PrefixEnd(prefix)};
    if (request.row_key_lower.has_value()) bounds.lower += *request.row_key_lower;
    if (request.row_key_upper.has_value()) bounds.upper = prefix + *request.row_key_upper;
    return bounds;
  }
  std::string lower = prefix;
  range.begin().AppendTo(lower);
  const auto end = range.end();
  if (!end.has_value()) return {std::move(lower), PrefixEnd(std::move(prefix))};
  end->AppendTo(prefix);
  return {std::move(lower), std::move(prefix)};
}

KeyBounds IndexBounds(const ScanRequest& request, IndexId index, const ValueInterval& interval,
                      const ContainerSchema& schema, const partition::HashRange& range) {
  const std::string prefix = IndexPrefix(schema.id, index);
  if (IsOneValue(schema.indexing, index, interval)) {
    return BoundsOfOneValue(request, prefix + interval.lower->encoded, range);
  }
  KeyBounds bounds{prefix, PrefixEnd(prefix)};
  if (interval.lower.has_value()) {
    bounds.lower += interval.lower->encoded;
    if (!interval.lower->inclusive) bounds.lower = PrefixEnd(std::move(bounds.lower));
  }
  if (interval.upper.has_value()) {
    bounds.upper = prefix + interval.upper->encoded;
    if (interval.upper->inclusive) bounds.upper = PrefixEnd(std::move(bounds.upper));
  }
  return bounds;
}

bool IsWanted(const ScanRequest& request, const DecodedKey& key,
              const partition::HashRange& range) {
  if (!range.Contains(key.hash)) return false;
  if (!request.partition_key.has_value()) return true;
  if (key.hash != request.hash || key.partition_key != *request.partition_key) return false;
  if (request.row_key_lower.has_value() && key.row_key < *request.row_key_lower) return false;
  return !request.row_key_upper.has_value() || key.row_key < *request.row_key_upper;
}

}  // namespace orrery::item
