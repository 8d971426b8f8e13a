#include "item/read/index_bounds.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "item/index/index_terms.h"
#include "model/key/key_codec.h"

namespace orrery::item {
namespace {

std::optional<ValueBound> Cut(std::optional<ValueBound> bound) {
  if (bound.has_value() && bound->encoded.size() >= kIndexValueBytesMax) {
    bound->encoded.resize(kIndexValueBytesMax);
    bound->inclusive = true;
  }
  return bound;
}

// Whether stored values that begin with `encoded` are equal to it, not merely longer.
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

IndexRange Cut(const IndexRange& range) {
  return {range.index, Cut(range.lower), Cut(range.upper), range.descending};
}

bool IsOneValue(const IndexPolicy& policy, const IndexRange& range) {
  return range.lower.has_value() && range.upper.has_value() && range.lower->inclusive &&
         range.upper->inclusive && range.lower->encoded == range.upper->encoded &&
         IsWholeValue(policy, range.index, range.lower->encoded);
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

KeyBounds IndexBounds(const ScanRequest& request, const IndexRange& index,
                      const ContainerSchema& schema, const partition::HashRange& range) {
  const std::string prefix = IndexPrefix(schema.id, index.index);
  if (IsOneValue(schema.indexing, index)) {
    return BoundsOfOneValue(request, prefix + index.lower->encoded, range);
  }
  KeyBounds bounds{prefix, PrefixEnd(prefix)};
  if (index.lower.has_value()) {
    bounds.lower += index.lower->encoded;
    if (!index.lower->inclusive) bounds.lower = PrefixEnd(std::move(bounds.lower));
  }
  if (index.upper.has_value()) {
    bounds.upper = prefix + index.upper->encoded;
    if (index.upper->inclusive) bounds.upper = PrefixEnd(std::move(bounds.upper));
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
