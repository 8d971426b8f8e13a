#include "api/sql/query/run/owner_work.h"

#include <string>
#include <utility>
#include <vector>

#include "api/sql/query/condition/document_paths.h"
#include "api/sql/query/condition/filter_finder.h"
#include "api/sql/query/source/seen_properties.h"

namespace orrery::sql {
namespace {

std::shared_ptr<const model::Projection> ProjectionOf(const OwnerWorkInput& input,
                                                      bool is_filtered) {
  const SeenPart part = is_filtered ? SeenPartWithoutFilter(input.tree, input.context.computed)
                                    : SeenPartOf(input.tree, input.context.computed);
  if (part.properties == SeenProperties::kAll) return nullptr;
  std::vector<model::Path> paths;
  for (const std::string& name : part.names)
    paths.push_back(model::Path(std::vector<std::string>{name}));
  if (const query::IndexPath* index = input.path.read_index();
      index != nullptr && index->is_named) {
    for (const item::NamedIndex& named : input.context.schema->indexing.named())
      if (item::NamedIndexId(named.id) == index->index)
        paths.insert(paths.end(), named.paths.begin(), named.paths.end());
  }
  return std::make_shared<const model::Projection>(std::move(paths));
}

// Has owners make groups, if they can do all that comes before.
void AddGroups(const OwnerWorkInput& input, bool is_whole, OwnerWork& work) {
  const auto& entries = input.path.index_only;
  // The documents of an index union are listed anew for each page.
  const bool is_listed = input.pauses && !input.path.index_union.empty();
  if (!input.may_group || !is_whole || input.gathers_ties || is_listed ||
      (entries.has_value() && (!entries->is_covering || entries->is_one_entry)))
    return;
  work.groups = GroupingOf(input.tree, input.bound, input.context);
  if (!work.groups.has_value() || !entries.has_value()) return;
  std::vector<std::string> steps;
  for (const query::DocumentPath::Step& step : entries->path.steps) steps.push_back(step.name);
  work.entry_path = model::Path(std::move(steps));
}

}  // namespace

OwnerWork OwnerWorkOf(const OwnerWorkInput& input) {
  OwnerWork work;
  // A page among the nearest compares everything anyway.
  if (input.path.nearest.has_value()) return work;
  const ast::Query& reader = *ReaderOf(input.tree);
  bool is_whole = !reader.where.has_value();
  if (!input.gathers_ties || !input.pauses) {
    FoundFilter found = FilterOf(reader, input.context);
    is_whole = is_whole || found.is_whole;
    work.filter = std::move(found.filter);
  }
  if (&reader == &input.tree) AddGroups(input, is_whole, work);
  if (work.groups.has_value()) {
    work.is_filtered = true;
    return work;
  }
  // Entries of an index are asked elsewhere (entry_condition.h).
  if (input.path.index_only.has_value()) return work;
  work.is_filtered = is_whole && &reader == &input.tree;
  work.projection = ProjectionOf(input, work.is_filtered);
  return work;
}

}  // namespace orrery::sql
