// V(), E() and inject().
#include <algorithm>

#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

constexpr size_t kFirstPage = 32;
constexpr size_t kPageMax = 1'024;

// One element that V() or E() names; without a partition it may be in any.
struct WantedId {
  std::optional<Value> partition;
  std::string id;
};

// V([pk, id]) is a pair where the graph has a partition key, and a list of ids where it has none
// (docs/decisions/0032-gremlin-traversals.md).
Result<std::vector<WantedId>> WantedIds(const Values& args, const GraphRules& rules) {
  std::vector<WantedId> wanted;
  const auto add = [&](const Value& id) -> Status {
    if (id.is_null()) return {};
    if (id.type() == Type::kVertex) {
      const Vertex& vertex = *id.AsVertex();
      wanted.push_back({vertex.partition.is_null() ? std::nullopt : std::optional(vertex.partition),
                        IdText(vertex.id)});
      return {};
    }
    if (id.type() == Type::kEdge) {
      const Edge& edge = *id.AsEdge();
      wanted.push_back({edge.partition.is_null() ? std::nullopt : std::optional(edge.partition),
                        IdText(edge.id)});
      return {};
    }
    if (!IsIdType(id.type())) {
      return Fail(Code::kInvalidArgument,
                  "Expected an id that is convertible to a scalar but received " +
                      std::string(TypeName(id.type())) + " - " + ToText(id));
    }
    wanted.push_back({std::nullopt, IdText(id)});
    return {};
  };
  for (const Value& arg : args) {
    if (!arg.is_collection()) {
      ORRERY_TRY(add(arg));
      continue;
    }
    const Values& items = arg.AsItems();
    const bool is_pair = !rules.partition_is_id && items.size() == 2 && !items[0].is_element() &&
                         IsIdType(items[1].type()) && !items[0].is_collection();
    if (is_pair) {
      wanted.push_back({items[0], IdText(items[1])});
      continue;
    }
    for (const Value& item : items) ORRERY_TRY(add(item));
  }
  if (rules.partition_is_id) {
    for (WantedId& one : wanted) {
      if (!one.partition.has_value()) one.partition = Value::String(one.id);
    }
  }
  return wanted;
}

bool NamesAll(const Values& args) {
  return args.empty() || (args.size() == 1 && args[0].is_collection() && args[0].AsItems().empty());
}

// For each traverser that comes, all elements that are asked for.
class SourceOperator final : public Operator {
 public:
  using Operator::Operator;

 protected:
  Result<bool> Produce(Batch& out) override {
    while (true) {
      if (!cursor_ && pending_.empty()) {
        ORRERY_ASSIGN(const bool more, Begin());
        if (!more) return false;
      }
      if (!pending_.empty()) {
        for (Value& element : std::exchange(pending_, {}))
          ORRERY_TRY(Give(std::move(element), out));
        return true;
      }
      if (!cursor_) continue;  // nothing has the ids that were named
      Values found;
      ORRERY_TRY(cursor_->Next(page_, found));
      page_ = std::min(page_ * 2, kPageMax);
      if (found.empty()) {
        cursor_.reset();
        continue;
      }
      for (Value& element : found) ORRERY_TRY(Give(std::move(element), out));
      return true;
    }
  }

 private:
  ElementKind kind() const {
    return step().name == "V" ? ElementKind::kVertex : ElementKind::kEdge;
  }

  Status Give(Value element, Batch& out) {
    ORRERY_ASSIGN(Traverser moved, run().Moved(current_, std::move(element)));
    if (is_start_) moved.path = run().Start(moved.value, moved.tag).path;
    out.push_back(std::move(moved));
    return {};
  }

  // Takes the next traverser that comes and looks up what is asked for it.
  Result<bool> Begin() {
    if (starts_.empty()) {
      ORRERY_ASSIGN(const bool any, Pull(starts_));
      if (!any) return false;
      std::ranges::reverse(starts_);
    }
    current_ = std::move(starts_.back());
    starts_.pop_back();
    is_start_ = current_.path == nullptr;
    Values args;
    for (size_t i = 0; i < step().args.size(); ++i) args.push_back(step().args[i]);
    ElementQuery query = step().query;
    query.kind = kind();
    page_ = std::clamp<size_t>(step().wanted, 1, kFirstPage);
    if (step().wanted != SIZE_MAX) page_ = std::clamp<size_t>(step().wanted, 1, kPageMax);
    if (!NamesAll(args)) {
      ORRERY_TRY(LookUp(args, query));
      return true;
    }
    if (query.kind == ElementKind::kVertex && query.ids.has_value() &&
        (query.partitions.has_value() || run().graph().rules().partition_is_id)) {
      ORRERY_TRY(LookUpKeys(query));
      return true;
    }
    ORRERY_ASSIGN(cursor_, run().graph().Find(query));
    // What a traversal writes must not meet what it is still reading.
    if (run().plan().mutates) {
      while (true) {
        const size_t before = pending_.size();
        ORRERY_TRY(cursor_->Next(kPageMax, pending_));
        if (pending_.size() == before) break;
        ORRERY_TRY(run().Keep(pending_.size() - before));
      }
      cursor_.reset();
    }
    return true;
  }

