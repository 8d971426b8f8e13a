#include "script/sandbox.h"

#include <js/CallAndConstruct.h>
#include <js/Promise.h>
#include <jsfriendapi.h>

#include <utility>

#include "script/lru_map.h"
#include "script/spidermonkey/compile.h"
#include "script/spidermonkey/context.h"
#include "script/spidermonkey/exception.h"
#include "script/spidermonkey/from_script.h"
#include "script/spidermonkey/host_bridge.h"
#include "script/spidermonkey/realm.h"
#include "script/spidermonkey/to_script.h"

namespace orrery::script {
namespace {

// Calls between looks at how much garbage there is.
constexpr uint32_t kCallsPerLook = 256;

// A promise's reactions that are still queued after a failure would run in somebody else's run:
// they are begun, and end at once because the run has ended.
void DiscardJobs(Context& context) {
  context.End(Reason::kThrown);
  js::RunJobs(context.cx());
  JS_ClearPendingException(context.cx());
}

// Takes the result of a promise. False with an exception pending, or with budget.exceeded set when
// it is still pending and nothing is left that could settle it.
bool Settle(JSContext* cx, OutputBudget& budget, JS::MutableHandleValue value) {
  if (!value.isObject()) return true;
  JS::RootedObject object(cx, &value.toObject());
  if (!JS::IsPromiseObject(object)) return true;
  switch (JS::GetPromiseState(object)) {
    case JS::PromiseState::Pending:
      budget.exceeded = true;
      JS_ReportErrorASCII(cx, "the script returned a promise that nothing will settle");
      return false;
    case JS::PromiseState::Rejected: {
      JS::RootedValue reason(cx, JS::GetPromiseResult(object));
      JS_SetPendingException(cx, reason);
      return false;
    }
    case JS::PromiseState::Fulfilled:
      value.set(JS::GetPromiseResult(object));
      return true;
  }
  return true;
}

// The failure of a finished run, whose realm is still entered.
Failure Conclude(Context& context, const OutputBudget& budget) {
  Failure failure = TakeFailure(context.cx());
  if (budget.exceeded && failure.reason == Reason::kThrown) {
    failure.reason = Reason::kResult;
    failure.code = Code::kTooLarge;
  }
  DiscardJobs(context);
  if (failure.reason == Reason::kMemory) context.Collect();
  return failure;
}

RunState LimitedRun(const Limits& limits, const Clock& clock) {
  RunState run;
  run.limits = limits;
  run.deadline = clock.Monotonic() + limits.time;
  return run;
}

// Calls the function and lets the promises it left behind react. `arguments` are values or data.
template <typename Arguments>
bool CallFunction(JSContext* cx, const CompiledFunction& compiled, const Arguments& arguments,
                  JS::MutableHandleValue returned) {
  JS::RootedValueVector values(cx);
  if (!values.resize(arguments.size())) return false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!ToScript(cx, arguments[i], values[i])) return false;
  }
  JS::RootedValue function(cx);
  if (!Instantiate(cx, compiled, &function) ||
      !JS::Call(cx, JS::UndefinedHandleValue, function, values, returned)) {
    return false;
  }
  js::RunJobs(cx);
  return !Context::Of(cx).run()->ended.has_value();
}

bool CallBack(JSContext* cx, HostBridge& bridge) {
  for (size_t calls = 0; bridge.has_pending(); ++calls) {
    if (calls >= kCallbacksRunMax) {
      JS_ReportErrorASCII(cx, "the script was called back too often");
      return false;
    }
    if (!bridge.CallNext()) return false;
    js::RunJobs(cx);
    if (Context::Of(cx).run()->ended.has_value()) return false;
  }
  return true;
}

RunReport Refused(Failure failure) {
  RunReport report;
  report.outcome = std::unexpected(std::move(failure));
  return report;
}

}  // namespace

class Sandbox::Rep {
 public:
  struct Entry {
    ProgramRef program;  // keeps the key's address from being used again
    CompiledFunction function;
  };

  Rep(std::unique_ptr<Context> context, const SandboxOptions& options)
      : context_(std::move(context)),
        realms_(options.realms_max),
        entries_(options.functions_max) {}

  Context& context() { return *context_; }
  JSContext* cx() { return context_->cx(); }

  // The program compiled in its domain's realm. Not under the time limit: nothing of a user runs.
  Outcome<const CompiledFunction*> Prepare(const ProgramRef& program) {
    if (std::unique_ptr<Entry>* found = entries_.Find(program.get())) return &(*found)->function;
    RunState run;
    RunScope scope(*context_, run);
    JS::RootedObject realm(cx(), FrozenRealm(program->domain));
    if (realm == nullptr) return std::unexpected(TakeSetupFailure(cx()));
    JSAutoRealm entered(cx(), realm);
    auto entry = std::make_unique<Entry>();
    if (!Compile(cx(), *program, entry->function)) {
      return std::unexpected(InUsersColumns(TakeCompileFailure(cx()), entry->function));
    }
    entry->program = program;
    return &entries_.Insert(program.get(), std::move(entry), [](const Program*) {})->function;
  }

  void CountCall() {
    if (++calls_ % kCallsPerLook == 0) context_->MaybeCollect();
  }

