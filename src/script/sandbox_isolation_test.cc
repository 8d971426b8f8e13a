// Ways out of the sandbox, and ways to leave something in it for the next call: none of them works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "script/sandbox.h"
#include "script/script_test_harness.h"

namespace orrery::script {
namespace {

using model::Value;

TEST(SandboxIsolationTest, OnlyTheLanguageIsThere) {
  SandboxForTest test;
  for (const char* name : {"Atomics",     "SharedArrayBuffer",
                           "WebAssembly", "Intl",
                           "WeakRef",     "FinalizationRegistry",
                           "setTimeout",  "require",
                           "process",     "load",
                           "print",       "read",
                           "quit",        "Java",
                           "Components",  "ReadableStream",
                           "fetch",       "XMLHttpRequest",
                           "Debugger",    "getContext",
                           "uneval"}) {
    EXPECT_EQ(test.Do("return typeof " + std::string(name) + ";"), Value::String("undefined"))
        << name;
  }
  // All globals by name: those that a new engine brings must be examined.
  EXPECT_EQ(test.Do("return Object.getOwnPropertyNames(globalThis).sort().join(' ');"),
            Value::String(
                "AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean "
                "DataView Date Error EvalError Float32Array Float64Array Function Infinity "
                "Int16Array Int32Array Int8Array InternalError JSON Map Math NaN Number Object "
                "Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol "
                "SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array "
                "Uint8ClampedArray WeakMap WeakSet console decodeURI decodeURIComponent encodeURI "
                "encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt "
                "undefined unescape"));
}

TEST(SandboxIsolationTest, EveryGlobalOfTheFunctionConstructorIsTheRealmsOwn) {
  SandboxForTest test;
  EXPECT_EQ(test.Do("return Function('return this')() === globalThis;"), Value::Bool(true));
  EXPECT_EQ(test.Do("return (0, eval)('this') === globalThis;"), Value::Bool(true));
  EXPECT_EQ(test.Do("return (async () => {}).constructor('return this')().constructor.name;"),
            Value::String("Promise"));
  EXPECT_EQ(test.Do("return console.log.constructor('return this')() === globalThis;"),
            Value::Bool(true));
}

TEST(SandboxIsolationTest, ImportsGoNowhere) {
  SandboxForTest test;
  EXPECT_FALSE(test.Do("return import('fs');").has_value());
  EXPECT_EQ(test.Do("return 1;"), Value::Int32(1));
}

TEST(SandboxIsolationTest, NothingCanBeLeftForTheNextCall) {
  SandboxForTest test;
  for (const char* poison : {
           "Array.prototype.map = () => 'poison'; return 0;",
           "'use strict'; Object.prototype.toString = () => 'poison';",
           "Object.defineProperty(Object.prototype, 'x', {get() { return 'poison'; }});",
           "Object.setPrototypeOf(Array.prototype, {x: 'poison'});",
           "globalThis.x = 'poison';",
           "x = 'poison';",
           "(0, eval)('var x = \"poison\"');",
           "delete globalThis.JSON;",
           "JSON.parse = () => 'poison';",
           "Object.getPrototypeOf(function* () {}).x = 'poison';",
           "Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({done: true});",
           "Object.getPrototypeOf(async function () {}).constructor.x = 'poison';",
           "arguments.callee.x = 'poison';",
           "arguments.callee.prototype.x = 'poison';",
           "Error.prepareStackTrace = () => 'poison'; Error.stackTraceLimit = 0;",
           "/(poison)/.test('poison');",
           "RegExp.prototype.exec = () => null;",
           "console.log = () => { throw 1; };",
           "Promise.prototype.then = () => 'poison';",
           "Symbol.prototype.x = 'poison';",
           "Uint8Array.prototype.fill = () => 'poison';",
           "Object.getPrototypeOf(Uint8Array).from = () => 'poison';",
       }) {
    // Some throw, some do nothing: either is fine.
    (void)test.Do(poison);
    EXPECT_EQ(test.Do("return String([1, 2].map(x => x + 1)) + ({}) + typeof x + [].x +"
                      "  JSON.parse('3') + [...[4]] + /(.)/.exec('5')[1] + typeof RegExp.$1 +"
                      "  (function* () {}).x + new Uint8Array(1).fill(6)[0] +"
                      "  typeof new Error('e').stack;"),
              Value::String("2,3[object Object]undefinedundefined345undefinedundefined6string"))
        << poison;
  }
}

TEST(SandboxIsolationTest, NothingReachableCanBeChanged) {
  SandboxForTest test;
  // Walks everything again, from specimens of its own, and names what is not frozen.
  const auto open = test.Do(R"js(
    const rest = [globalThis, (function* () {}).prototype, (async function* () {}).prototype,
                  async () => {}, ''.matchAll(/./g), new Map().keys(), new Proxy({}, {}), Promise.resolve(),
                  new WeakMap(), 1n, Symbol.iterator, new DataView(new ArrayBuffer(1))]
        .map(x => typeof x === 'object' && x !== globalThis ? Object.getPrototypeOf(x) : x);
    const seen = new Set(), open = [];
    while (rest.length > 0) {
      const x = rest.pop();
      if (x === null || typeof x !== 'object' && typeof x !== 'function' || seen.has(x)) continue;
      seen.add(x);
      if (!Object.isFrozen(x) && String(x) !== 'async () => {}') open.push(String(x));
      rest.push(Object.getPrototypeOf(x));
      for (const key of Reflect.ownKeys(x)) {
        const {value, get, set} = Object.getOwnPropertyDescriptor(x, key);
        rest.push(value, get, set);
      }
    }
    return [seen.size > 400, open.join('; ')];
  )js");
  EXPECT_EQ(open, Value::Array({Value::Bool(true), Value::String("")}));
}

TEST(SandboxIsolationTest, OrdinaryCodeDoesNotNoticeTheFreezing) {
  SandboxForTest test;
  EXPECT_EQ(test.Do(R"js(
    'use strict';
    function Point(x) { this.x = x; }
    Point.prototype.toString = function () { return 'P' + this.x; };
    function Sub(x) { Point.call(this, x); }
    Sub.prototype = Object.create(Point.prototype);
    Sub.prototype.constructor = Sub;
    const error = new Error('a');
    error.message = 'b';
    error.name = 'Mine';
    class Wrong extends Error { constructor() { super('w'); this.name = 'Wrong'; } }
    const bag = {};
    bag.constructor = 1;
    bag.valueOf = () => 5;
    return [String(new Point(1)), String(new Sub(2)), String(error), String(new Wrong()),
            bag + bag.constructor, new Sub(3).constructor.name].join(' ');
  )js"),
            Value::String("P1 P2 Mine: b Wrong: w 6 Sub"));
}

TEST(SandboxIsolationTest, RegExpIsWhatItWas) {
  SandboxForTest test;
  EXPECT_EQ(test.Do(R"js(
    class Mine extends RegExp {}
    const again = RegExp(/a/g);
    return [RegExp('b', 'i').test('B'), new RegExp(/c/).source, /d/ instanceof RegExp,
            RegExp(again) === again, new Mine('e').test('e'), new Mine('e') instanceof Mine,
            'f,g'.split(/,/).length, [...'hh'.matchAll(/h/g)].length, 'i'.replace(/i/, 'j'),
            RegExp.name, RegExp.lastMatch].join(' ');
  )js"),
            Value::String("true c true true true true 2 2 j RegExp "));
}

TEST(SandboxIsolationTest, RunsHaveARealmOfTheirOwn) {
  SandboxForTest test;
  const ProgramRef program = test.Function(
      "function () { seen = typeof seen === 'undefined' ? 1 : 2; Array.prototype.x = seen;"
      "  return [seen, [].x]; }");
  for (int i = 0; i < 3; ++i) {
    const RunReport report = test.sandbox.Run(program, {}, nullptr, DatumForm::kValue);
    ASSERT_TRUE(report.outcome.has_value()) << report.outcome.error().message;
    EXPECT_EQ(std::get<Value>(*report.outcome), Value::Array({Value::Int32(1), Value::Int32(1)}));
  }
  EXPECT_EQ(test.Do("return typeof [].x;"), Value::String("undefined"));
}

}  // namespace
}  // namespace orrery::script