  // By keys that the filters name.
  Status LookUpKeys(const ElementQuery& query) {
    std::vector<ElementKey> keys;
    for (const std::string& id : *query.ids) {
      if (run().graph().rules().partition_is_id) {
        keys.push_back({Value::String(id), id});
        continue;
      }
      for (const Value& partition : *query.partitions) keys.push_back({partition, id});
    }
    ORRERY_ASSIGN(const auto vertices, run().graph().GetVertices(keys));
    for (const auto& vertex : vertices) {
      if (vertex != nullptr) pending_.emplace_back(vertex);
    }
    return {};
  }

  Status LookUp(const Values& args, ElementQuery query) {
    ORRERY_ASSIGN(std::vector<WantedId> wanted, WantedIds(args, run().graph().rules()));
    if (query.kind == ElementKind::kVertex && query.partitions.has_value() &&
        query.partitions->size() == 1) {
      for (WantedId& one : wanted) {
        if (!one.partition.has_value()) one.partition = query.partitions->front();
      }
    }
    std::vector<Values> found(wanted.size());
    std::vector<ElementKey> keys;
    std::vector<size_t> places;
    std::vector<std::string> ids;
    std::vector<std::string> anywhere;
    Values partitions;
    bool partitions_known = true;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (query.kind == ElementKind::kVertex && wanted[i].partition.has_value()) {
        keys.push_back({*wanted[i].partition, wanted[i].id});
        places.push_back(i);
        continue;
      }
      anywhere.push_back(wanted[i].id);
      const bool edge_partition =
          wanted[i].partition.has_value() && !run().graph().rules().partition_is_id;
      if (edge_partition) {
        partitions.push_back(*wanted[i].partition);
      } else {
        partitions_known = false;
      }
    }
    if (!keys.empty()) {
      ORRERY_ASSIGN(const auto vertices, run().graph().GetVertices(keys));
      for (size_t i = 0; i < places.size(); ++i) {
        if (vertices[i] != nullptr) found[places[i]].emplace_back(vertices[i]);
      }
    }
    if (!anywhere.empty()) {
      query.ids = anywhere;
      if (partitions_known) query.partitions = partitions;
      ORRERY_ASSIGN(const auto cursor, run().graph().Find(query));
      Values elements;
      while (true) {
        const size_t before = elements.size();
        ORRERY_TRY(cursor->Next(kPageMax, elements));
        if (elements.size() == before) break;
      }
      const bool by_partition = partitions_known;
      for (const Value& element : elements) {
        const std::string id = IdText(*IdOf(element));
        for (size_t i = 0; i < wanted.size(); ++i) {
          if (wanted[i].id != id) continue;
          if (query.kind == ElementKind::kVertex && wanted[i].partition.has_value()) continue;
          if (by_partition && !(ElementKey{*wanted[i].partition, id} == element.AsEdge()->key()))
            continue;
          found[i].push_back(element);
        }
      }
    }
    for (Values& elements : found) std::ranges::move(elements, std::back_inserter(pending_));
    return {};
  }

  Batch starts_;  // the last first
  Traverser current_;
  bool is_start_ = false;
  std::unique_ptr<ElementCursor> cursor_;
  Values pending_;
  size_t page_ = kFirstPage;
};

// In the middle of a traversal: its values come before what it is given, once. At the head of a
// nested one they come behind the first start.
class InjectOperator final : public Operator {
 public:
  InjectOperator(Run& run, const Step& step, const Pipeline& pipeline, bool is_head)
      : Operator(run, step, pipeline), is_head_(is_head) {}

 protected:
  Result<bool> Produce(Batch& out) override {
    if (!run().FirstUse(step())) return Pull(out);
    const uint32_t tag = pipeline().tags().empty() ? 0 : pipeline().tags().front();
    Batch first;
    if (is_head_) {
      ORRERY_ASSIGN(const bool any, Pull(first));
      if (any && !first.empty()) out.push_back(std::move(first.front()));
    }
    for (const Value& value : step().args) out.push_back(run().Start(value, tag));
    for (size_t i = 1; i < first.size(); ++i) out.push_back(std::move(first[i]));
    if (out.empty()) return Pull(out);
    return true;
  }

 private:
  const bool is_head_;
};

// At the head of a whole traversal: the start itself is not given on.
class InjectSourceOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (const Traverser& start : in) {
      for (const Value& value : step().args) out.push_back(run().Start(value, start.tag));
    }
    return {};
  }
};

// Returns whether a step begins the whole traversal, or a branch of the union() that does.
bool BeginsRequest(const Traversal& traversal, const Step& step) {
  if (traversal.steps.empty()) return false;
  const Step& first = traversal.steps.front();
  if (&step == &first) return true;
  return first.name == "union" && std::ranges::any_of(first.children, [&](const Child& child) {
           return child != nullptr && BeginsRequest(*child, step);
         });
}

}  // namespace

MadeOperator MakeSourceOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if (step.name == "V" || step.name == "E")
    return std::make_unique<SourceOperator>(run, step, pipeline);
  if (step.name != "inject") return nullptr;
  if (BeginsRequest(run.plan().traversal, step))
    return std::make_unique<InjectSourceOperator>(run, step, pipeline);
  return std::make_unique<InjectOperator>(run, step, pipeline, pipeline.is_empty());
}

}  // namespace orrery::gremlin
