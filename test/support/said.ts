/** What a command writes. */

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** One of its streams, so far. */
export class Said {
  text = '';
  readonly #listening = new Set<() => void>();

  add(chunk: string): void {
    this.text += chunk;
    for (const listen of this.#listening) listen();
  }

  /** What a test hears of it while the command is under way. */
  heard(finished: Promise<Finished>) {
    return {
      said: () => this.text,
      /** Resolves once it holds the text; rejects if the command ends before. */
      says: (text: string) =>
        new Promise<void>((resolve, reject) => {
          const listen = () => {
            if (!this.text.includes(text)) return;
            this.#listening.delete(listen);
            resolve();
          };
          this.#listening.add(listen);
          listen();
          finished.then(
            () => reject(new Error(`It ended without saying "${text}": ${this.text}`)),
            reject,
          );
        }),
    };
  }
}
