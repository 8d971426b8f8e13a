#include "script/spidermonkey/realm_source.h"

namespace orrery::script {

// `caller` and `arguments` would let a callback look into the prelude function that calls it.
const std::string_view kSandboxSource = R"js(
'use strict';
for (const name of ['Atomics', 'SharedArrayBuffer', 'WebAssembly', 'Intl', 'WeakRef',
                    'FinalizationRegistry', 'ReadableStream']) {
  delete globalThis[name];
}
delete Function.prototype.caller;
delete Function.prototype.arguments;
)js";

// Freezing has one side effect that ordinary code runs into: where a prototype's property is
// read-only, assigning to the same name on an object that inherits it fails. So for names that
// code does override (toString, constructor, message, name) the property becomes an accessor whose
// setter defines the name on the object itself.
//
// The walk starts at the global object and at one specimen of each kind of object whose prototype
// no global name leads to.
const std::string_view kFreezeSource = R"js(
'use strict';
(() => {
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, freeze } = Object;
  const { construct, ownKeys } = Reflect;

  // The engine's RegExp remembers the last match of the realm (RegExp.$1) and cannot be made to
  // forget it, so its place is taken by one that has no such properties.
  const Original = RegExp;
  const Replacement = function RegExp(pattern, flags) {
    if (new.target !== undefined) return construct(Original, [pattern, flags], new.target);
    const same = flags === undefined && pattern instanceof Replacement &&
        pattern.constructor === Replacement;
    return same ? pattern : construct(Original, [pattern, flags]);
  };
  defineProperty(Replacement, 'prototype', { value: Original.prototype, writable: false });
  defineProperty(Replacement, Symbol.species, { get() { return this; } });
  Original.prototype.constructor = Replacement;
  globalThis.RegExp = Replacement;

  const allowOverride = (owner, name) => {
    const found = getOwnPropertyDescriptor(owner, name);
    if (found === undefined || !('value' in found) || !found.configurable) return;
    const { value } = found;
    defineProperty(owner, name, {
      get() { return value; },
      set(replacement) {
        if (this === owner) throw new TypeError(`${String(name)} is read-only`);
        defineProperty(this, name,
            { value: replacement, writable: true, enumerable: true, configurable: true });
      },
      enumerable: found.enumerable,
      configurable: false,
    });
  };
  for (const name of ownKeys(Object.prototype)) allowOverride(Object.prototype, name);
  for (const type of [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError,
                      URIError, AggregateError, InternalError]) {
    for (const name of ['constructor', 'message', 'name', 'toString']) {
      allowOverride(type.prototype, name);
    }
  }
  for (const type of [Function, Array, Date, Map, Set, RegExp, Promise]) {
    for (const name of ['constructor', 'toString']) allowOverride(type.prototype, name);
  }

  const rest = [
    globalThis,
    function* () {}, async function () {}, async function* () {},
    (function* () {})(), (async function* () {})(),
    [][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](),
    ''.matchAll(/./g), (function () { return arguments; })(),
    (function () { 'use strict'; return arguments; })(),
  ];
  const seen = new Set();
  while (rest.length > 0) {
    const object = rest.pop();
    if (object === null || (typeof object !== 'object' && typeof object !== 'function')) continue;
    if (seen.has(object)) continue;
    seen.add(object);
    rest.push(getPrototypeOf(object));
    for (const key of ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, key);
      rest.push(value, get, set);
    }
  }
  seen.forEach((object) => freeze(object));
})();
)js";

}  // namespace orrery::script
