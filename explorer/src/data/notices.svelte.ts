// Short messages about what was done; errors stay until they are closed.

export interface Notice {
  number: number;
  text: string;
  isError: boolean;
}

const stayMs = 6_000;

class Notices {
  list = $state<Notice[]>([]);
  private next = 0;

  tell(text: string): void {
    const number = this.add(text, false);
    setTimeout(() => this.close(number), stayMs);
  }

  fail(error: unknown): void {
    this.add(error instanceof Error ? error.message : String(error), true);
  }

  close(number: number): void {
    this.list = this.list.filter((notice) => notice.number !== number);
  }

  private add(text: string, isError: boolean): number {
    const number = this.next++;
    this.list = [...this.list.slice(-3), { number, text, isError }];
    return number;
  }
}

export const notices = new Notices();