 private:
  using Realm = std::unique_ptr<JS::PersistentRootedObject>;

  JSObject* FrozenRealm(const std::string& domain) {
    if (const Realm* found = realms_.Find(domain)) return (*found)->get();
    JS::RootedObject global(cx(), NewFrozenRealm(*context_));
    if (global == nullptr) return nullptr;
    const auto forget_functions = [this](const std::string& old) {
      entries_.EraseIf([&old](const auto& entry) { return entry->program->domain == old; });
    };
    realms_.Insert(domain, std::make_unique<JS::PersistentRootedObject>(cx(), global),
                   forget_functions);
    return global;
  }

  std::unique_ptr<Context> context_;
  LruMap<std::string, Realm> realms_;
  LruMap<const Program*, std::unique_ptr<Entry>> entries_;
  uint32_t calls_ = 0;
};

Sandbox::Sandbox(Engine&, const Clock& clock, Watchdog& watchdog, SandboxOptions options)
    : clock_(clock), watchdog_(watchdog), options_(options) {}

Sandbox::~Sandbox() = default;

Outcome<Sandbox::Rep*> Sandbox::Start() {
  if (cancelled_.load(std::memory_order_relaxed)) {
    return std::unexpected(MakeFailure(Reason::kCancelled, "the server is stopping"));
  }
  if (rep_ == nullptr) {
    auto context = Context::Create(clock_, watchdog_, cancelled_, options_);
    if (context == nullptr) {
      return std::unexpected(
          MakeFailure(Reason::kMemory, "there is no memory for a JavaScript context"));
    }
    rep_ = std::make_unique<Rep>(std::move(context), options_);
  }
  return rep_.get();
}

Outcome<void> Sandbox::Check(const ProgramRef& program) {
  Outcome<Rep*> rep = Start();
  if (!rep.has_value()) return std::unexpected(std::move(rep).error());
  auto compiled = (*rep)->Prepare(program);
  if (!compiled.has_value()) return std::unexpected(std::move(compiled).error());
  return {};
}

Outcome<model::Value> Sandbox::Call(const ProgramRef& program,
                                    std::span<const model::Value> arguments, const Limits& limits) {
  Outcome<Rep*> rep = Start();
  if (!rep.has_value()) return std::unexpected(std::move(rep).error());
  auto compiled = (*rep)->Prepare(program);
  if (!compiled.has_value()) return std::unexpected(std::move(compiled).error());

  Context& context = (*rep)->context();
  JSContext* cx = context.cx();
  (*rep)->CountCall();
  RunState run = LimitedRun(limits, clock_);
  RunScope scope(context, run);
  JS::RootedObject global(cx, JS::GetNonCCWObjectGlobal((*compiled)->function));
  JSAutoRealm realm(cx, global);
  OutputBudget budget;
  budget.bytes_left = limits.result_bytes_max;
  JS::RootedValue returned(cx);
  Outcome<model::Value> outcome;
  if (!CallFunction(cx, **compiled, arguments, &returned) || !Settle(cx, budget, &returned) ||
      !FromScript(cx, returned, budget, *outcome)) {
    outcome = std::unexpected(InUsersColumns(Conclude(context, budget), **compiled));
  }
  return outcome;
}

RunReport Sandbox::Run(const ProgramRef& program, std::span<const Datum> arguments, Host* host,
                       DatumForm form, const Limits& limits) {
  Outcome<Rep*> rep = Start();
  if (!rep.has_value()) return Refused(std::move(rep).error());
  Context& context = (*rep)->context();
  JSContext* cx = context.cx();
  context.MaybeCollect();
  RunState run = LimitedRun(limits, clock_);
  RunScope scope(context, run);
  JS::RootedObject global(cx, NewFreshRealm(context));
  if (global == nullptr) return Refused(TakeSetupFailure(cx));
  JSAutoRealm realm(cx, global);
  Host no_host;
  HostBridge bridge(cx, host != nullptr ? *host : no_host);
  run.host = &bridge;

  OutputBudget budget;
  budget.bytes_left = limits.result_bytes_max;
  RunReport report;
  CompiledFunction compiled;
  JS::RootedValue returned(cx);
  if (!bridge.RunPrelude()) {
    report.outcome = std::unexpected(Conclude(context, budget));
  } else if (!Compile(cx, *program, compiled)) {
    report.outcome = std::unexpected(InUsersColumns(TakeCompileFailure(cx), compiled));
  } else if (!CallFunction(cx, compiled, arguments, &returned) || !CallBack(cx, bridge) ||
             !Settle(cx, budget, &returned) ||
             !FromScript(cx, returned, form, budget, *report.outcome)) {
    report.outcome = std::unexpected(InUsersColumns(Conclude(context, budget), compiled));
  }
  run.host = nullptr;
  report.log = std::move(run.log);
  report.log_is_cut = run.log_is_cut;
  return report;
}

size_t Sandbox::LiveBytes() {
  Outcome<Rep*> rep = Start();
  if (!rep.has_value()) return 0;
  (*rep)->context().Collect();
  return (*rep)->context().HeapBytes();
}

}  // namespace orrery::script
