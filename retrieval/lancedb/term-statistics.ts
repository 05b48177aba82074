/** Counts the passages in which each term occurs, in memory that does not grow with the corpus. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type CorpusStatistics, countTerms } from '../bm25.js';

/** File beside the table of a build. */
const FILE = 'term-statistics.gz';

/**
 * Number of rows of counters. A term has one counter in each row, which other terms may share, so
 * its lower count is the better one: a count-min sketch (Cormode and Muthukrishnan, 2005). With a
 * million passages and two million terms, a rare term counts about one too high and a frequent one
 * exactly.
 */
const ROWS = 2;
const WIDEST = 2 ** 21;
/**
 * Fewest counters of a row for each one that is used. A small corpus therefore has a small file.
 */
const SPARE = 8;
/** The header: passages, and all their words in two halves of 32 bits. */
const HEADER = 3;
const HALF = 2 ** 32;

/**
 * A counter of passages, of words, and of the passages in which each term occurs (approximately: a
 * rare term may count somewhat too high), for use while a corpus is indexed.
 */
export class TermCounter {
  readonly #counts = new Uint32Array(ROWS * WIDEST);
  #passages = 0;
  #words = 0;

  /** Counts a passage and returns its length in words, without stop words. */
  add(text: string): number {
    const { length, counts } = countTerms(text);
    this.#passages++;
    this.#words += length;
    for (const term of counts.keys()) {
      for (const place of placesOf(term, WIDEST)) this.#counts[place] = this.#at(place) + 1;
    }
    return length;
  }

  /** Writes the counts into the folder of a build. */
  async write(folder: string): Promise<void> {
    const counts = narrowed(this.#counts);
    const whole = new Uint32Array(HEADER + counts.length);
    whole.set([this.#passages, Math.floor(this.#words / HALF), this.#words % HALF]);
    whole.set(counts, HEADER);
    await writeFile(path.join(folder, FILE), await promisify(gzip)(whole));
  }

  #at(place: number): number {
    return this.#counts[place] ?? 0;
  }
}

/**
 * Returns the statistics for BM25 that `TermCounter.write` wrote into the folder of a build.
 * @throws Node's error if they are missing.
 */
export async function readTermStatistics(folder: string): Promise<CorpusStatistics> {
  const packed = await readFile(path.join(folder, FILE));
  const bytes = await promisify(gunzip)(packed);
  const whole = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const [texts = 0, high = 0, low = 0] = whole;
  const counts = whole.subarray(HEADER);
  const width = counts.length / ROWS;
  return {
    texts,
    averageLength: (high * HALF + low) / (texts || 1),
    textsWith: (term) => Math.min(...placesOf(term, width).map((place) => counts[place] ?? 0)),
  };
}

/** Returns a term's place in each row; halving the width halves the place. */
function placesOf(term: string, width: number): number[] {
  return [hash(term, 0x811c9dc5) % width, width + (hash(term, 0x2f0b4a37) % width)];
}

/** FNV-1a over UTF-16, its bits mixed at the end (the finalizer of MurmurHash3). */
function hash(term: string, seed: number): number {
  let h = seed;
  for (let i = 0; i < term.length; i++) h = Math.imul(h ^ term.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Returns the counts in half as many places, as often as enough of them stay free. */
function narrowed(counts: Uint32Array): Uint32Array {
  const width = counts.length / ROWS;
  let taken = 0;
  for (let place = 0; place < counts.length; place++) if (counts[place]) taken++;
  if (width <= SPARE || (taken / ROWS) * SPARE > width) return counts;
  const half = width / 2;
  const narrow = new Uint32Array(counts.length / 2);
  for (let place = 0; place < narrow.length; place++) {
    const from = place < half ? place : place + half;
    narrow[place] = (counts[from] ?? 0) + (counts[from + half] ?? 0);
  }
  return narrowed(narrow);
}
