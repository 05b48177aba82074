/** Holds back what waits for unknown answers until nothing else can go on. */
export class HeldBack {
  #working = 0;
  #waiting: (() => void)[] = [];

  /** @param isReleased Whether nothing is held back from the beginning. */
  constructor(private isReleased = false) {}

  /** Whether it was let go: whatever comes then may depend on what is unknown. */
  get released(): boolean {
    return this.isReleased;
  }

  /** Does what ends by itself; nothing is released while it goes on. */
  async working<T>(work: () => Promise<T>): Promise<T> {
    this.#working++;
    try {
      return await work();
    } finally {
      this.#working--;
      this.#look();
    }
  }

  /** Waits until nothing else can go on, if nothing is released yet. */
  held(): Promise<void> {
    return new Promise((release) => {
      this.#waiting.push(release);
      this.#look();
    });
  }

  /** Waits until all work has ended. */
  async idle(): Promise<void> {
    do await new Promise((next) => setImmediate(next));
    while (this.#working > 0);
  }

  /** An algorithm awaits its calls alone: it has gone on as far as it can before the next task. */
  #look(): void {
    setImmediate(() => {
      if (this.#working > 0 || this.#waiting.length === 0) return;
      this.isReleased = true;
      for (const release of this.#waiting.splice(0)) release();
    });
  }
}
