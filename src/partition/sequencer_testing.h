// A ScriptedMutation is a mutation whose work is a function of the test.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "partition/sequencer.h"

namespace orrery::partition {

class ScriptedMutation : public Mutation {
 public:
  using Body = std::function<Status(GroupWriter&)>;
  ScriptedMutation(Body body, std::promise<Result<Lsn>> outcome)
      : body_(std::move(body)), outcome_(std::move(outcome)) {}
  Status Evaluate(GroupWriter& writer) override { return body_(writer); }
  void Complete(std::unique_ptr<Mutation>, Result<Lsn> outcome) override {
    outcome_.set_value(std::move(outcome));
  }
  size_t bytes() const override { return 100; }

 private:
  Body body_;
  std::promise<Result<Lsn>> outcome_;
};

// Returns a mutation that does `body`; its outcome arrives at `outcome`.
inline std::unique_ptr<Mutation> Scripted(ScriptedMutation::Body body,
                                          std::future<Result<Lsn>>& outcome) {
  std::promise<Result<Lsn>> promise;
  outcome = promise.get_future();
  return std::make_unique<ScriptedMutation>(std::move(body), std::move(promise));
}

inline ScriptedMutation::Body PutBody(std::string key, std::string value) {
  return [=](GroupWriter& writer) -> Status {
    writer.Put(key, value);
    return {};
  };
}

}  // namespace orrery::partition
