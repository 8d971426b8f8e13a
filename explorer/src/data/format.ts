// Numbers, times and foreign text as the page shows them. The language is English throughout, so
// that what is on the screen can be searched for.

const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const hundredth = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function count(value: number): string {
  return integer.format(value);
}

// "811 MB": three digits, binary steps with the names that people use for them.
export function bytes(value: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

// Request units of one request: always to the hundredth, as they are charged.
export function charge(value: number): string {
  return hundredth.format(value);
}

// Request units in a second: whole ones, but for a trickle.
export function rate(value: number): string {
  return value > 0 && value < 10 ? value.toFixed(1) : integer.format(value);
}

export function percent(share: number): string {
  if (!Number.isFinite(share)) return '-';
  const value = share * 100;
  if (value > 0 && value < 1) return '<1 %';
  return `${integer.format(value)} %`;
}

export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return span(ms / 1000);
}

// "2 h", "3 d": the two largest units of a long time.
export function span(seconds: number): string {
  const steps: [number, string][] = [[86_400, 'd'], [3_600, 'h'], [60, 'min'], [1, 's']];
  let rest = Math.max(0, Math.floor(seconds));
  const parts: string[] = [];
  for (const [size, unit] of steps) {
    const whole = Math.floor(rest / size);
    if (whole > 0) parts.push(`${whole} ${unit}`);
    rest -= whole * size;
    if (parts.length === 2) break;
  }
  return parts.join(' ') || '0 s';
}

const two = (value: number): string => String(value).padStart(2, '0');

// The time of day at this machine, with the date when it is not of today.
export function time(ms: number, now: number = Date.now(), seconds = true): string {
  const at = new Date(ms);
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}${seconds ? `:${two(at.getSeconds())}` : ''}`;
  if (at.toDateString() === new Date(now).toDateString()) return clock;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock}`;
}

export function dateTime(ms: number): string {
  const at = new Date(ms);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

const replacements: Record<string, string> = { '\n': '⏎', '\r': '␍', '\t': '⇥' };

// Foreign text for one line of the page: what cannot be seen, or turns the text around, is shown by
// its code. (Markup needs nothing: the page makes text nodes only.)
export function visible(text: string): string {
  // C0 and C1 controls, marks of direction and of zero width, line separators, lone surrogates.
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (character) => {
      const code = character.charCodeAt(0);
      return replacements[character] ?? (code < 32 ? String.fromCharCode(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`);
    });
}

export function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

// A word of a command line, quoted for a POSIX shell when it needs to be.
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+-]+$/.test(text)) return text;
  return `'${text.replace(/'/g, `'\\''`)}'`;
}
