// A GraphDirectory finds the graphs that requests name: containers of documents, in any database.
//
//   g                       the default graph, made at its first use: `g` in the database `graphs`
//   friends                 a graph of the database `graphs`
//   social.friends          a graph of another database
//   /dbs/social/colls/friends   the same, as Cosmos DB's clients say it
//
// Thread-safe. The catalog must outlive it. Making the default graph blocks.
#pragma once

#include <string>
#include <string_view>

#include "api/gremlin/graph/graph_store.h"
#include "gateway/catalog/catalog.h"

namespace orrery::gremlin {

inline constexpr std::string_view kGraphDatabase = "graphs";
inline constexpr std::string_view kDefaultGraph = "g";

struct GraphRef {
  gateway::ContainerRef container;
  GraphRules rules;
};

class GraphDirectory {
 public:
  explicit GraphDirectory(gateway::Catalog& catalog) : catalog_(catalog) {}

  // kNotFound if there is none; kInvalidArgument for containers that cannot be graphs.
  Result<GraphRef> Find(std::string_view name) const;
  // The same, but the default graph is not made. Does not block.
  Result<GraphRef> FindExisting(std::string_view name) const;

 private:
  Result<GraphRef> Default() const;
  Result<GraphRef> At(std::string_view database, std::string_view container) const;

  gateway::Catalog& catalog_;
};

}  // namespace orrery::gremlin
