// Where the page is: what the address says, and how to go elsewhere.

import { addressOf, home, parseAddress, type Place } from './address';

class Here {
  place = $state.raw<Place>(parseAddress(location.hash) ?? home);
  // How often somebody went somewhere: a page that is gone to again begins anew.
  visits = $state(0);
  lost = $state(parseAddress(location.hash) === null);

  constructor() {
    addEventListener('hashchange', () => {
      const found = parseAddress(location.hash);
      this.visits++;
      this.lost = found === null;
      this.place = found ?? home;
    });
  }

  go(place: Parameters<typeof addressOf>[0]): void {
    location.hash = addressOf(place);
  }

  // The same view with other parameters; does not add to the browser's history.
  adjust(query: Record<string, string>): void {
    const address = addressOf({ ...this.place, query: { ...this.place.query, ...query } });
    if (address === (location.hash || '#/')) return;
    history.replaceState(null, '', address);
    this.place = parseAddress(address) ?? home;
  }
}

export const here = new Here();
