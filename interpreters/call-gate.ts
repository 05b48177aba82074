/**
 * A gate before the calls of a planned question whose answers are not known. It opens once nothing
 * else of the question can continue. Until then, every call follows from known answers, so a run
 * certainly makes it. Calls that come later pass as soon as nothing else runs.
 */
export class CallGate {
  #working = 0;
  #waiting: (() => void)[] = [];

  /** @param hasOpened Whether it is open from the beginning. */
  constructor(private hasOpened = false) {}

  /** Whether it has opened, so that later calls may depend on unknown answers. */
  get isOpen(): boolean {
    return this.hasOpened;
  }

  /** Runs work that ends by itself; the gate stays closed until then. */
  async working<T>(work: () => Promise<T>): Promise<T> {
    this.#working++;
    try {
      return await work();
    } finally {
      this.#working--;
      this.#openIfIdle();
    }
  }

  /** Waits until nothing else can continue. */
  opened(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#openIfIdle();
    });
  }

  /** Waits until all work has ended. */
  async idle(): Promise<void> {
    do await new Promise((next) => setImmediate(next));
    while (this.#working > 0);
  }

  /**
   * Opens if no work is running. An algorithm awaits only its calls, so it has gone as
   * far as it can before the next task.
   */
  #openIfIdle(): void {
    setImmediate(() => {
      if (this.#working > 0 || this.#waiting.length === 0) return;
      this.hasOpened = true;
      for (const resolve of this.#waiting.splice(0)) resolve();
    });
  }
}
