// The one-line filter of the data page: total > 10 and name = "ann", as the admin interface's filter.

import { ExactNumber, parseExact, type Json } from './exact_json';

const operators: Record<string, string> = { '=': '=', '==': '=', '!=': '!=', '<>': '!=', '<': '<', '<=': '<=', '>': '>', '>=': '>=', '^=': 'starts_with' };

export class FilterError extends Error {}

// Returns null for an empty text.
export function parseFilter(text: string): Json | null {
  const terms: Json[] = [];
  let rest = text.trim();
  if (rest === '') return null;
  while (rest !== '') {
    const head = /^((?:c\.)?[\w$@-]+(?:\.[\w$@-]+)*|\/[^\s=<>!^]+)\s*(==|!=|<>|<=|>=|\^=|=|<|>)\s*/u.exec(rest);
    if (!head) throw new FilterError('Write a property, one of = != < <= > >= ^= (begins with), and a value: total > 10 and city = "Oslo"');
    rest = rest.slice(head[0].length);
    const value = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s]+)/.exec(rest);
    if (!value) throw new FilterError(`A value is missing after ${head[2]}`);
    rest = rest.slice(value[0].length).trim();
    const path = head[1]!.startsWith('/') ? head[1]! : `/${head[1]!.replace(/^c\./, '').split('.').join('/')}`;
    terms.push({ [operators[head[2]!]!]: [{ path }, literal(value[0])] });
    if (rest === '') break;
    const and = /^(?:and|&&)\s+/i.exec(rest);
    if (!and) throw new FilterError(`Conditions are joined by "and"; this is not one: ${rest}`);
    rest = rest.slice(and[0].length);
    if (rest === '') throw new FilterError('A condition is missing after "and"');
  }
  return terms.length === 1 ? terms[0]! : { and: terms };
}

function literal(text: string): Json {
  if (text.startsWith("'")) return text.slice(1, -1);
  try {
    const value = parseExact(text);
    if (value === null || typeof value !== 'object' || value instanceof ExactNumber) return value;
  } catch {
    // A word without quotes is a text.
  }
  return text;
}
