// Steps along edges: out, in, both, outE, inE, bothE, outV, inV, bothV, otherV, to, toE, toV.
#include <algorithm>
#include <unordered_map>

#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

enum class Ways : uint8_t { kOut, kIn, kBoth };

Ways WaysOf(std::string_view direction) {
  return direction == "OUT" ? Ways::kOut : direction == "IN" ? Ways::kIn : Ways::kBoth;
}

std::unexpected<Error> NotA(std::string_view wanted, const Step& step, const Value& value) {
  return Fail(Code::kInvalidArgument,
              step.name + "() can only be applied to a " + std::string(wanted) + ", not to " +
                  std::string(TypeName(value.type())) + " " + ToText(value));
}

using Places = std::unordered_map<ElementKey, std::vector<size_t>, ElementKeyHash>;

// Edges of vertices, or the vertices at their other ends: one look-up for a whole batch.
class AdjacentOperator final : public BatchOperator {
 public:
  AdjacentOperator(Run& run, const Step& step, const Pipeline& pipeline, Ways ways, bool edges,
                   std::vector<std::string> labels)
      : BatchOperator(run, step, pipeline),
        ways_(ways),
        edges_(edges),
        labels_(std::move(labels)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    std::vector<ElementKey> keys;
    Places places;
    for (size_t i = 0; i < in.size(); ++i) {
      if (in[i].value.type() != Type::kVertex) return NotA("Vertex", step(), in[i].value);
      ElementKey key = in[i].value.AsVertex()->key();
      std::vector<size_t>& at = places[key];
      if (at.empty()) keys.push_back(std::move(key));
      at.push_back(i);
    }
    // For each traverser, in their order: its edges, and which end is the other one.
    std::vector<std::vector<std::pair<std::shared_ptr<const Edge>, bool>>> found(in.size());
    for (const Ways way : {Ways::kOut, Ways::kIn}) {
      if (ways_ != way && ways_ != Ways::kBoth) continue;
      const bool out_way = way == Ways::kOut;
      ORRERY_ASSIGN(
          const auto edges,
          run().graph().EdgesOf(keys, out_way ? EdgeDirection::kOut : EdgeDirection::kIn, labels_));
      for (const auto& edge : edges) {
        const auto at = places.find((out_way ? edge->out : edge->in).key());
        if (at == places.end()) continue;
        for (const size_t i : at->second) found[i].emplace_back(edge, out_way);
      }
    }
    if (edges_) {
      for (size_t i = 0; i < in.size(); ++i) {
        for (const auto& [edge, ignored] : found[i]) {
          ORRERY_ASSIGN(Traverser moved, run().Moved(in[i], Value(edge)));
          out.push_back(std::move(moved));
        }
      }
      return {};
    }
    return GiveVertices(in, found, out);
  }

 private:
  template <typename Found>
  Status GiveVertices(const Batch& in, const Found& found, Batch& out) {
    std::vector<ElementKey> keys;
    std::unordered_map<ElementKey, size_t, ElementKeyHash> known;
    std::vector<size_t> indexes;  // of each edge's vertex, in the edges' order
    for (const auto& edges : found) {
      for (const auto& [edge, out_way] : edges) {
        ElementKey key = (out_way ? edge->in : edge->out).key();
        const auto [at, is_new] = known.try_emplace(std::move(key), keys.size());
        if (is_new) keys.push_back(at->first);
        indexes.push_back(at->second);
      }
    }
    ORRERY_ASSIGN(const auto vertices, run().graph().GetVertices(keys));
    // Traversers that are alike are counted together.
    const bool merges =
        !run().plan().tracks_path && run().plan().bulks && !run().plan().sack.has_value();
    std::unordered_map<uint64_t, size_t> merged;
    auto next_index = indexes.begin();
    for (size_t i = 0; i < in.size(); ++i) {
      for (size_t each = 0; each < found[i].size(); ++each) {
        const size_t index = *next_index++;
        if (vertices[index] == nullptr) continue;
        const bool can_merge = merges && in[i].loops.empty();
        if (can_merge) {
          const uint64_t which = uint64_t{in[i].tag} << 32 | index;
          const auto [at, is_new] = merged.emplace(which, out.size());
          if (!is_new) {
            out[at->second].bulk += in[i].bulk;
            continue;
          }
        }
        ORRERY_ASSIGN(Traverser moved, run().Moved(in[i], Value(vertices[index])));
        out.push_back(std::move(moved));
      }
    }
    return {};
  }

