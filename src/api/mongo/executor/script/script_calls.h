// ScriptCalls are the JavaScript functions of one command: $where, $function, $accumulator and
// those of mapReduce, called in the sandboxes of src/script.
//
// Each call is by itself: nothing that a function leaves in its variables is there for the next.
// A call may take kCallTimeMax, and not longer than the command. A thread that calls waits for one
// of the pool, whose threads wait for nobody.
//
// Thread-safe. The pool and the clock must outlive it.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/script_runner.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "model/document/document.h"
#include "script/program.h"
#include "script/worker_pool.h"

namespace orrery::mongo {

class ScriptCalls final : public ScriptRunner {
 public:
  static constexpr std::chrono::milliseconds kCallTimeMax{5'000};
  static constexpr size_t kResultBytesMax = size_t{32} << 20;

  // `database` keeps functions of different databases apart. `deadline` is that of the command, by
  // the monotonic clock; of a cursor's later requests the deadline is looked at between the calls.
  ScriptCalls(script::WorkerPool& pool, const Clock& clock, std::string database, Micros deadline)
      : pool_(pool), clock_(clock), database_(std::move(database)), deadline_(deadline) {}

  Answer<model::Value> Call(const std::string& body, std::span<const model::Value> arguments,
                            const model::Value* self) override;
  Answer<model::Value> Fold(const std::string& body, const model::Value& first,
                            std::span<const model::Value> lists) override;

  // Calls `body` on each document and returns the keys and values that it emits. `scope` is an
  // object whose fields functions see as variables.
  using Emitted = std::vector<std::pair<model::Value, model::Value>>;
  Answer<Emitted> Map(const std::string& body, std::span<const model::Document> documents,
                      const model::Value& scope);
  // As Call, with a scope.
  Answer<model::Value> CallIn(const model::Value& scope, const std::string& body,
                              std::span<const model::Value> arguments);

 private:
  Answer<script::ProgramRef> ProgramOf(const std::string& body) EXCLUDES(mutex_);
  // Returns the "v" of the answer.
  Answer<model::Value> Ask(const std::string& body, std::string request);

  script::WorkerPool& pool_;
  const Clock& clock_;
  const std::string database_;
  const Micros deadline_;
  Mutex mutex_;
  std::map<std::string, script::ProgramRef> programs_ GUARDED_BY(mutex_);
};

}  // namespace orrery::mongo
