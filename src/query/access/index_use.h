// An IndexUse tells whoever tunes a container's indexing policy which indexes a query uses, and
// which others would serve it.
//
//   a path            "/name/?", "/tags/[]/?"
//   a composite one   {"/name ASC", "/age DESC"}
//   a full-text one   "/text", as a policy names it
//   a spatial one     "/location/*"
//   a vector one      "/embedding"
//
// Pure.
#pragma once

#include <string>
#include <vector>

#include "query/access/access_path.h"
#include "query/predicate/conditions.h"

namespace orrery::query {

struct IndexUse {
  using Composite = std::vector<std::string>;

  std::vector<std::string> used;
  std::vector<Composite> used_composite;
  std::vector<std::string> potential;
  std::vector<Composite> potential_composite;
};

// `path`: what was chosen for the conditions. Potential are the indexes of paths that conditions
// and the order name and the policy leaves out, full-text, spatial and vector ones of what is
// searched in that way, and composite ones over several conditions of equal values (and a range),
// or over the order, that the container does not have.
IndexUse IndexUseOf(const Conditions& conditions, const AccessPath& path,
                    const item::ContainerSchema& schema);

}  // namespace orrery::query
