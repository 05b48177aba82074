/**
 * Makes the ids of a corpus's passages unique, since several passages may have the id of one
 * document.
 */
import { createHash } from 'node:crypto';

/** Slots at first, a power of two; doubled when half of them are taken. */
const SLOTS = 2 ** 12;

/**
 * The set of a corpus's ids so far, which makes repeated ids unique. It stores 64 bits of each id's
 * hash, in 24 to 48 bytes per passage. The probability that any two of 21 million ids collide is
 * one in 100,000; one of them then gets a number without need.
 */
export class PassageIds {
  /** Number of passages so far whose id was repeated. */
  repeated = 0;
  #taken = 0;
  /** Hashes by slot; 0 if the slot is free. */
  #hashes = new BigUint64Array(SLOTS);
  /** Number that the last passage of each slot's id got. */
  #numbers = new Uint32Array(SLOTS);

  /**
   * Adds an id and returns it, at repeated uses as "id-2", "id-3" and so on, skipping ids that are
   * taken. Deterministic for the order of the file.
   */
  distinct(id: string): string {
    const slot = this.#slotOf(id);
    if (this.#take(slot, id)) return id;
    this.repeated++;
    for (let number = Math.max(this.#numbers[slot] ?? 1, 1) + 1; ; number++) {
      const numbered = `${id}-${number}`;
      if (!this.#take(this.#slotOf(numbered), numbered)) continue;
      // Looked up again: the table may have grown.
      this.#numbers[this.#slotOf(id)] = number;
      return numbered;
    }
  }

  /** Returns whether the slot was free. */
  #take(slot: number, id: string): boolean {
    if (this.#hashes[slot] !== 0n) return false;
    this.#hashes[slot] = hashOf(id);
    this.#taken++;
    if (this.#taken * 2 > this.#hashes.length) this.#grow();
    return true;
  }

  #slotOf(id: string): number {
    return this.#find(hashOf(id));
  }

  /** Returns the slot that contains a hash, or else the free slot for it. */
  #find(hash: bigint): number {
    const last = this.#hashes.length - 1;
    let slot = Number(hash & BigInt(last));
    while (this.#hashes[slot] !== 0n && this.#hashes[slot] !== hash) slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const [hashes, numbers] = [this.#hashes, this.#numbers];
    this.#hashes = new BigUint64Array(hashes.length * 2);
    this.#numbers = new Uint32Array(hashes.length * 2);
    for (const [before, hash] of hashes.entries()) {
      if (hash === 0n) continue;
      const slot = this.#find(hash);
      this.#hashes[slot] = hash;
      this.#numbers[slot] = numbers[before] ?? 0;
    }
  }
}

function hashOf(id: string): bigint {
  return createHash('sha1').update(id).digest().readBigUInt64LE() || 1n;
}
