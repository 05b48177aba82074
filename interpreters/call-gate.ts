/**
 * Holds back the calls of a planned question whose answers are not known, until nothing else of the
 * question can continue. Until then, every call follows from known answers, so a run certainly makes
 * it. Then the gate releases the calls that it holds, and later ones as soon as nothing else runs.
 */
export class CallGate {
  #working = 0;
  #waiting: (() => void)[] = [];

  /** @param isReleased Whether the calls count as released from the beginning. */
  constructor(private isReleased = false) {}

  /** Whether calls were released: later calls may depend on unknown answers. */
  get released(): boolean {
    return this.isReleased;
  }

  /** Runs work that ends by itself; no call is released before it has ended. */
  async working<T>(work: () => Promise<T>): Promise<T> {
    this.#working++;
    try {
      return await work();
    } finally {
      this.#working--;
      this.#releaseIfIdle();
    }
  }

  /** Waits until nothing else can continue. */
  held(): Promise<void> {
    return new Promise((release) => {
      this.#waiting.push(release);
      this.#releaseIfIdle();
    });
  }

  /** Waits until all work has ended. */
  async idle(): Promise<void> {
    do await new Promise((next) => setImmediate(next));
    while (this.#working > 0);
  }

  /**
   * Releases the calls if no work is running. An algorithm awaits only its calls, so it has gone as
   * far as it can before the next task.
   */
  #releaseIfIdle(): void {
    setImmediate(() => {
      if (this.#working > 0 || this.#waiting.length === 0) return;
      this.isReleased = true;
      for (const release of this.#waiting.splice(0)) release();
    });
  }
}
