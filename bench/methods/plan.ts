/** Which methods are asked how many questions, and with which options. Pure. */
import { type MethodName, methods, type OptionsOf } from '../../workflows/methods.js';

/** One row of the table. */
export interface PlannedMethod<M extends MethodName = MethodName> {
  method: M;
  /** What differs from the method's defaults. */
  options: Partial<OptionsOf<M>>;
  questions: number;
}

/** The papers' methods, and the reader they are compared with. */
const COMPARED: readonly MethodName[] = [
  'sure',
  'allies',
  'llatrieval',
  'genread',
  'chainOfNote',
  'ircot',
  'iterRetgen',
  'base',
];
const QUESTIONS = { compared: 12, other: 3 };

/** Small enough for a model that reads a hundred tokens a second and writes ten. */
const REDUCED: { [M in MethodName]?: Partial<OptionsOf<M>> } = {
  sure: { passages: 3 },
  allies: { subQueries: 1, depth: 1 },
  llatrieval: { supporting: 2, passages: 4, window: 4, iterations: 2 },
  chainOfNote: { passages: 3 },
  ircot: { passages: 2, maxPassages: 6, maxThoughts: 3 },
  iterRetgen: { passages: 3 },
  base: { passages: 3 },
  chainOfThought: { passages: 3 },
  mcq: { passages: 3 },
  summarizeThenPredict: { passages: 3 },
  conditionalSummaries: { passages: 3 },
  rerank: { passages: 3 },
  replug: { passages: 3 },
  selectionInference: { passages: 3 },
  selfVerification: { passages: 3, samples: 3, conditions: 1 },
  selfAsk: { passages: 2, maxFollowUps: 2 },
  multiChain: { passages: 2, maxFollowUps: 2, chains: 2 },
  hyde: { passages: 3 },
  lamer: { passages: 3, queries: 2, context: 3, candidates: 10 },
  rankGpt: { passages: 3, candidates: 6, window: 4, stride: 2 },
  rerankPassages: {
    passages: 3,
    candidates: 6,
    by: 'sureSummary',
    compare: ['embedding', 'genericSummary'],
  },
};

/**
 * The rows of the table: what is compared first, then the other baselines as the registry has them.
 *
 * @param only names of methods; all when left out.
 * @param most questions of a method at most.
 * @throws RangeError for a name that is no method's.
 */
export function planFor(only: readonly string[] | undefined, most: number): PlannedMethod[] {
  const known = Object.keys(methods) as MethodName[];
  const unknown = only?.find((name) => !known.some((method) => method === name));
  if (unknown !== undefined) {
    throw new RangeError(`There is no method "${unknown}"; there are ${known.join(', ')}.`);
  }
  const order = [...new Set([...COMPARED, ...known])];
  return order
    .filter((method) => only?.includes(method) ?? true)
    .map((method) => ({
      method,
      options: REDUCED[method] ?? {},
      questions: Math.min(most, COMPARED.includes(method) ? QUESTIONS.compared : QUESTIONS.other),
    }));
}
