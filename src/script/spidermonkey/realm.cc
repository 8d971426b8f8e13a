#include "script/spidermonkey/realm.h"

#include <js/CompilationAndEvaluation.h>
#include <js/SourceText.h>

#include <string_view>

#include "script/spidermonkey/console.h"
#include "script/spidermonkey/realm_source.h"
#include "script/spidermonkey/search_source.h"

namespace orrery::script {
namespace {

bool RunOwnSource(JSContext* cx, std::string_view source) {
  JS::CompileOptions options(cx);
  options.setFileAndLine("orrery", 1);
  JS::SourceText<mozilla::Utf8Unit> text;
  JS::RootedValue ignored(cx);
  return text.init(cx, source.data(), source.size(), JS::SourceOwnership::Borrowed) &&
         JS::Evaluate(cx, options, text, &ignored);
}

}  // namespace

JSObject* NewFreshRealm(Context& context) {
  JSContext* cx = context.cx();
  JS::RootedObject global(cx, context.NewGlobal());
  if (global == nullptr) return nullptr;
  JSAutoRealm realm(cx, global);
  if (!RunOwnSource(cx, kSandboxSource) || !RunOwnSource(cx, kPatternSource) ||
      !RunOwnSource(cx, kSearchSource) || !DefineConsole(cx, global)) {
    return nullptr;
  }
  return global;
}

JSObject* NewFrozenRealm(Context& context) {
  JSContext* cx = context.cx();
  JS::RootedObject global(cx, NewFreshRealm(context));
  if (global == nullptr) return nullptr;
  JSAutoRealm realm(cx, global);
  return RunOwnSource(cx, kFreezeSource) ? global.get() : nullptr;
}

}  // namespace orrery::script