  const Ways ways_;
  const bool edges_;
  const std::vector<std::string> labels_;
};

// The vertices at the ends of edges.
class EndOperator final : public BatchOperator {
 public:
  EndOperator(Run& run, const Step& step, const Pipeline& pipeline, Ways ways, bool other)
      : BatchOperator(run, step, pipeline), ways_(ways), other_(other) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    std::vector<ElementKey> keys;
    std::vector<size_t> owners;
    for (size_t i = 0; i < in.size(); ++i) {
      if (in[i].value.type() != Type::kEdge) return NotA("Edge", step(), in[i].value);
      const Edge& edge = *in[i].value.AsEdge();
      if (other_) {
        ORRERY_ASSIGN(const ElementKey came, CameFrom(in[i]));
        owners.push_back(i);
        keys.push_back(edge.out.key() == came ? edge.in.key() : edge.out.key());
        continue;
      }
      if (ways_ != Ways::kIn) {
        owners.push_back(i);
        keys.push_back(edge.out.key());
      }
      if (ways_ != Ways::kOut) {
        owners.push_back(i);
        keys.push_back(edge.in.key());
      }
    }
    ORRERY_ASSIGN(const auto vertices, run().graph().GetVertices(keys));
    for (size_t i = 0; i < keys.size(); ++i) {
      if (vertices[i] == nullptr) continue;
      ORRERY_ASSIGN(Traverser moved, run().Moved(in[owners[i]], Value(vertices[i])));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  // The vertex before the edge on the path.
  Result<ElementKey> CameFrom(const Traverser& traverser) const {
    for (const PathNode* node = traverser.path.get(); node != nullptr; node = node->parent.get()) {
      if (node->value.type() == Type::kVertex) return node->value.AsVertex()->key();
    }
    return Fail(
        Code::kInvalidArgument,
        "The path history of the traverser does not contain a previous vertex: otherV() must "
        "follow an edge that was reached from a vertex");
  }

  const Ways ways_;
  const bool other_;
};

}  // namespace

MadeOperator MakeMoveOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  if (name == "outV") return std::make_unique<EndOperator>(run, step, pipeline, Ways::kOut, false);
  if (name == "inV") return std::make_unique<EndOperator>(run, step, pipeline, Ways::kIn, false);
  if (name == "bothV")
    return std::make_unique<EndOperator>(run, step, pipeline, Ways::kBoth, false);
  if (name == "otherV")
    return std::make_unique<EndOperator>(run, step, pipeline, Ways::kBoth, true);
  size_t first_label = 0;
  Ways ways = Ways::kOut;
  bool edges = name.ends_with('E');
  if (name == "to" || name == "toE" || name == "toV") {
    if (step.args.empty() || !step.args.front().is_enum("Direction"))
      return Fail(Code::kInvalidArgument, name + "() takes a Direction first");
    ways = WaysOf(step.args.front().AsEnum().name);
    if (name == "toV") return std::make_unique<EndOperator>(run, step, pipeline, ways, false);
    edges = name == "toE";
    first_label = 1;
  } else if (name == "out" || name == "outE") {
    ways = Ways::kOut;
  } else if (name == "in" || name == "inE") {
    ways = Ways::kIn;
  } else if (name == "both" || name == "bothE") {
    ways = Ways::kBoth;
  } else {
    return nullptr;
  }
  std::vector<std::string> labels;
  for (size_t i = first_label; i < step.args.size(); ++i) {
    if (step.args[i].is_null()) continue;
    if (step.args[i].is_collection()) {
      for (const Value& label : step.args[i].AsItems()) labels.push_back(ToText(label));
      continue;
    }
    if (!step.args[i].is_string())
      return Fail(Code::kInvalidArgument, name + "() takes labels of edges as strings");
    labels.push_back(step.args[i].AsString());
  }
  return std::make_unique<AdjacentOperator>(run, step, pipeline, ways, edges, std::move(labels));
}

}  // namespace orrery::gremlin
