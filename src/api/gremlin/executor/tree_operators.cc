// tree() as a result, and tree('x') as a side effect.
#include <algorithm>
#include <deque>
#include <map>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"

namespace orrery::gremlin {
namespace {

void Grow(Tree& root, const Values& objects) {
  Tree* tree = &root;
  for (const Value& object : objects) {
    const auto found = std::ranges::find_if(
        tree->branches, [&](const Tree::Branch& branch) { return Equivalent(branch.key, object); });
    if (found == tree->branches.end()) {
      tree->branches.push_back({object, {}});
      tree = &tree->branches.back().children;
    } else {
      tree = &found->children;
    }
  }
}

// Adds the traverser's path, each object as its by() sees it; objects without such a value are left
// out.
Status AddPath(Run& run, const Step& step, const Traverser& traverser, Tree& tree) {
  Values objects;
  for (const PathNode* node = traverser.path.get(); node != nullptr; node = node->parent.get())
    objects.push_back(node->value);
  std::ranges::reverse(objects);
  Values seen;
  for (size_t i = 0; i < objects.size(); ++i) {
    ORRERY_ASSIGN(const Looks looks, LookBy(run, ByAt(step, i), {traverser}, {objects[i]}));
    if (looks.front().has_value()) seen.push_back(*looks.front());
  }
  Grow(tree, seen);
  return {};
}

class TreeOperator final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch in, Batch& out) override {
    std::map<uint32_t, Tree> trees;
    for (const uint32_t tag : pipeline().tags()) trees[tag];
    for (const Traverser& traverser : in)
      ORRERY_TRY(AddPath(run(), step(), traverser, trees[traverser.tag]));
    for (auto& [tag, tree] : trees)
      out.push_back(run().Start(Value(std::make_shared<const Tree>(std::move(tree))), tag));
    return {};
  }
};

class TreeSideEffect final : public Operator {
 public:
  TreeSideEffect(Run& run, const Step& step, const Pipeline& pipeline, std::string key)
      : Operator(run, step, pipeline), key_(std::move(key)) {
    run.side_effects().try_emplace(key_,
                                   SideEffect{.value = Value(std::make_shared<const Tree>())});
  }

 protected:
  Result<bool> Produce(Batch& out) override {
    while (waiting_.empty()) {
      Batch in;
      ORRERY_ASSIGN(const bool any, Pull(in));
      if (!any) return false;
      std::ranges::move(in, std::back_inserter(waiting_));
    }
    Value& value = run().side_effects()[key_].value;
    if (value.type() != Type::kTree)
      return Fail(Code::kInvalidArgument, "the side effect '" + key_ + "' is not a tree");
    Tree tree = value.AsTree();
    // One by one where a later step looks at the tree: each sees what grew up to it.
    const size_t count = run().plan().reads_side_effects ? 1 : waiting_.size();
    ORRERY_TRY(run().Keep(count));
    for (size_t i = 0; i < count; ++i) {
      ORRERY_TRY(AddPath(run(), step(), waiting_.front(), tree));
      out.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    run().side_effects()[key_].value = Value(std::make_shared<const Tree>(std::move(tree)));
    return true;
  }

 private:
  const std::string key_;
  std::deque<Traverser> waiting_;
};

}  // namespace

MadeOperator MakeTreeOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if (step.name != "tree") return nullptr;
  if (step.args.empty()) return std::make_unique<TreeOperator>(run, step, pipeline);
  if (step.args.size() > 1 || !step.args.front().is_string())
    return Fail(Code::kInvalidArgument, "tree() takes the key of a side effect");
  return std::make_unique<TreeSideEffect>(run, step, pipeline, step.args.front().AsString());
}

}  // namespace orrery::gremlin
