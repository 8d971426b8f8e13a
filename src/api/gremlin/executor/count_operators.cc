// count(), which keeps no traverser, and V() and E() of which only the number is wanted.
#include <map>

#include "api/gremlin/executor/families.h"

namespace orrery::gremlin {
namespace {

class CountOperator final : public Operator {
 public:
  using Operator::Operator;

 protected:
  Result<bool> Produce(Batch& out) override {
    if (feeding_ == pipeline().feedings()) return false;
    feeding_ = pipeline().feedings();
    std::map<uint32_t, int64_t> counts;
    for (const uint32_t tag : pipeline().tags()) counts[tag];
    while (true) {
      Batch in;
      ORRERY_ASSIGN(const bool any, Pull(in));
      if (!any) break;
      for (const Traverser& traverser : in) counts[traverser.tag] += traverser.bulk;
    }
    for (const auto& [tag, count] : counts) out.push_back(run().Start(Value::Long(count), tag));
    return !counts.empty();
  }

 private:
  uint64_t feeding_ = 0;
};

// Stands for all elements that are asked for: one traverser, as many times as there are elements.
class ElementCountOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    for (Traverser& start : in) {
      ORRERY_ASSIGN(const int64_t count, run().graph().Count(step().query));
      if (count == 0) continue;
      start.bulk *= count;
      out.push_back(std::move(start));
    }
    return {};
  }
};

}  // namespace

MadeOperator MakeCountOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if (step.counts_only) return std::make_unique<ElementCountOperator>(run, step, pipeline);
  const bool is_local = !step.args.empty() && step.args.front().is_enum("Scope", "local");
  if (step.name != "count" || is_local) return nullptr;
  return std::make_unique<CountOperator>(run, step, pipeline);
}

}  // namespace orrery::gremlin
