// User-defined functions in one run of a query: udf.f(..).
//
// Each function is compiled once for the run; what all its calls together may take is bounded. A
// call is handed to a thread of the pool and waited for, so the pool must be none whose threads
// wait for queries: stored procedures have another (run/script_executor.h).
//
// For one thread at a time.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "api/sql/evaluate/frame.h"
#include "api/sql/script/definition/script_set.h"
#include "base/clock.h"
#include "base/status.h"
#include "gateway/catalog/catalog_entries.h"
#include "script/program.h"
#include "script/worker_pool.h"

namespace orrery::sql {

class QueryFunctions final : public UserFunctions {
 public:
  struct Limits {
    std::chrono::milliseconds time{5'000};  // of all calls of the run
    size_t result_bytes_max = size_t{2} << 20;
  };

  // `pool` and `clock` must outlive it.
  QueryFunctions(script::WorkerPool& pool, const Clock& clock, gateway::ContainerRef container,
                 ScriptSetRef scripts, const Limits& limits)
      : pool_(pool),
        clock_(clock),
        container_(std::move(container)),
        scripts_(std::move(scripts)),
        limits_(limits) {}

  // kInvalidArgument when there is none of that name, it threw or it went over a limit,
  // with its words; kOverloaded, kCancelled.
  Result<model::Value> Call(std::string_view name, Arguments arguments) override;

 private:
  Result<script::ProgramRef> ProgramOf(std::string_view name);

  script::WorkerPool& pool_;
  const Clock& clock_;
  const gateway::ContainerRef container_;
  const ScriptSetRef scripts_;
  const Limits limits_;
  std::map<std::string, script::ProgramRef, std::less<>> programs_;
  Micros used_{0};
};

}  // namespace orrery::sql
