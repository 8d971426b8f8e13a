// The fixture that tests of this folder share: the process's one engine, a clock that runs out, a
// sandbox. Included by tests and fuzz targets only.
#pragma once

#include <atomic>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "model/document/json.h"
#include "model/value.h"
#include "script/engine.h"
#include "script/sandbox.h"
#include "script/watchdog.h"

namespace orrery::model {

inline void PrintTo(const Value& value, std::ostream* out) {
  *out << KindName(value.kind()) << " " << ToJson(value);
}

}  // namespace orrery::model

namespace orrery::script {

inline void PrintTo(const Outcome<model::Value>& outcome, std::ostream* out) {
  if (outcome.has_value()) return model::PrintTo(*outcome, out);
  *out << "failure " << outcome.error().ToError().ToString() << "\n" << outcome.error().stack;
}

// The library allows one engine a process.
inline Engine& TestEngine() {
  static const std::unique_ptr<Engine> engine = [] {
    auto started = Engine::Start();
    ORRERY_CHECK(started.has_value());
    return *std::move(started);
  }();
  return *engine;
}

// Each look at it costs ten milliseconds: a script that runs for long is over its limit after so
// many interrupts, however fast or slow the machine is.
class SteppingClock final : public Clock {
 public:
  Micros Now() const override { return Monotonic(); }
  Micros Monotonic() const override { return Micros(now_.fetch_add(10'000)); }

 private:
  mutable std::atomic<int64_t> now_ = 0;
};

struct SandboxForTest {
  explicit SandboxForTest(const SandboxOptions& options = {})
      : sandbox(TestEngine(), clock, watchdog, options) {}

  Outcome<model::Value> Call(const ProgramRef& program, std::vector<model::Value> arguments = {},
                             const Limits& limits = {}) {
    return sandbox.Call(program, arguments, limits);
  }

  // The body of a function without parameters, called once.
  Outcome<model::Value> Do(std::string body, const Limits& limits = {}) {
    return Call(Body({}, std::move(body)), {}, limits);
  }

  static ProgramRef Make(Form form, std::vector<std::string> parameters, std::string source,
                         std::string domain = "test") {
    Program program;
    program.form = form;
    program.parameters = std::move(parameters);
    program.source = std::move(source);
    program.name = "f";
    program.domain = std::move(domain);
    auto made = MakeProgram(std::move(program));
    ORRERY_CHECK(made.has_value());
    return *made;
  }
  static ProgramRef Body(std::vector<std::string> parameters, std::string source) {
    return Make(Form::kBody, std::move(parameters), std::move(source));
  }
  static ProgramRef Function(std::string source) {
    return Make(Form::kFunction, {}, std::move(source));
  }

  SteppingClock clock;
  Watchdog watchdog;
  Sandbox sandbox;
};

}  // namespace orrery::script
