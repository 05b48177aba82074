import { createHash } from 'node:crypto';
import { Failure } from '../core/failure.js';
import { openCorpusFile } from './corpus-reader.js';

/** Collects ids while a corpus is read; at the end it knows which may occur twice. */
export class DuplicateIds {
  #hashes = new BigUint64Array(1024);
  #count = 0;

  add(id: string): void {
    if (this.#count === this.#hashes.length) {
      const larger = new BigUint64Array(this.#hashes.length * 2);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    this.#hashes[this.#count++] = hashOf(id);
  }

  /**
   * Reads the file again when a hash occurred twice, to name the id and both lines.
   *
   * @throws Failure BadInput when an id occurs twice.
   */
  async refuse(file: string, signal?: AbortSignal): Promise<void> {
    const twice = this.#repeated();
    if (twice.size === 0) return;
    const seen = new Map<string, number>();
    const reader = await openCorpusFile(file, { signal });
    for await (const { passage, line } of reader) {
      if (!twice.has(hashOf(passage.id))) continue;
      const first = seen.get(passage.id);
      if (first !== undefined) {
        throw new Failure(
          'BadInput',
          `${reader.source} lines ${first} and ${line} have the same id ` +
            `${JSON.stringify(passage.id)}: ids must be unique.`,
        );
      }
      seen.set(passage.id, line);
    }
  }

  #repeated(): Set<bigint> {
    const sorted = this.#hashes.subarray(0, this.#count).sort();
    const twice = new Set<bigint>();
    sorted.forEach((hash, position) => {
      if (position > 0 && hash === sorted[position - 1]) twice.add(hash);
    });
    return twice;
  }
}

function hashOf(id: string): bigint {
  return createHash('sha1').update(id).digest().readBigUInt64LE();
}
