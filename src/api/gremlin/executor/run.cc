#include "api/gremlin/executor/run.h"

#include <algorithm>

namespace orrery::gremlin {

Run::Run(const Parts& parts)
    : parts_(parts),
      random_(parts.plan.seed.has_value() ? static_cast<uint64_t>(*parts.plan.seed)
                                          : parts.random_seed) {
  for (const Plan::InitialSideEffect& initial : parts.plan.side_effects)
    side_effects_[initial.key] = {.value = initial.value, .reducer = initial.reducer};
}

Traverser Run::Start(Value value, uint32_t tag) const {
  Traverser traverser{.value = std::move(value), .tag = tag};
  if (parts_.plan.tracks_path)
    traverser.path =
        std::make_shared<const PathNode>(traverser.value, std::vector<std::string>(), nullptr);
  if (parts_.plan.sack.has_value()) traverser.sack = *parts_.plan.sack;
  return traverser;
}

Result<Traverser> Run::Moved(const Traverser& from, Value value) const {
  Traverser traverser{.value = std::move(value),
                      .bulk = from.bulk,
                      .weight = from.weight,
                      .tag = from.tag,
                      .path = {},
                      .loops = from.loops,
                      .sack = from.sack};
  if (!parts_.plan.tracks_path) return traverser;
  if (from.path != nullptr && from.path->length >= parts_.limits.path_length_max) {
    return Fail(Code::kResourceExhausted, "a path has more than " +
                                              std::to_string(parts_.limits.path_length_max) +
                                              " objects: bound repeat() by times() or until()");
  }
  traverser.path =
      std::make_shared<const PathNode>(traverser.value, std::vector<std::string>(), from.path);
  return traverser;
}

void Run::AddLabels(Traverser& traverser, const std::vector<std::string>& labels) {
  if (traverser.path == nullptr || labels.empty()) return;
  std::vector<std::string> all = traverser.path->labels;
  for (const std::string& label : labels) {
    if (std::ranges::find(all, label) == all.end()) all.push_back(label);
  }
  traverser.path = std::make_shared<const PathNode>(traverser.path->value, std::move(all),
                                                    traverser.path->parent);
}

Status Run::Check(size_t made) {
  moves_ += made;
  if (moves_ > parts_.limits.moves_max) {
    return Fail(Code::kResourceExhausted, "the traversal has made more than " +
                                              std::to_string(parts_.limits.moves_max) +
                                              " moves: bound repeat() by times() or limit()");
  }
  return parts_.context.Check();
}

Status Run::Keep(size_t traversers) {
  kept_ += traversers;
  if (kept_ <= parts_.limits.kept_max) return {};
  return Fail(Code::kResourceExhausted,
              "Query exceeded memory limit. Traversers kept: " + std::to_string(kept_) +
                  ", Max: " + std::to_string(parts_.limits.kept_max));
}

}  // namespace orrery::gremlin
