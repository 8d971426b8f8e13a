// Light or dark: as the system has it, until the user says otherwise.

const name = 'orrery-theme';

class Theme {
  chosen = $state<'light' | 'dark' | null>(read());
  private system = $state(matchMedia('(prefers-color-scheme: dark)').matches);

  constructor() {
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => (this.system = event.matches));
    this.show();
  }

  get dark(): boolean {
    return this.chosen === null ? this.system : this.chosen === 'dark';
  }

  toggle(): void {
    this.chosen = this.dark ? 'light' : 'dark';
    try {
      localStorage.setItem(name, this.chosen);
    } catch {
      // A browser without storage forgets it.
    }
    this.show();
  }

  private show(): void {
    if (this.chosen) document.documentElement.dataset.theme = this.chosen;
  }
}

function read(): 'light' | 'dark' | null {
  try {
    const kept = localStorage.getItem(name);
    return kept === 'light' || kept === 'dark' ? kept : null;
  } catch {
    return null;
  }
}

export const theme = new Theme();
