#include "script/spidermonkey/search_source.h"

namespace orrery::script {

// As in kPatternSource, a value is turned into a string once, and that string is used.
const std::string_view kSearchSource = R"js(
'use strict';
(() => {
  // Comparisons of characters that the engine may be asked for at once: some 0.2 s.
  const comparisonsMax = 2 ** 28;
  const needleCharsSmall = 16;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { apply } = Reflect;
  const { match } = Symbol;
  const natives = String.prototype;
  const { indexOf, lastIndexOf, includes, split, replace, replaceAll } = natives;
  const replacer = Symbol.replace;
  const splitter = Symbol.split;
  const { max, min, trunc } = Math;
  const Table = Int32Array;
  const sourceOf = getOwnPropertyDescriptor(RegExp.prototype, 'source').get;

  const isObject = (value) =>
      (typeof value === 'object' && value !== null) || typeof value === 'function';
  const looksMade = (value) => {
    if (!isObject(value)) return false;
    const answer = value[match];
    if (answer !== undefined) return Boolean(answer);
    if (value === RegExp.prototype) return false;
    try {
      apply(sourceOf, value, []);
      return true;
    } catch (e) {
      return false;
    }
  };
  const textOf = (self, name) => {
    if (self === null || self === undefined) {
      throw new TypeError(`String.prototype.${name} called on null or undefined`);
    }
    return `${self}`;
  };
  const isLong = (text, needle) =>
      needle.length > needleCharsSmall && needle.length <= text.length &&
      text.length * needle.length > comparisonsMax;

  // The length of the longest proper prefix of the needle that ends at each of its characters.
  const tableOf = (needle) => {
    const table = new Table(needle.length);
    for (let i = 1, same = 0; i < needle.length; ++i) {
      const char = needle.charCodeAt(i);
      while (same > 0 && needle.charCodeAt(same) !== char) same = table[same - 1];
      if (needle.charCodeAt(same) === char) ++same;
      table[i] = same;
    }
    return table;
  };
  // The first place at `from` or later; -1 if there is none.
  const find = (text, needle, table, from) => {
    for (let i = from, same = 0; i < text.length; ++i) {
      const char = text.charCodeAt(i);
      while (same > 0 && needle.charCodeAt(same) !== char) same = table[same - 1];
      if (needle.charCodeAt(same) === char) ++same;
      if (same === needle.length) return i + 1 - same;
    }
    return -1;
  };
  const findFirst = (text, needle, position) => {
    const from = min(max(trunc(Number(position)) || 0, 0), text.length);
    return find(text, needle, tableOf(needle), from);
  };
  // What $$, $&, $` and $' stand for.
  const expand = (template, needle, at, text) => {
    let made = '';
    for (let i = 0; i < template.length; ++i) {
      const char = template[i];
      const next = char === '$' ? template[i + 1] : undefined;
      if (next === '$') made += '$';
      else if (next === '&') made += needle;
      else if (next === '`') made += text.slice(0, at);
      else if (next === "'") made += text.slice(at + needle.length);
      else {
        made += char;
        continue;
      }
      ++i;
    }
    return made;
  };
  const replaceFound = (text, needle, replacement, countMax) => {
    const template = typeof replacement === 'function' ? undefined : `${replacement}`;
    const table = tableOf(needle);
    let made = '';
    let end = 0;
    for (let count = 0; count < countMax; ++count) {
      const at = find(text, needle, table, end);
      if (at < 0) break;
      made += text.slice(end, at);
      made += template === undefined ? `${replacement(needle, at, text)}`
                                     : expand(template, needle, at, text);
      end = at + needle.length;
    }
    return made + text.slice(end);
  };

  const methods = {
    indexOf(search, position = undefined) {
      const text = textOf(this, 'indexOf');
      const needle = `${search}`;
      if (isLong(text, needle)) return findFirst(text, needle, position);
      return apply(indexOf, text, [needle, position]);
    },
    includes(search, position = undefined) {
      const text = textOf(this, 'includes');
      if (looksMade(search)) {
        throw new TypeError("first argument to String.prototype.includes can't be a RegExp");
      }
      const needle = `${search}`;
      if (isLong(text, needle)) return findFirst(text, needle, position) >= 0;
      return apply(includes, text, [needle, position]);
    },
    lastIndexOf(search, position = undefined) {
      const text = textOf(this, 'lastIndexOf');
      const needle = `${search}`;
      if (!isLong(text, needle)) return apply(lastIndexOf, text, [needle, position]);
      const number = Number(position);
      const last = Number.isNaN(number) ? text.length : max(trunc(number), 0);
      const table = tableOf(needle);
      const head = text.slice(0, min(last + needle.length, text.length));
      let found = -1;
      for (let i = 0, same = 0; i < head.length; ++i) {
        const char = head.charCodeAt(i);
        while (same > 0 && needle.charCodeAt(same) !== char) same = table[same - 1];
        if (needle.charCodeAt(same) === char) ++same;
        if (same < needle.length) continue;
        found = i + 1 - same;
        same = table[same - 1];  // places may overlap
      }
      return found;
    },
    split(separator, limit) {
      if (this !== null && this !== undefined && isObject(separator)) {
        const method = separator[splitter];
        if (method !== undefined && method !== null) return apply(method, separator, [this, limit]);
      }
      const text = textOf(this, 'split');
      if (separator === undefined) return apply(split, text, [separator, limit]);
      const needle = `${separator}`;
      if (!isLong(text, needle)) return apply(split, text, [needle, limit]);
      const countMax = limit === undefined ? 2 ** 32 - 1 : limit >>> 0;
      const table = tableOf(needle);
      const parts = [];
      let end = 0;
      while (parts.length < countMax) {
        const at = find(text, needle, table, end);
        const part = at < 0 ? text.slice(end) : text.slice(end, at);
        defineProperty(parts, parts.length,
            { value: part, writable: true, enumerable: true, configurable: true });
        if (at < 0) break;
        end = at + needle.length;
      }
      return parts;
    },
    replace(search, replacement) {
      if (this !== null && this !== undefined && isObject(search)) {
        const method = search[replacer];
        if (method !== undefined && method !== null) {
          return apply(method, search, [this, replacement]);
        }
      }
      const text = textOf(this, 'replace');
      const needle = `${search}`;
      if (isLong(text, needle)) return replaceFound(text, needle, replacement, 1);
      return apply(replace, text, [needle, replacement]);
    },
    replaceAll(search, replacement) {
      if (this !== null && this !== undefined && isObject(search)) {
        if (looksMade(search) && !apply(includes, `${search.flags}`, ['g'])) {
          throw new TypeError('String.prototype.replaceAll called with a non-global RegExp');
        }
        const method = search[replacer];
        if (method !== undefined && method !== null) {
          return apply(method, search, [this, replacement]);
        }
      }
      const text = textOf(this, 'replaceAll');
      const needle = `${search}`;
      if (isLong(text, needle)) return replaceFound(text, needle, replacement, Infinity);
      return apply(replaceAll, text, [needle, replacement]);
    },
  };
  for (const name of ['indexOf', 'includes', 'lastIndexOf', 'split', 'replace', 'replaceAll']) {
    defineProperty(natives, name,
        { value: methods[name], writable: true, enumerable: false, configurable: true });
  }
})();
)js";

}  // namespace orrery::script
