// The sample graphs of Apache TinkerPop, as the documents that a graph's container holds
// (docs/format/documents.md): what tutorials and the steps' own documentation are written for.
//
// Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"

namespace orrery::cli {

// "modern", "classic", "crew".
std::span<const std::string_view> SampleGraphNames();

struct SampleGraph {
  std::vector<model::Document> vertices;
  std::vector<model::Document> edges;
};

// `partition_key`: the property that is the container's. "_pk" is that of graphs without one of
// their user's, where the id decides; any other one gets the label of the vertex.
// kNotFound if there is no such graph.
Result<SampleGraph> MakeSampleGraph(std::string_view name, std::string_view partition_key);

}  // namespace orrery::cli
