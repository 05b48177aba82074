/**
 * A gate at which the calls of a planned question wait if their outputs are not stored. It opens
 * once no other work of the question is running. Calls made before that follow from stored
 * outputs, so a run is certain to make them.
 */
export class CallGate {
  #working = 0;
  #waiting: (() => void)[] = [];

  /** @param hasOpened Whether the gate is open from the beginning. */
  constructor(private hasOpened = false) {}

  /**
   * Whether the gate has opened, so that further calls may depend on outputs that are not stored.
   */
  get isOpen(): boolean {
    return this.hasOpened;
  }

  /** Runs work that does not wait for the gate, which stays closed meanwhile; returns its result. */
  async working<T>(work: () => Promise<T>): Promise<T> {
    this.#working++;
    try {
      return await work();
    } finally {
      this.#working--;
      this.#openIfIdle();
    }
  }

  /** Resolves once the gate is open and no work is running. */
  opened(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#openIfIdle();
    });
  }

  /** Resolves once all work has ended. */
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
