#include "api/gremlin/executor/operator.h"

#include <algorithm>
#include <array>

#include "api/gremlin/executor/families.h"
#include "api/gremlin/planner/step_text.h"

namespace orrery::gremlin {

class Pipeline::StartOperator final : public Operator {
 public:
  using Operator::Operator;
  void Feed(Batch starts) { starts_ = std::move(starts); }

 protected:
  Result<bool> Produce(Batch& out) override {
    if (starts_.empty()) return false;
    std::ranges::move(starts_, std::back_inserter(out));
    starts_.clear();
    return true;
  }

 private:
  Batch starts_;
};

Result<bool> Operator::MeasuredAdvance(Batch& out) {
  const size_t before = out.size();
  const Micros began = run_.clock().Monotonic();
  ORRERY_ASSIGN(const bool any, Advance(out));
  profile_->inclusive += run_.clock().Monotonic() - began;
  for (size_t i = before; i < out.size(); ++i) {
    ++profile_->traversers;
    profile_->elements += out[i].bulk;
  }
  return any;
}

Result<bool> Operator::Advance(Batch& out) {
  const size_t before = out.size();
  ORRERY_ASSIGN(const bool any, Produce(out));
  if (!step_.labels.empty() && !looks_labels_up_) {
    for (size_t i = before; i < out.size(); ++i) Run::AddLabels(out[i], step_.labels);
  }
  ORRERY_TRY(run_.Check(out.size() - before));
  return any;
}

Result<bool> Operator::Pull(Batch& in) { return input_->Next(in); }

Result<Batch> Operator::PullAll() {
  Batch all;
  while (true) {
    const size_t before = all.size();
    ORRERY_ASSIGN(const bool any, Pull(all));
    if (!any) return all;
    ORRERY_TRY(run_.Keep(all.size() - before));
  }
}

Result<bool> BatchOperator::Produce(Batch& out) {
  const size_t before = out.size();
  while (!done()) {
    Batch in;
    ORRERY_ASSIGN(const bool any, Pull(in));
    if (!any) return false;
    ORRERY_TRY(Process(std::move(in), out));
    if (out.size() > before) return true;
  }
  return false;
}

Result<bool> BarrierOperator::Produce(Batch& out) {
  if (feeding_ == pipeline().feedings()) return false;
  feeding_ = pipeline().feedings();
  ORRERY_ASSIGN(Batch all, PullAll());
  const size_t before = out.size();
  const size_t kept = all.size();
  ORRERY_TRY(Gather(std::move(all), out));
  run().Release(kept);
  return out.size() > before;
}

namespace {

// Says why a step is not available.
Error Refusal(const Step& step) {
  static constexpr std::string_view kComputing[] = {
      "pageRank", "peerPressure", "connectedComponent", "shortestPath", "program"};
  if (std::ranges::find(kComputing, step.name) != std::end(kComputing)) {
    return {Code::kUnsupported,
            "VertexComputing steps must be executed with a GraphComputer, which is not available "
            "here: " +
                step.name + "() is not supported; repeat() with limits explores a graph instead"};
  }
  if (step.name == "io" || step.name == "read" || step.name == "write") {
    return {Code::kUnsupported,
            "io() is not supported: the server reads and writes no files for its clients; load "
            "graphs with addV() and addE(), or as documents through the SQL API"};
  }
  return {Code::kUnsupported, "the step " + step.name + "() is not supported" +
                                  (step.args.empty() ? "" : " with these arguments")};
}

}  // namespace

Result<std::unique_ptr<Pipeline>> Pipeline::Make(Run& run, const Traversal& traversal) {
  static const Step kStart{.name = "start"};
  static constexpr auto kFamilies = std::to_array<OperatorFamily>(
      {MakeCountOperator,    MakeSourceOperator, MakeMoveOperator,       MakeFilterOperator,
       MakeRangeOperator,    MakeMapOperator,    MakePathOperator,       MakeReduceOperator,
       MakeGroupOperator,    MakeBranchOperator, MakeRepeatOperator,     MakeSideEffectOperator,
       MakeMutationOperator, MakeMergeOperator,  MakeTextOperator,       MakeListOperator,
       MakeTreeOperator,     MakeMatchOperator,  MakeConversionOperator, MakeProfileOperator});
  std::unique_ptr<Pipeline> pipeline(new Pipeline());
  const bool is_measured = run.plan().profiles && &traversal == &run.plan().traversal;
  auto start = std::make_unique<StartOperator>(run, kStart, *pipeline);
  pipeline->start_ = start.get();
  pipeline->operators_.push_back(std::move(start));
  for (const Step& step : traversal.steps) {
    std::unique_ptr<Operator> made;
    for (const OperatorFamily family : kFamilies) {
      ORRERY_ASSIGN(made, family(run, step, *pipeline));
      if (made != nullptr) break;
    }
    if (made == nullptr) return Fail(Refusal(step));
    made->input_ = pipeline->operators_.back().get();
    if (is_measured && step.name != "profile" && step.name != "executionProfile")
      made->profile_ = &run.profile().Add(StepText(step));
    pipeline->operators_.push_back(std::move(made));
  }
  return pipeline;
}

void Pipeline::Feed(Batch starts) {
  tags_.clear();
  for (const Traverser& start : starts) {
    if (tags_.empty() || tags_.back() != start.tag) tags_.push_back(start.tag);
  }
  std::ranges::sort(tags_);
  const auto repeated = std::ranges::unique(tags_);
  tags_.erase(repeated.begin(), repeated.end());
  ++feedings_;
  start_->Feed(std::move(starts));
}

Result<bool> Pipeline::Next(Batch& out) { return operators_.back()->Next(out); }

Result<Batch> Pipeline::RunAll(Batch starts) {
  Feed(std::move(starts));
  Batch out;
  while (true) {
    ORRERY_ASSIGN(const bool any, Next(out));
    if (!any) return out;
  }
}

}  // namespace orrery::gremlin
