#include "query/source/entry_filter.h"

#include <string>
#include <utility>
#include <vector>

#include "gateway/position/named_index_values.h"

namespace orrery::query {
namespace {

model::Path PathOfSteps(const DocumentPath& path) {
  std::vector<std::string> steps;
  for (const DocumentPath::Step& step : path.steps) steps.push_back(step.name);
  return model::Path(std::move(steps));
}

}  // namespace

EntryFilter::EntryFilter(const IndexOnlyScan& scan, const item::ContainerSchema& schema,
                         Condition condition)
    : scan_(scan),
      document_({.partition_key = schema.partition_key_paths,
                 .row_key = schema.row_key_path,
                 .value = PathOfSteps(scan.path)},
                gateway::kIndexedBytesMax),
      condition_(std::move(condition)) {}

std::optional<model::Value> EntryFilter::DocumentOf(const item::ItemKey& key,
                                                    std::string_view value) const {
  return document_.Of(key.partition_key, key.row_key, value);
}

}  // namespace orrery::query
