#include "script/spidermonkey/host_bridge.h"

#include <js/CallAndConstruct.h>
#include <jsfriendapi.h>

#include <exception>
#include <string>
#include <utility>

#include "base/check.h"
#include "script/limits.h"
#include "script/program.h"
#include "script/spidermonkey/compile.h"
#include "script/spidermonkey/context.h"
#include "script/spidermonkey/from_script.h"
#include "script/spidermonkey/text.h"
#include "script/spidermonkey/to_script.h"

namespace orrery::script {
namespace {

constexpr size_t kIndexSlot = 0;

bool IsFunction(JS::HandleValue value) {
  return value.isObject() && JS::IsCallable(&value.toObject());
}

// The engine does not know exceptions: none may pass through it.
Result<Datum> CallBody(HostFunction& function, HostCall& call) {
  try {
    return function.body(call);
  } catch (const std::exception& e) {
    return Fail(Code::kInternal, function.name + " failed: " + e.what());
  }
}

}  // namespace

class HostBridge::Call final : public HostCall {
 public:
  Call(HostBridge& bridge, const JS::CallArgs& args, std::vector<Datum> arguments)
      : HostCall(std::move(arguments)), bridge_(bridge), args_(args) {}

  bool is_callback(size_t index) const override {
    return index < args_.length() && IsFunction(args_[static_cast<unsigned>(index)]);
  }

  Status Later(size_t index, std::vector<Datum> arguments) override {
    ORRERY_CHECK(is_callback(index));
    if (bridge_.pending_.size() >= kCallbacksPendingMax) {
      return Fail(Code::kResourceExhausted, "too many callbacks are waiting");
    }
    auto pending = std::make_unique<Pending>();
    pending->function.init(bridge_.cx_, args_[static_cast<unsigned>(index)]);
    pending->arguments = std::move(arguments);
    bridge_.pending_.push_back(std::move(pending));
    return {};
  }

 private:
  HostBridge& bridge_;
  const JS::CallArgs& args_;
};

HostBridge::HostBridge(JSContext* cx, Host& host) : cx_(cx), host_(host) {
  last_exception_.init(cx);
}

JSObject* HostBridge::NewHostObject() {
  JS::RootedObject object(cx_, JS_NewPlainObject(cx_));
  if (object == nullptr) return nullptr;
  for (size_t i = 0; i < host_.functions.size(); ++i) {
    const char* name = host_.functions[i].name.c_str();
    JSFunction* function = js::NewFunctionWithReserved(cx_, OnCall, 0, 0, name);
    if (function == nullptr) return nullptr;
    JS::RootedObject function_object(cx_, JS_GetFunctionObject(function));
    js::SetFunctionNativeReserved(function_object, kIndexSlot,
                                  JS::Int32Value(static_cast<int32_t>(i)));
    if (!JS_DefineProperty(cx_, object, name, function_object, JSPROP_ENUMERATE)) return nullptr;
  }
  return object;
}

bool HostBridge::RunPrelude() {
  if (host_.prelude.empty()) return true;
  Program program;
  program.form = Form::kFunction;
  program.source = host_.prelude;
  program.name = "prelude";
  CompiledFunction compiled;
  JS::RootedValue function(cx_);
  JS::RootedObject host(cx_, NewHostObject());
  if (host == nullptr || !Compile(cx_, program, compiled) ||
      !Instantiate(cx_, compiled, &function)) {
    return false;
  }
  JS::RootedValueArray<1> arguments(cx_);
  arguments[0].setObject(*host);
  JS::RootedValue ignored(cx_);
  return JS::Call(cx_, JS::UndefinedHandleValue, function, arguments, &ignored);
}

bool HostBridge::OnCall(JSContext* cx, unsigned argc, JS::Value* vp) {
  const JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  const RunState* run = Context::Of(cx).run();
  // Natives are called without asking for interrupts: a run that has ended must not reach the host.
  if (run == nullptr || run->host == nullptr || run->ended.has_value()) return false;
  const int32_t index = js::GetFunctionNativeReserved(&args.callee(), kIndexSlot).toInt32();
  return run->host->Invoke(run->host->host_.functions[static_cast<size_t>(index)], args);
}

bool HostBridge::Invoke(HostFunction& function, const JS::CallArgs& args) {
  OutputBudget budget{.bytes_left = Context::Of(cx_).run()->limits.result_bytes_max};
  std::vector<Datum> arguments(args.length());
  for (unsigned i = 0; i < args.length(); ++i) {
    if (!FromScript(cx_, args[i], function.arguments, budget, arguments[i])) return false;
  }
  Call call(*this, args, std::move(arguments));
  Result<Datum> answer = CallBody(function, call);
  if (!answer.has_value()) return Throw(std::move(answer).error());
  return ToScript(cx_, *answer, args.rval());
}

bool HostBridge::Throw(Error error) {
  JS_ReportErrorUTF8(cx_, "%s", error.message().c_str());
  JS::RootedValue exception(cx_);
  if (!JS_GetPendingException(cx_, &exception) || !exception.isObject()) return false;
  JS_ClearPendingException(cx_);
  JS::RootedObject object(cx_, &exception.toObject());
  JS::RootedString code(cx_, NewScriptString(cx_, CodeName(error.code())));
  if (code == nullptr || !JS_DefineProperty(cx_, object, "code", code, JSPROP_ENUMERATE)) {
    return false;
  }
  last_exception_ = exception;
  last_error_ = std::move(error);
  JS_SetPendingException(cx_, exception);
  return false;
}

bool HostBridge::CallNext() {
  const std::unique_ptr<Pending> next = std::move(pending_.front());
  pending_.pop_front();
  JS::RootedValueVector arguments(cx_);
  if (!arguments.resize(next->arguments.size())) return false;
  for (size_t i = 0; i < next->arguments.size(); ++i) {
    if (!ToScript(cx_, next->arguments[i], arguments[i])) return false;
  }
  JS::RootedValue ignored(cx_);
  return JS::Call(cx_, JS::UndefinedHandleValue, next->function, arguments, &ignored);
}

const Error* HostBridge::ErrorBehind(JS::HandleValue exception) const {
  if (!last_error_.has_value() || !exception.isObject()) return nullptr;
  return exception.get() == last_exception_.get() ? &*last_error_ : nullptr;
}

}  // namespace orrery::script
