// Apart, because only MongoDB's queries and stored scripts need it.
import { javascriptLanguage as language } from '@codemirror/lang-javascript';
import type { Extension } from '@codemirror/state';

export const javascriptLanguage = (): Extension => language;
