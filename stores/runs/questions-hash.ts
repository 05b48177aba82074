/** The hash that identifies the questions of a run: their texts, gold answers and order. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.js';
import type { RunQuestion } from './run-store.js';

interface HashedQuestions {
  /** The same questions, hashed while they are read. */
  questions: AsyncGenerator<RunQuestion>;
  /**
   * Returns the SHA-256 of the questions read so far, in hexadecimal digits, as in
   * `RunManifest.questionsSha256`.
   */
  sha256(): string;
}

/**
 * Returns the given questions as a stream that can be read once (`questions`), and a function
 * `sha256` that returns the hash of those read so far, in hexadecimal digits.
 */
export function hashedQuestions(questions: AsyncIterable<RunQuestion>): HashedQuestions {
  const hash = createHash('sha256');
  async function* read() {
    for await (const question of questions) {
      hash.update(`${canonicalJson(question)}\n`);
      yield question;
    }
  }
  return { questions: read(), sha256: () => hash.copy().digest('hex') };
}
