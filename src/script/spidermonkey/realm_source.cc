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

// The engine's RegExp takes patterns of any length, which it may not survive (pattern_limit.h), and
// remembers the last match of the realm (RegExp.$1), which it cannot be made to forget. So its
// place is taken by one that does neither, and so are the places of all that would make a regular
// expression of a string behind its back. A value that is no RegExp is turned into a string once,
// and that string is used: one that is asked twice could answer differently.
const std::string_view kPatternSource = R"js(
'use strict';
(() => {
  const patternCharsMax = 4096;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { apply, construct } = Reflect;
  const { match, matchAll, search, species, split } = Symbol;
  const Original = RegExp;
  const { prototype } = Original;
  const sourceOf = getOwnPropertyDescriptor(prototype, 'source').get;

  const isObject = (value) =>
      (typeof value === 'object' && value !== null) || typeof value === 'function';
  const isMade = (value) => {
    if (!isObject(value) || value === prototype) return false;
    try {
      apply(sourceOf, value, []);
      return true;
    } catch (e) {
      return false;
    }
  };
  const looksMade = (value) => {
    if (!isObject(value)) return false;
    const answer = value[match];
    return answer === undefined ? isMade(value) : Boolean(answer);
  };
  const bounded = (pattern) => {
    const text = `${pattern}`;
    if (text.length > patternCharsMax) {
      throw new RangeError(`a regular expression may have at most ${patternCharsMax} characters`);
    }
    return text;
  };

  const Replacement = function RegExp(pattern, flags) {
    if (new.target === undefined && flags === undefined && pattern instanceof Replacement &&
        pattern.constructor === Replacement) {
      return pattern;
    }
    let text = pattern;
    let chosen = flags;
    if (!isMade(pattern)) {
      if (looksMade(pattern)) {
        text = pattern.source;
        if (flags === undefined) chosen = pattern.flags;
      }
      if (text !== undefined) text = bounded(text);
    }
    return construct(Original, [text, chosen], new.target === undefined ? Original : new.target);
  };
  defineProperty(Replacement, 'prototype', { value: prototype, writable: false });
  defineProperty(Replacement, species, { get() { return this; }, configurable: true });
  prototype.constructor = Replacement;
  globalThis.RegExp = Replacement;

  const replace = (owner, name, value) =>
      defineProperty(owner, name, { value, writable: true, enumerable: false, configurable: true });

  const takesString = (name, symbol, flags) => {
    replace(String.prototype, name, { [name](pattern) {
      if (this === null || this === undefined) {
        throw new TypeError(`String.prototype.${name} called on null or undefined`);
      }
      if (pattern !== null && pattern !== undefined) {
        if (symbol === matchAll && looksMade(pattern) && !`${pattern.flags}`.includes('g')) {
          throw new TypeError('String.prototype.matchAll called with a non-global RegExp argument');
        }
        const method = pattern[symbol];
        if (method !== undefined && method !== null) return apply(method, pattern, [this]);
      }
      const text = `${this}`;
      const made = new Replacement(pattern === undefined ? pattern : `${pattern}`, flags);
      return made[symbol](text);
    } }[name]);
  };
  takesString('match', match);
  takesString('matchAll', matchAll, 'g');
  takesString('search', search);

  // These make another one of what they are called on.
  for (const symbol of [split, matchAll]) {
    const original = prototype[symbol];
    replace(prototype, symbol, { [symbol](text, limit) {
      if (!isMade(this)) throw new TypeError('this is no regular expression');
      return apply(original, this, [text, limit]);
    } }[symbol]);
  }
  delete prototype.compile;
})();
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
  const { ownKeys } = Reflect;

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
