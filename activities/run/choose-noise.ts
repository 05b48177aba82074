/** Chooses the passages a question is asked with where a share of them is to be noise. */

import type { DatasetRecord } from '../../core/dataset-record.js';
import { answerTokens, containsAnswer } from '../../core/has-answer.js';
import type { RunSpec } from '../../core/run/input.js';
import type { Passage } from '../../core/vocabulary.js';
import { type NoisyPassages, selectNoisyPassages } from '../../evaluation/noise.js';
import { scorePassages } from '../../evaluation/score-passages.js';
import type { PassageSource } from './passage-source.js';

type Noise = NonNullable<RunSpec['noise']>;

/** Undefined where no passage with an answer is found: the question takes no part. */
export type ChooseNoise = (record: DatasetRecord) => Promise<NoisyPassages<Passage> | undefined>;

/** Random noise is drawn from what is found for so many questions, so many passages each. */
const POOL_QUESTIONS = 200;
const POOL_DEPTH = 10;

/** @param draw Gives so many questions of the data set, drawn by a seed. */
export async function noiseChooser(
  noise: Noise,
  seed: number,
  source: PassageSource,
  draw: (count: number, seed: string) => AsyncIterable<DatasetRecord>,
): Promise<ChooseNoise> {
  const { ratio, kind, count, depth } = noise;
  const pool = new Map<string, { passage: Passage; tokens: string }>();
  if (kind === 'random' && ratio > 0) {
    for await (const record of draw(POOL_QUESTIONS, `${seed}/noise`)) {
      for (const passage of await source.find(record, POOL_DEPTH)) {
        pool.set(passage.id, { passage, tokens: answerTokens(passage.text) });
      }
    }
  }
  return async (record) => {
    const found = await source.find(record, depth);
    const texts = found.map(({ text }) => text);
    const hits = scorePassages(record, texts, [])?.hits ?? [];
    const answers = record.answers.map(answerTokens);
    return selectNoisyPassages(
      found.map((passage, i) => ({ ...passage, hasAnswer: hits[i] ?? false })),
      {
        ...{ ratio, count, kind, seed: `${seed}/${record.id}` },
        pool: [...pool.values()].map(({ passage, tokens }) => ({
          ...passage,
          hasAnswer: containsAnswer(tokens, answers),
        })),
      },
    );
  };
}
