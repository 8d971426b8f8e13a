// CodeMirror from its parts: only what the page uses, so that this chunk stays small.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { json } from '@codemirror/lang-json';
import { SQLDialect, sql } from '@codemirror/lang-sql';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type Language = 'sql' | 'cassandra' | 'mongo' | 'table' | 'gremlin' | 'json' | 'javascript';

export interface EditorOptions {
  value: string;
  language: Language;
  label: string;
  readonly: boolean;
  rows: number;
  dark: boolean;
  complete?: ((word: string) => string[]) | undefined;
  onrun: () => void;
  onchange: (text: string) => void;
}

export interface EditorHandle {
  setValue(text: string): void;
  setLanguage(language: Language): void;
  setDark(dark: boolean): void;
  selection(): { from: number; to: number };
  focus(): void;
  destroy(): void;
}

const lineHeight = 20;

const documentSql = SQLDialect.define({
  keywords: 'select distinct value top from in join where group by order asc desc offset limit as and or not between like escape exists array null true false undefined udf having is rank',
  builtin: 'abs acos array_concat array_contains array_length array_slice avg ceiling concat contains count datetimeadd datetimediff documentid endswith floor getcurrentdatetime index_of is_array is_bool is_defined is_null is_number is_object is_primitive is_string left length lower ltrim max min power rand replace replicate reverse right round rtrim sin sqrt st_distance st_within startswith stringequals stringtonumber substring sum tostring trim upper vectordistance',
  doubleQuotedStrings: true,
  operatorChars: '*+-%<>!=&|~^/?:',
});
const cql = SQLDialect.define({
  keywords: 'add aggregate all allow alter and apply as asc ascii authorize batch begin by called clustering columnfamily commit compact contains counter create custom delete desc describe distinct drop entries execute exists filtering finalfunc from frozen full function functions grant group if in index initcond input insert into is json key keys keyspace keyspaces language like limit list login map materialized mbean modify nologin norecursive nosuperuser not null of on options or order partition password per permission permissions primary rename replace returns revoke role roles schema select set sfunc static storage stype superuser table timestamp to token trigger truncate ttl tuple type unlogged unset update use user users using values view where with writetime true false',
  types: 'ascii bigint blob boolean counter date decimal double duration float inet int smallint text time timestamp timeuuid tinyint uuid varchar varint list set map tuple frozen',
  slashComments: true,
});
const odata = SQLDialect.define({ keywords: 'eq ne gt ge lt le and or not true false datetime guid binary', operatorChars: '$=,' });

// Steps, strings, numbers and comments of Groovy are all that a traversal needs.
const gremlin = StreamLanguage.define<null>({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^'(?:[^'\\]|\\.)*'?/) || stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^\d+(?:\.\d+)?[dlf]?/i)) return 'number';
    if (stream.match(/^(?:true|false|null|__|g|P|T|Order|Scope|Cardinality|TextP|within|without)\b/)) return 'keyword';
    if (stream.match(/^[A-Za-z_]\w*(?=\s*\()/)) return 'propertyName';
    stream.next();
    return null;
  },
});

async function extensionOf(language: Language): Promise<Extension> {
  switch (language) {
    case 'sql':
      return sql({ dialect: documentSql, upperCaseKeywords: true });
    case 'cassandra':
      return sql({ dialect: cql, upperCaseKeywords: true });
    case 'table':
      return sql({ dialect: odata });
    case 'gremlin':
      return gremlin;
    case 'json':
      return json();
    case 'mongo':
    case 'javascript':
      return (await import('./editor_javascript')).javascriptLanguage();
  }
}

const colours = (dark: boolean): Extension => {
  const c = dark
    ? { keyword: '#c5a3f5', string: '#8fd3a8', number: '#f0bd5c', comment: '#96a0b5', name: '#7cb8e0', bracket: '#b4bccd' }
    : { keyword: '#6b3fa8', string: '#1d6b45', number: '#8a5a00', comment: '#646a7c', name: '#1f5f8b', bracket: '#4d5468' };
  return syntaxHighlighting(HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: c.keyword },
    { tag: [tags.string, tags.special(tags.string)], color: c.string },
    { tag: [tags.number, tags.bool, tags.null], color: c.number },
    { tag: tags.comment, color: c.comment, fontStyle: 'italic' },
    { tag: [tags.propertyName, tags.typeName, tags.standard(tags.name)], color: c.name },
    { tag: [tags.bracket, tags.punctuation, tags.operator], color: c.bracket },
  ]));
};

const theme = (dark: boolean, rows: number): Extension => EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--sheet)', minHeight: `${rows * lineHeight}px`, maxHeight: '50vh' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: `${lineHeight}px`, minHeight: `${rows * lineHeight}px` },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sheet)', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: dark ? '#2b4a68' : '#cfe2f1' },
  '.cm-tooltip': { backgroundColor: 'var(--sheet)', border: '1px solid var(--line)', color: 'var(--ink)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--ink)' },
}, { dark });

export function createEditor(root: ShadowRoot, options: EditorOptions): EditorHandle {
  const language = new Compartment();
  const look = new Compartment();
  let current: Language | null = null;
  let currentDark = options.dark;

  const words = (context: CompletionContext): CompletionResult | null => {
    const before = context.matchBefore(/[\w$]+/);
    if (!before || !options.complete) return null;
    const found = options.complete(before.text);
    return found.length === 0 ? null : { from: before.from, options: found.map((label) => ({ label })), validFor: /^[\w$]*$/ };
  };
  const state = EditorState.create({
    doc: options.value,
    extensions: [
      keymap.of([
        { key: 'Mod-Enter', run: () => (options.onrun(), true) },
        ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap.filter((binding) => binding.key !== 'Mod-Enter'),
      ]),
      options.rows > 1 ? lineNumbers() : [],
      history(), drawSelection(), highlightSpecialChars(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(),
      EditorState.readOnly.of(options.readonly),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': options.label, 'aria-multiline': 'true', spellcheck: 'false' }),
      EditorView.updateListener.of((update) => update.docChanged && options.onchange(update.state.doc.toString())),
      language.of([]),
      look.of([theme(options.dark, options.rows), colours(options.dark)]),
      options.complete ? [autocompletion(), EditorState.languageData.of(() => [{ autocomplete: words }])] : autocompletion(),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  const handle: EditorHandle = {
    setValue(text) {
      const old = view.state.doc.toString();
      if (old !== text) view.dispatch({ changes: { from: 0, to: old.length, insert: text } });
    },
    setLanguage(name) {
      if (name === current) return;
      current = name;
      void extensionOf(name).then((extension) => current === name && view.dispatch({ effects: language.reconfigure(extension) }));
    },
    setDark(dark) {
      if (dark === currentDark) return;
      currentDark = dark;
      view.dispatch({ effects: look.reconfigure([theme(dark, options.rows), colours(dark)]) });
    },
    selection: () => ({ from: view.state.selection.main.from, to: view.state.selection.main.to }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
  handle.setLanguage(options.language);
  return handle;
}
