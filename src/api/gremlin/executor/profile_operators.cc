// profile(), profile('x') and Cosmos DB's executionProfile().
#include <algorithm>

#include "api/gremlin/executor/families.h"
#include "api/gremlin/planner/step_text.h"

namespace orrery::gremlin {
namespace {

// Runs everything before it, and gives what was measured in place of the results.
class ProfileOperator final : public BarrierOperator {
 public:
  using BarrierOperator::BarrierOperator;

 protected:
  Status Gather(Batch, Batch& out) override {
    Value answer = step().name == "profile" ? run().profile().Metrics()
                                            : run().profile().ExecutionProfile(Program());
    out.push_back(run().Start(std::move(answer), 0));
    return {};
  }

 private:
  std::string Program() const {
    std::string text = "g";
    for (const Step& each : run().plan().traversal.steps) {
      if (&each == &step()) break;
      text += "." + StepText(each);
    }
    return text;
  }
};

// Lets the results through and keeps what was measured under a key.
class ProfileSideEffect final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Result<bool> Produce(Batch& out) override {
    ORRERY_ASSIGN(const bool any, BatchOperator::Produce(out));
    run().side_effects()[step().args.front().AsString()].value = run().profile().Metrics();
    return any;
  }
  Status Process(Batch in, Batch& out) override {
    std::ranges::move(in, std::back_inserter(out));
    return {};
  }
};

}  // namespace

MadeOperator MakeProfileOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if (step.name != "profile" && step.name != "executionProfile") return nullptr;
  if (!step.args.empty()) return std::make_unique<ProfileSideEffect>(run, step, pipeline);
  return std::make_unique<ProfileOperator>(run, step, pipeline);
}

}  // namespace orrery::gremlin
