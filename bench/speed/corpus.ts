/** A corpus and questions about nothing, the same for the same seed. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildIndex } from '../../retrieval/build-index.js';

/** The name it is indexed under. */
export const CORPUS = 'bench';

const PASSAGES = 1000;
/** Ten of them make 8 KB. */
const PASSAGE_CHARS = 800;
const VOCABULARY = 800;
const LARGE_VOCABULARY = 200_000;

/**
 * Indexes the corpus under `folder`.
 *
 * @param told Sentences that passages begin with, one each; there are more passages than these.
 */
export async function buildCorpus(
  folder: string,
  corpora: string,
  seed: number,
  told: readonly string[] = [],
): Promise<void> {
  const { sentence, words } = writer(seed);
  const lines = Array.from({ length: told.length + PASSAGES }, (_, n) => {
    let text = n < told.length ? `${told[n]} ` : '';
    while (text.length < PASSAGE_CHARS) text += `${sentence(12)} `;
    text = text.slice(0, PASSAGE_CHARS);
    const id = createHash('sha256').update(`${n} ${text}`).digest('hex').slice(0, 16);
    return JSON.stringify({ id, title: words(3), text });
  });
  const file = join(folder, 'corpus.jsonl');
  await writeFile(file, lines.join('\n'));
  await buildIndex({ file, into: CORPUS, folder: corpora });
}

/** Questions of nine words; no two are the same, so that no call is served from the cache. */
export function* questions(seed: number): Generator<string, never> {
  const { words } = writer(seed);
  for (let n = 1; ; n++) yield `Who wrote the ${words(4)} of ${words(2)} in ${n}?`;
}

/** Writes with words it makes up; the vocabulary is the same for every seed. */
export function writer(seed: number) {
  const vocabulary = makeWords(VOCABULARY);
  const next = random(seed);
  return writing(() => vocabulary[Math.floor(next() * VOCABULARY)] ?? '');
}

/** Writes with words as frequent as those of a language: the n-th n times as rare as the first. */
export function zipfWriter(seed: number) {
  const vocabulary = makeWords(LARGE_VOCABULARY);
  const next = random(seed);
  return writing(() => vocabulary[Math.floor(LARGE_VOCABULARY ** next()) - 1] ?? '');
}

function makeWords(count: number): string[] {
  const make = random(1);
  const letters = (from: string) => from[Math.floor(make() * from.length)] ?? '';
  const syllable = () => letters('bdfgklmnprstvz') + letters('aeiou');
  return Array.from({ length: count }, () => syllable() + syllable() + syllable());
}

function writing(word: () => string) {
  const words = (count: number) => Array.from({ length: count }, word).join(' ');
  return { words, sentence: (count: number) => `${words(count)}.` };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
