/** The hash by which the questions of a run are known: their texts, gold answers and order. */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.js';
import type { RunQuestion } from './run-store.js';

export interface HashedQuestions {
  /** The same questions. They are hashed as they are read. */
  questions: AsyncGenerator<RunQuestion>;
  /** Returns the SHA-256 of those read so far, hexadecimal, as `RunManifest.questionsSha256` has it. */
  sha256(): string;
}

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
