// JSON whose numbers stay what they were.
//
// JSON.parse reads 9007199254740993 as ...992; a document that is shown, edited and written back
// would silently change. Numbers that a double cannot hold are kept as an ExactNumber, whose text
// is written back as it came.

export class ExactNumber {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

const depthMax = 1000;

export class JsonSyntaxError extends Error {
  constructor(message: string, readonly offset: number) {
    super(message);
  }
}

// Returns whether a double keeps this number: the same digits come back, apart from how it is written.
function fitsDouble(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(value) && !(value === 0 && text.startsWith('-'));
  const digits = text.replace(/[eE].*$/, '').replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return digits.length <= 15;
}

class Parser {
  private at = 0;
  constructor(private readonly text: string) {}

  whole(): Json {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail('nothing may follow the value');
    return value;
  }

  private fail(message: string): never {
    const before = this.text.slice(0, this.at);
    const line = before.split('\n').length;
    const column = this.at - before.lastIndexOf('\n');
    throw new JsonSyntaxError(`line ${line}, column ${column}: ${message}`, this.at);
  }

  private space(): void {
    while (this.at < this.text.length && ' \t\r\n'.includes(this.text[this.at]!)) this.at++;
  }

  private take(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private value(depth: number): Json {
    if (depth > depthMax) this.fail(`more than ${depthMax} levels`);
    this.space();
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return this.string();
      case 't':
        if (this.take('true')) return true;
        break;
      case 'f':
        if (this.take('false')) return false;
        break;
      case 'n':
        if (this.take('null')) return null;
        break;
      default: {
        const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
        number.lastIndex = this.at;
        const found = number.exec(this.text);
        if (found) {
          this.at += found[0].length;
          return fitsDouble(found[0]) ? Number(found[0]) : new ExactNumber(found[0]);
        }
      }
    }
    this.fail(this.at >= this.text.length ? 'a value is missing' : 'this is not a JSON value');
  }

  private string(): string {
    const begin = this.at++;
    for (; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]!;
      if (character === '\\') this.at++;
      else if (character === '"') {
        this.at++;
        try {
          return JSON.parse(this.text.slice(begin, this.at)) as string;
        } catch {
          this.at = begin;
          this.fail('a string with an invalid escape or a raw control character');
        }
      }
    }
    this.at = begin;
    this.fail('a string without its closing quote');
  }

  private array(depth: number): Json[] {
    const result: Json[] = [];
    this.at++;
    this.space();
    if (this.take(']')) return result;
    for (;;) {
      result.push(this.value(depth + 1));
      this.space();
      if (this.take(']')) return result;
      if (!this.take(',')) this.fail("',' or ']' is missing");
    }
  }

  private object(depth: number): JsonObject {
    const result: JsonObject = {};
    this.at++;
    this.space();
    if (this.take('}')) return result;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail('a property name in double quotes is missing');
      const name = this.string();
      this.space();
      if (!this.take(':')) this.fail("':' is missing");
      // Not by assignment, for which __proto__ is not a property.
      const value = this.value(depth + 1);
      Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true });
      this.space();
      if (this.take('}')) return result;
      if (!this.take(',')) this.fail("',' or '}' is missing");
    }
  }
}

export function parseExact(text: string): Json {
  return new Parser(text).whole();
}

// Writes what parseExact read. With an indent, small arrays and objects of plain values stay on one line.
export function writeExact(value: Json, indent = 0, lineMax = 80): string {
  const write = (part: Json, depth: number): string => {
    if (part instanceof ExactNumber) return part.text;
    if (part === null || typeof part !== 'object') return JSON.stringify(part);
    const isArray = Array.isArray(part);
    const parts = isArray
      ? part.map((element) => write(element, depth + 1))
      : Object.entries(part).map(([name, element]) => `${JSON.stringify(name)}:${indent ? ' ' : ''}${write(element, depth + 1)}`);
    const [open, close] = isArray ? '[]' : '{}';
    if (parts.length === 0) return `${open}${close}`;
    if (!indent) return `${open}${parts.join(',')}${close}`;
    const line = isArray ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
    if (depth > 0 && line.length + depth * indent <= lineMax && !line.includes('\n')) return line;
    const inner = ' '.repeat(indent * (depth + 1));
    return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${' '.repeat(indent * depth)}${close}`;
  };
  return write(value, 0);
}

// Returns the value at a path such as /a/b, or undefined if there is none.
export function atPath(document: Json, path: string): Json | undefined {
  let value: Json | undefined = document;
  for (const name of pathNames(path)) {
    if (value === null || typeof value !== 'object' || value instanceof ExactNumber || Array.isArray(value)) return undefined;
    if (!Object.prototype.hasOwnProperty.call(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

// "/a/\"b c\"/'d'" names the properties a, b c and d.
export function pathNames(path: string): string[] {
  const part = /\/(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^/]*))/gy;
  return [...path.matchAll(part)].map(([, double, single, bare]) => (double ?? single)?.replace(/\\(.)/g, '$1') ?? bare ?? '');
}
