#include "script/spidermonkey/context.h"

#include <js/ContextOptions.h>
#include <js/GCAPI.h>
#include <js/Initialization.h>
#include <js/Interrupt.h>
#include <js/Principals.h>
#include <js/Realm.h>
#include <js/Stack.h>
#include <jsfriendapi.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/check.h"
#include "script/pattern_limit.h"
#include "script/spidermonkey/text.h"

namespace orrery::script {
namespace {

// The engine's own hard limit stands this far above ours: it is checked inside allocations, where
// running into it is more often fatal for the process than ours, which is checked between
// bytecodes.
constexpr size_t kHeapSlackBytes = size_t{64} << 20;
constexpr uint32_t kNurseryBytesMax = 4u << 20;
// A run may begin with this part of the limit taken by garbage of earlier ones.
constexpr size_t kGarbageShare = 4;
// Behind the deadline a run has so long to ask for its limits itself.
constexpr Micros kNativeGrace = std::chrono::milliseconds(250);
// Collections of one native operation while the heap is over its limit.
constexpr uint32_t kFullCollectionsMax = 8;

constexpr JSClass kGlobalClass = {
    "global", JSCLASS_GLOBAL_FLAGS, &JS::DefaultGlobalClassOps, nullptr, nullptr, nullptr};

// The optimizing compiler is where most of the engine's memory-safety bugs have been, and functions
// that run for microseconds gain little from it. The option is the process's but needs a context.
void TurnOptimizerOff(JSContext* cx) {
  static std::once_flag once;
  std::call_once(once, [cx] { JS_SetGlobalJitCompilerOption(cx, JSJITCOMPILER_ION_ENABLE, 0); });
}

// Asked before eval and new Function compile their text.
bool MayEvaluate(JSContext* cx, JS::RuntimeCode, JS::HandleString code) {
  std::string text;
  return code != nullptr && AppendUtf8(cx, code, text) && !MayHoldLongPattern(text);
}
constexpr JSSecurityCallbacks kSecurityCallbacks = {MayEvaluate, nullptr};

}  // namespace

Context::Context(const Clock& clock, Watchdog& watchdog, const std::atomic<bool>& cancelled,
                 const SandboxOptions& options)
    : clock_(clock), watchdog_(watchdog), cancelled_(cancelled), options_(options) {
  watchdog_.Add(*this);
}

std::unique_ptr<Context> Context::Create(const Clock& clock, Watchdog& watchdog,
                                         const std::atomic<bool>& cancelled,
                                         const SandboxOptions& options) {
  std::unique_ptr<Context> context(new Context(clock, watchdog, cancelled, options));
  return context->Start() ? std::move(context) : nullptr;
}

bool Context::Start() {
  heap_parameter_ = static_cast<uint32_t>(
      std::min<size_t>(options_.heap_bytes_max + kHeapSlackBytes, UINT32_MAX));
  cx_ = JS_NewContext(heap_parameter_);
  if (cx_ == nullptr) return false;
  TurnOptimizerOff(cx_);
  JS_SetContextPrivate(cx_, this);
  JS_SetSecurityCallbacks(cx_, &kSecurityCallbacks);
  JS_SetNativeStackQuota(cx_, options_.stack_bytes_max);
  JS_SetGCParameter(cx_, JSGC_MAX_NURSERY_BYTES, kNurseryBytesMax);
  JS_SetGCParameter(cx_, JSGC_INCREMENTAL_GC_ENABLED, 0);
  JS::ContextOptionsRef(cx_).setWasm(false).setAsmJS(false);
  if (!js::UseInternalJobQueues(cx_) || !JS::InitSelfHostedCode(cx_) ||
      !JS_AddInterruptCallback(cx_, OnInterrupt)) {
    return false;
  }
  JS_SetGCCallback(cx_, OnCollected, this);
  anchor_.init(cx_, NewGlobal());
  if (anchor_ == nullptr) return false;
  JSAutoRealm realm(cx_, anchor_);
  memory_info_.init(cx_, js::gc::NewMemoryInfoObject(cx_));
  return memory_info_ != nullptr;
}

Context::~Context() {
  watchdog_.Remove(*this);
  if (cx_ == nullptr) return;
  memory_info_.reset();
  anchor_.reset();
  JS_DestroyContext(cx_);
}

Context& Context::Of(JSContext* cx) { return *static_cast<Context*>(JS_GetContextPrivate(cx)); }

void Context::Poke() { JS_RequestInterruptCallback(cx_); }

JSObject* Context::NewGlobal() {
  JS::RealmOptions options;
  options.creationOptions()
      .setSharedMemoryAndAtomicsEnabled(false)
      .setDefineSharedArrayBufferConstructor(false)
      .setWeakRefsEnabled(JS::WeakRefSpecifier::Disabled)
      .setStreamsEnabled(false)
      .setToSourceEnabled(false);
  if (anchor_.initialized()) {
    options.creationOptions().setNewCompartmentInExistingZone(anchor_);
  } else {
    options.creationOptions().setNewCompartmentAndZone();
  }
  return JS_NewGlobalObject(cx_, &kGlobalClass, nullptr, JS::DontFireOnNewGlobalHook, options);
}

void Context::End(Reason reason) {
  if (run_ == nullptr) return;
  if (!run_->ended.has_value()) run_->ended = reason;
  JS_RequestInterruptCallback(cx_);
}

bool Context::OnInterrupt(JSContext* cx) { return Of(cx).CheckLimits(); }

// A script that allocates fast is seen by the collector before the watchdog's next poke.
void Context::OnCollected(JSContext* cx, JSGCStatus status, JS::GCReason, void* context) {
  auto* self = static_cast<Context*>(context);
  if (status != JSGC_END || self->run_ == nullptr || self->collecting_) return;
  JS_RequestInterruptCallback(cx);
  const bool is_full = ++self->collections_ > kFullCollectionsMax &&
                       JS_GetGCParameter(cx, JSGC_BYTES) > self->options_.heap_bytes_max;
  if (self->clock_.Monotonic() - kNativeGrace >= self->run_->deadline) {
    self->StopAllocations(Reason::kTime);
  } else if (is_full) {
    self->StopAllocations(Reason::kMemory);
  }
}

void Context::StopAllocations(Reason reason) {
  if (!run_->ended.has_value()) run_->ended = reason;
  if (allocations_stopped_) return;
  allocations_stopped_ = true;
  JS_SetGCParameter(cx_, JSGC_MAX_BYTES, 1);
}

bool Context::CheckLimits() {
  if (run_ == nullptr) return true;
  collections_ = 0;
  if (!run_->ended.has_value()) {
    if (cancelled_.load(std::memory_order_relaxed)) {
      run_->ended = Reason::kCancelled;
    } else if (clock_.Monotonic() >= run_->deadline) {
      run_->ended = Reason::kTime;
    } else if (HeapBytes() > options_.heap_bytes_max) {
      Collect();
      if (HeapBytes() > options_.heap_bytes_max) run_->ended = Reason::kMemory;
    }
  }
  if (!run_->ended.has_value()) return true;
  // Asked for again, so that whatever the same run tries next ends as well.
  JS_RequestInterruptCallback(cx_);
  return false;
}

size_t Context::HeapBytes() {
  JSAutoRealm realm(cx_, anchor_);
  JS::RootedValue malloc_bytes(cx_);
  const size_t gc_bytes = JS_GetGCParameter(cx_, JSGC_BYTES);
  if (!JS_GetProperty(cx_, memory_info_, "mallocBytes", &malloc_bytes)) return gc_bytes;
  return gc_bytes + static_cast<size_t>(malloc_bytes.toNumber());
}

void Context::MaybeCollect() {
  if (HeapBytes() > options_.heap_bytes_max / kGarbageShare) Collect();
}

void Context::Collect() {
  collecting_ = true;
  JS_GC(cx_);
  collecting_ = false;
}

RunScope::RunScope(Context& context, RunState& run)
    : context_(context), cap_(context.options_.heap_bytes_max / 2) {
  ORRERY_CHECK(context_.run_ == nullptr);
  context_.run_ = &run;
  context_.collections_ = 0;
  context_.watchdog_.Started(context_);
}

RunScope::~RunScope() {
  context_.watchdog_.Ended(context_);
  context_.run_ = nullptr;
  if (!context_.allocations_stopped_) return;
  context_.allocations_stopped_ = false;
  JS_SetGCParameter(context_.cx_, JSGC_MAX_BYTES, context_.heap_parameter_);
}

}  // namespace orrery::script
