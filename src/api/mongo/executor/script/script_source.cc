#include "api/mongo/executor/script/script_source.h"

#include "model/document/json.h"

namespace orrery::mongo {
namespace {

// The realm is frozen: own properties are defined, not assigned, where a prototype has the name.
constexpr std::string_view kBefore = R"js(function (request) {
const RealArray = globalThis.Array, RealObject = globalThis.Object;
const define = (target, name, value) => RealObject.defineProperty(target, name,
    {value, enumerable: true, configurable: true, writable: true});
const callable = (type) => {
  const make = function (...values) { return new type(...values); };
  RealObject.defineProperty(make, 'prototype', {value: type.prototype});
  RealObject.setPrototypeOf(make, type);
  return make;
};
const fail = (code, message) => { throw {mongoCode: code, message}; };
class LongType {
  constructor(value = 0) {
    define(this, 'value', BigInt.asIntN(64,
        typeof value === 'bigint' ? value : BigInt(typeof value === 'string' ? value : Math.trunc(Number(value)))));
  }
  valueOf() { return Number(this.value); }
  toNumber() { return Number(this.value); }
  compare(other) { const o = BigInt(other.value === undefined ? other : other.value); return this.value < o ? -1 : this.value > o ? 1 : 0; }
  toString() { return 'NumberLong(' + (this.value > 2147483647n || this.value < -2147483648n ? '"' + this.value + '"' : this.value) + ')'; }
  toJSON() { return this.toString(); }
}
class IntType {
  constructor(value = 0) { define(this, 'value', Math.trunc(Number(value)) | 0); }
  valueOf() { return this.value; }
  toNumber() { return this.value; }
  toString() { return 'NumberInt(' + this.value + ')'; }
}
class DecimalType {
  constructor(value = '0') { define(this, 'value', String(value)); }
  toString() { return 'NumberDecimal("' + this.value + '")'; }
}
class ObjectIdType {
  constructor(value) {
    if (!/^[0-9a-fA-F]{24}$/.test(value)) throw new Error('invalid object id: length');
    define(this, 'str', value.toLowerCase());
  }
  toString() { return 'ObjectId("' + this.str + '")'; }
  valueOf() { return this.str; }
  getTimestamp() { return new Date(parseInt(this.str.slice(0, 8), 16) * 1000); }
  equals(other) { return String(this) === String(other); }
}
class BinaryType {
  constructor(subtype, base64) { define(this, 'type', subtype); define(this, 'data', base64); }
  base64() { return this.data; }
  subtype() { return this.type; }
  toString() { return 'BinData(' + this.type + ',"' + this.data + '")'; }
}
class TimestampType {
  constructor(t = 0, i = 0) { define(this, 't', t); define(this, 'i', i); }
  toString() { return 'Timestamp(' + this.t + ', ' + this.i + ')'; }
}
class KeyType { constructor(name) { define(this, 'name', name); } toString() { return this.name; } }
class OpaqueType { constructor(raw) { define(this, 'raw', raw); } }
class CodeType { constructor(code) { define(this, 'code', code); } toString() { return this.code; } }
const NumberLong = callable(LongType), NumberInt = callable(IntType), NumberDecimal = callable(DecimalType);
const ObjectId = callable(ObjectIdType), BinData = callable(BinaryType), Timestamp = callable(TimestampType);
const Code = callable(CodeType);
const minKey = new KeyType('MinKey'), maxKey = new KeyType('MaxKey');
const MinKey = callable(class { constructor() { return minKey; } });
const MaxKey = callable(class { constructor() { return maxKey; } });
const ISODate = (text) => {
  const date = text === undefined ? new Date() : new Date(text);
  if (isNaN(date)) throw new Error('invalid ISO date: ' + text);
  return date;
};
const numberOf = (value) => Number(value);
const Array = function (...values) { return new RealArray(...values); };
RealObject.setPrototypeOf(Array, RealArray);
RealObject.defineProperty(Array, 'prototype', {value: RealArray.prototype});
define(Array, 'sum', (list) => list.length === 0 ? null : list.reduce((sum, value) => sum + value));
define(Array, 'avg', (list) => list.length === 0 ? null : list.reduce((sum, value) => sum + value) / list.length);
define(Array, 'contains', (list, value) => list.some((each) => each == value));
define(Array, 'unique', (list) => list.filter((value, at) => list.indexOf(value) === at));
define(Array, 'stdDev', (list) => {
  const mean = Array.avg(list);
  return Math.sqrt(list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / list.length);
});
const print = () => {}, printjson = () => {};
const sleep = (ms) => { for (const end = Date.now() + Number(ms); Date.now() < end;) {} };
const tojson = (value) => JSON.stringify(value);
const originals = new WeakMap();

const decode = (x) => {
  if (x === null || typeof x !== 'object') return x;
  if (RealArray.isArray(x)) return x.map(decode);
  const tag = RealObject.keys(x)[0], value = x[tag];
  switch (tag) {
    case 'o': {
      const object = {};
      for (let at = 0; at < value.length; at += 2) define(object, value[at], decode(value[at + 1]));
      originals.set(object, x);
      return object;
    }
    case 'i': return value;
    case 'd': return Number(value);
    case 'l': return new LongType(value);
    case 't': return new Date(value);
    case 'id': return new ObjectIdType(value);
    case 'b': return new BinaryType(value[0], value[1]);
    case 'n': return new DecimalType(value);
    case 'ts': return new TimestampType(value[0], value[1]);
    case 'min': return minKey;
    case 'max': return maxKey;
    case 'u': return undefined;
    case 'c': return new CodeType(value);
    case 'r':
      try { return new RegExp(value[0], value[1].replace(/[^gimsuy]/g, '')); } catch (e) { return new OpaqueType(x); }
    default: return new OpaqueType(x);
  }
};
// Returns whether a value is still what was decoded.
const isSame = (value, x) => {
  if (x === null || typeof x !== 'object') return value === x;
  if (RealArray.isArray(x))
    return RealArray.isArray(value) && value.length === x.length && x.every((each, at) => isSame(value[at], each));
  if ('o' in x) {
    if (value === null || typeof value !== 'object' || originals.get(value) !== x) return false;
    const names = RealObject.keys(value);
    return names.length * 2 === x.o.length &&
        names.every((name, at) => name === x.o[2 * at] && isSame(value[name], x.o[2 * at + 1]));
  }
  if ('i' in x) return value === x.i;
  return JSON.stringify(encode(value, 0)) === JSON.stringify(x);
};
const encode = (value, depth) => {
  if (depth > 60) throw new Error('the value is nested too deeply');
  switch (typeof value) {
    case 'undefined': return {u: 1};
    case 'boolean': case 'string': return value;
    case 'number': return Number.isFinite(value) && !RealObject.is(value, -0) ? value : {d: RealObject.is(value, -0) ? '-0' : String(value)};
    case 'bigint': return {l: String(BigInt.asIntN(64, value))};
    case 'function': return {c: String(value)};
    case 'symbol': return String(value);
  }
  if (value === null) return null;
  if (RealArray.isArray(value)) return RealArray.from(value, (each) => encode(each, depth + 1));
  if (value instanceof Date) return isNaN(value) ? null : {t: value.getTime()};
  if (value instanceof RegExp) return {r: [value.source, value.flags.replace(/[^ims]/g, '')]};
  if (value instanceof LongType) return {l: String(value.value)};
  if (value instanceof IntType) return {i: value.value};
  if (value instanceof DecimalType) return {n: value.value};
  if (value instanceof ObjectIdType) return {id: value.str};
  if (value instanceof BinaryType) return {b: [value.type, value.data]};
  if (value instanceof TimestampType) return {ts: [Number(value.t), Number(value.i)]};
  if (value === minKey) return {min: 1};
  if (value === maxKey) return {max: 1};
  if (value instanceof OpaqueType) return value.raw;
  if (value instanceof CodeType) return {c: value.code};
  const before = originals.get(value);
  if (before !== undefined && isSame(value, before)) return before;
  const fields = [];
  const ints = new Set();
  if (before !== undefined)
    for (let at = 0; at < before.o.length; at += 2)
      if (before.o[at + 1] !== null && typeof before.o[at + 1] === 'object' && 'i' in before.o[at + 1]) ints.add(before.o[at]);
  for (const name of RealObject.keys(value)) {
    const field = value[name];
    const isInt = typeof field === 'number' && ints.has(name) && (field | 0) === field;
    fields.push(name, isInt ? {i: field} : encode(field, depth + 1));
  }
  return {o: fields};
};
try {
  const {m: mode, s: scopeText, t: selfText, a: valuesText} = JSON.parse(request);
  const self = decode(selfText), values = decode(valuesText), scope = decode(scopeText);
  const obj = self;
  const emitted = [];
  const emit = function (key, value) {
    if (arguments.length !== 2) fail(31220, 'emit takes 2 args');
    emitted.push(encode(key, 0), encode(value, 0));
  };
  const code = )js";

constexpr std::string_view kAfter = R"js(;
  const isFunction = /^(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*\n)*(?:(?:async\s+)?function\b|\([^()]*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)/.test(code);
  // Users assign to variables that nobody declared, which the frozen realm cannot take.
  const globals = {};
  const assigned = /(?:^|[^\w$.])(?:([A-Za-z_$][\w$]*)\s*(?:=(?![=>])|[-+*\/%&|^]=|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_$][\w$]*)|([A-Za-z_$][\w$]*)\s+(?:in|of)\s)/g;
  for (const [, before, after, each] of code.matchAll(assigned)) {
    const name = before || after || each;
    if (!(name in globalThis) && !(name in scope)) define(globals, name, undefined);
  }
  let user;
  with (globals) with (scope) {
    if (isFunction) {
      user = eval('(' + code + '\n)');
    } else {
      try {
        user = eval('(function () { return (' + code + '\n); })');
      } catch (e) {
        if (!(e instanceof SyntaxError)) throw e;
        let isScript = true;
        try { eval('if (false) {' + code + '\n}'); } catch (e) { isScript = false; }
        user = isScript ? function () { return eval(code); } : eval('(function () {' + code + '\n})');
      }
    }
  }
  let result;
  if (mode === 'call') {
    result = encode(user.apply(self, values), 0);
  } else if (mode === 'fold') {
    result = encode(values.reduce((state, list) => user(state, ...list), self), 0);
  } else {
    for (const document of values) user.call(document);
    result = emitted;
  }
  return JSON.stringify({v: result});
} catch (e) {
  if (e !== null && typeof e === 'object' && e.mongoCode !== undefined)
    return JSON.stringify({e: [e.mongoCode, String(e.message)]});
  if (e instanceof Error) return JSON.stringify({e: [139, e.name + ': ' + e.message]});
  return JSON.stringify({e: [8, 'uncaught exception: ' + (e !== null && typeof e === 'object' ? JSON.stringify(e) : String(e))]});
}
})js";

}  // namespace

std::string ScriptSource(std::string_view user_code) {
  std::string source(kBefore);
  model::AppendJsonString(source, user_code);
  source += kAfter;
  return source;
}

}  // namespace orrery::mongo
