// An Operator runs one step of a traversal: it pulls batches from the operator before it and gives
// batches of its own. A Pipeline is the operators of one traversal.
//
// Starts are fed to a pipeline; what follows from them is pulled out of its end. More can be fed
// when everything was pulled: dedup(), limit() and the like remember what went before, as the body
// of repeat() needs it; barriers begin anew.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "api/gremlin/executor/run.h"

namespace orrery::gremlin {

class Pipeline;

class Operator {
 public:
  Operator(Run& run, const Step& step, const Pipeline& pipeline)
      : run_(run),
        step_(step),
        pipeline_(pipeline),
        looks_labels_up_(step.name == kWhereStart || step.name == kWhereEnd) {}
  virtual ~Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  // Appends traversers to `out`, or returns false: there are no more for now.
  Result<bool> Next(Batch& out) {
    return profile_ == nullptr ? Advance(out) : MeasuredAdvance(out);
  }

 protected:
  virtual Result<bool> Produce(Batch& out) = 0;
  // The next batch of the operator before this one.
  Result<bool> Pull(Batch& in);
  // All that the operator before this one has for now.
  Result<Batch> PullAll();

  Run& run() const { return run_; }
  const Step& step() const { return step_; }
  const Pipeline& pipeline() const { return pipeline_; }

 private:
  friend class Pipeline;

  Result<bool> Advance(Batch& out);
  Result<bool> MeasuredAdvance(Batch& out);

  Run& run_;
  const Step& step_;
  const Pipeline& pipeline_;
  const bool looks_labels_up_;  // the step's labels are not for its results
  Operator* input_ = nullptr;
  StepProfile* profile_ = nullptr;  // null: nothing is measured
};

// An operator that makes of each batch another.
class BatchOperator : public Operator {
 public:
  using Operator::Operator;

 protected:
  Result<bool> Produce(Batch& out) override;
  virtual Status Process(Batch in, Batch& out) = 0;
  // Returns whether nothing that comes can give anything any more.
  virtual bool done() const { return false; }
};

// An operator that reads all of its input first. Called once for each feeding, also without any
// input.
class BarrierOperator : public Operator {
 public:
  using Operator::Operator;

 protected:
  Result<bool> Produce(Batch& out) override;
  virtual Status Gather(Batch in, Batch& out) = 0;

 private:
  uint64_t feeding_ = 0;
};

class Pipeline {
 public:
  // kUnsupported, kInvalidArgument: a step that cannot be run so. `traversal` must outlive it.
  static Result<std::unique_ptr<Pipeline>> Make(Run& run, const Traversal& traversal);

  // REQUIRES: everything of the last feeding was pulled.
  void Feed(Batch starts);
  Result<bool> Next(Batch& out);
  // Feeds, and pulls everything.
  Result<Batch> RunAll(Batch starts);

  // The tags of what was fed last, each once: a reducing step has a result for each.
  const std::vector<uint32_t>& tags() const { return tags_; }
  uint64_t feedings() const { return feedings_; }
  // A filter had no answer for a traverser of this tag, as for 'a' < 1. What has no result and such
  // a filter is neither true nor false for the not(), and() or or() around it.
  void NoteUnknown(uint32_t tag) const { unknown_tags_.insert(tag); }
  const std::set<uint32_t>& unknown_tags() const { return unknown_tags_; }

  // While it is made: whether no step has been added yet.
  bool is_empty() const { return operators_.size() <= 1; }

 private:
  class StartOperator;
  Pipeline() = default;

  std::vector<std::unique_ptr<Operator>> operators_;
  StartOperator* start_ = nullptr;
  std::vector<uint32_t> tags_;
  uint64_t feedings_ = 0;
  mutable std::set<uint32_t> unknown_tags_;
};

// Makes the operator of a step; null if it is none of the family's.
using OperatorFamily = Result<std::unique_ptr<Operator>> (*)(Run&, const Step&, const Pipeline&);

}  // namespace orrery::gremlin
