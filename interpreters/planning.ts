/**
 * An algorithm ahead of time: each step gives the longest, costliest output that it can, so that
 * the calls are those of a question that takes the most. Pure.
 */
import { CHARACTERS_A_TOKEN } from '../methods/estimate.js';
import { Failure } from '../methods/failure.js';
import type { Conclusion } from '../methods/result.js';
import type { Passage, PassageRef } from '../methods/vocabulary.js';
import { type ModelStep, maxTokensOf } from '../steps/define.js';
import { modelSteps } from '../steps/model-steps.js';
import type { RankInput } from '../steps/other/rank.js';
import type { RetrieveInput } from '../steps/other/retrieve.js';
import type { ScoreByTfIdfInput } from '../steps/other/score-by-tf-idf.js';
import type { OwnModelSteps } from '../steps/own-steps.js';
import {
  type Algorithm,
  type Call,
  type Done,
  type Question,
  run,
} from '../workflows/algorithm.js';

/** What the steps of a planned question can find. */
export interface World {
  /** The longest passages that one search can find, the longest first. */
  passages: readonly Passage[];
  /** Different passages that all searches for a question together can find; Infinity of a corpus. */
  available: number;
  /** Clusters of the demonstration set that is named. */
  clusters?: number;
  /** Steps of somebody's own. */
  steps?: OwnModelSteps | undefined;
}

/** The calls of a question that takes the most, and what it would conclude. */
export interface Plan<C = unknown> {
  conclusion: Conclusion<C>;
  calls: readonly Done[];
  /** A passage that a search found. */
  passage(id: string): Passage;
}

/** The most clusters that a demonstration set can have. */
const MOST_CLUSTERS = 100;

/** Runs an algorithm with outputs as long as they can be. Asks nobody. */
export async function plan<O, C>(
  algorithm: Algorithm<O, C>,
  asked: Pick<Question<O>, 'question' | 'options'>,
  world: World,
): Promise<Plan<C>> {
  const planned = planning(world);
  const done = await run(algorithm, asked, { perform: planned.perform, flag: () => {} });
  return { ...done, passage: planned.passage };
}

/** Gives each call of one question its costliest output. */
export function planning({ passages, available, clusters = MOST_CLUSTERS, steps = {} }: World): {
  perform(call: Call): Promise<unknown>;
  passage(id: string): Passage;
} {
  const found = new Map<string, Passage>();
  let [searches, outputs] = [0, 0];

  /** New passages a search until those available are spent, each time the longest. */
  function search({ count }: RetrieveInput): PassageRef[] {
    const before = [...found.keys()];
    const number = searches++;
    return passages.slice(0, count).flatMap((passage, i) => {
      const id = found.size < available ? `${number}.${i}` : before.shift();
      if (id === undefined) return [];
      if (!found.has(id)) found.set(id, { ...passage, id });
      return refOf(id, i);
    });
  }

  function refOf(id: string, position: number): PassageRef {
    return { id, title: found.get(id)?.title ?? '', score: 1 / (position + 1) };
  }

  const nearest = ({ passages: ids, count }: RankInput) => ids.slice(0, count).map(refOf);
  const others = new Map<string, (input: never) => unknown>([
    ['retrieve', search],
    ['rankBySimilarity', nearest],
    ['rankByCrossEncoder', nearest],
    ['scoreByTfIdf', ({ passages: ids }: ScoreByTfIdfInput) => ids.map(() => 1)],
    ['demonstrationSet', ({ name }: { name: string }) => ({ id: name, clusters })],
  ]);

  return {
    async perform({ step, input }) {
      const other = others.get(step);
      if (other) return other(input as never);
      return costliestOutput(modelStepNamed(step, steps), input as object, outputs++);
    },
    passage(id) {
      const passage = found.get(id);
      if (passage) return passage;
      throw new Failure('UnknownPassage', `No search of the plan found a passage "${id}".`);
    },
  };
}

/**
 * What a step gives where it takes the most: as it declares it, else what is read of the longest
 * text, else its fallback.
 *
 * @param number tells outputs apart: texts are different, and of the same length.
 */
function costliestOutput(step: ModelStep<object, unknown>, input: object, number: number): unknown {
  const mark = number.toString(36);
  const longest = 'x'.repeat(CHARACTERS_A_TOKEN * maxTokensOf(step, input) - mark.length) + mark;
  if (step.costliest) return step.costliest(longest, input);
  const output = { text: longest, cut: false };
  return step.parse(output, input) ?? step.fallback(output, input);
}

/** @throws Failure BadInput where nobody has registered it. */
export function modelStepNamed(name: string, own: OwnModelSteps = {}): ModelStep<object, unknown> {
  const step = own[name] ?? modelSteps[name as keyof typeof modelSteps];
  if (step) return step as ModelStep<object, unknown>;
  throw new Failure(
    'BadInput',
    `The method asks a step "${name}", which is none of ours or yours.`,
  );
}
