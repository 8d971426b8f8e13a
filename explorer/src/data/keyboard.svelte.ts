// The keys of the whole page: Ctrl+K, ?, / and the two-letter ways to the pages.

import { here } from './place.svelte';

const secondKeyMs = 1_500;

export const keyList: [string, string][] = [
  ['Ctrl+K', 'go to anything'],
  ['Ctrl+Enter', 'run the query'],
  ['Esc', 'cancel; close'],
  ['/', 'to the filter of the page'],
  ['g h', 'home'],
  ['g m', 'map of the container'],
  ['g d', 'data of the container'],
  ['g q', 'query'],
  ['g e', 'events'],
  ['?', 'this list'],
];

class Keys {
  paletteOpen = $state(false);
  helpOpen = $state(false);
  private afterG = -Infinity;

  press(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      this.paletteOpen = true;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (document.querySelector('dialog[open]')) return;
    if (event.timeStamp - this.afterG < secondKeyMs) {
      this.afterG = -Infinity;
      if (this.goTo(event.key)) event.preventDefault();
      return;
    }
    if (event.key === 'g') this.afterG = event.timeStamp;
    else if (event.key === '?') this.helpOpen = true;
    else if (event.key === '/') {
      const filter = document.querySelector<HTMLElement>('main [data-filter]');
      if (filter) {
        event.preventDefault();
        filter.focus();
      }
    }
  }

  private goTo(key: string): boolean {
    const { database, container } = here.place;
    const of = container ? { database, container } : null;
    if (key === 'h') here.go({ page: 'home' });
    else if (key === 'e') here.go({ page: 'events' });
    else if (key === 'q') here.go({ page: 'query', query: of ? { db: database, c: container } : {} });
    else if (key === 'm' && of) here.go({ page: 'map', ...of });
    else if (key === 'd' && of) here.go({ page: 'data', ...of });
    else return false;
    return true;
  }
}

// The target inside a shadow root is the editor's, not its host.
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

export const keys = new Keys();
