#include "query/access/spatial_path.h"

#include <algorithm>
#include <string>

#include "model/key/key_codec.h"
#include "model/spatial/cell_cover.h"
#include "query/access/named_index.h"

namespace orrery::query {
namespace {

std::vector<ValueRange> RangesOf(const model::CellSearch& search, model::Order order) {
  const auto encode = [order](const std::string& cell) {
    const model::Value value = model::Value::String(cell);
    return model::EncodeKey({&value, 1}, order);
  };
  // The beginning of the cells within it, too.
  const auto begin_of = [&](const std::string& cell) {
    std::string encoded = encode(cell);
    encoded.resize(encoded.size() - 2);  // the end of the text
    return encoded;
  };
  std::vector<ValueRange> ranges;
  for (const std::string& cell : search.above)
    ranges.push_back({{{encode(cell), true}}, {{encode(cell), true}}});
  for (const model::CellSearch::Run& run : search.runs)
    ranges.push_back(
        {{{begin_of(run.first), true}}, {{item::PrefixEnd(begin_of(run.last)), false}}});
  std::ranges::sort(ranges, {}, [](const ValueRange& range) { return range.lower->encoded; });
  return ranges;
}

}  // namespace

std::optional<IndexPath> SpatialPathOf(const std::vector<ShapeCondition>& conditions,
                                       const item::ContainerSchema& schema) {
  std::optional<IndexPath> best;
  size_t best_length = 0;
  for (const ShapeCondition& condition : conditions) {
    const auto index = FindNamedIndex(schema, item::IndexKind::kQuadtreeCells, condition.path);
    if (!index.has_value()) continue;
    const auto search = model::CellsToFind(condition.shape, condition.metres);
    if (!search.has_value() || search->runs.front().first.size() <= best_length) continue;
    best_length = search->runs.front().first.size();
    best = IndexPath{
        .paths = {condition.path}, .index = *index, .ranges = RangesOf(*search, schema.order)};
    best->kind = item::IndexKind::kQuadtreeCells;
    best->is_named = true;
  }
  return best;
}

}  // namespace orrery::query
