/**
 * Plans an algorithm: each step returns its longest, costliest output, so that the calls are those
 * of a question that takes the most. Pure.
 */

import { CHARACTERS_A_TOKEN } from '../core/estimate.js';
import { Failure } from '../core/failure.js';
import type { Conclusion } from '../core/result.js';
import type { ModelParameters } from '../core/step-models.js';
import type { Passage, PassageRef } from '../core/vocabulary.js';
import {
  extendsTranscript,
  type ModelStep,
  type ModelSteps,
  maxTokensOf,
  outputOf,
} from '../steps/define.js';
import type {
  EmbedTextsInput,
  RankInput,
  RetrieveInput,
  ScoreByTfIdfInput,
} from '../steps/other.js';
import { stepNamed } from '../steps/table.js';
import { PlannedTranscripts } from '../stores/transcripts.js';
import {
  type Algorithm,
  boundOptions,
  type Call,
  type Done,
  type Question,
  run,
} from '../workflows/algorithm.js';
import type { OwnMethod } from '../workflows/define-method.js';

/** What a planned question can find. */
export interface World {
  /** The longest passages that one search can find, longest first. */
  passages: readonly Passage[];
  /** Distinct passages that its searches can find; Infinity for a corpus. */
  available: number;
  /** Passages already found, by id, longest first. */
  found?: ReadonlyMap<string, Passage>;
  /** Custom steps. */
  steps?: ModelSteps | undefined;
  /** Returns the parameters that replace a step's own. */
  parametersOf?: ((step: string) => ModelParameters | undefined) | undefined;
  /** Tokens of an output, if fewer than it can have. */
  outputTokens?: number;
  /** Store of the texts that grow by turns; in memory if left out. */
  transcripts?: PlannedTranscripts;
  /** The outputs of steps by which the method chooses its way, by step: the first one by default. */
  branches?: Branches | undefined;
}

/** The output that a plan takes of each step, by the step's name. */
type Branches = ReadonlyMap<string, unknown>;

/** The calls of a question that takes the most, and its conclusion. */
export interface Plan {
  conclusion: Conclusion<unknown>;
  calls: readonly Done[];
  /** Returns a passage that a search found; undefined for another id. */
  passage(id: string): Passage | undefined;
  /** The texts of the question that grow by turns. */
  transcripts: PlannedTranscripts;
}

/** Empty passages, as many as a search can be asked for. */
export const BLANKS = Array.from({ length: 200 }, () => ({ id: '', title: '', text: '' }));

/** Most clusters of a demonstration set. */
const MOST_CLUSTERS = 100;

/** The parts of a method that planning needs. */
type Planned<O> = Pick<OwnMethod<O>, 'algorithm' | 'bound'>;

/**
 * Runs a method's algorithm with the longest outputs, without a call. Of several ways that it can
 * take, the one on which it takes the most. Undefined if the method declares no algorithm.
 *
 * @param measure Returns how much a way takes; by default about how many tokens.
 */
export async function plan<O>(
  method: Planned<O>,
  asked: Pick<Question<O>, 'question' | 'options'>,
  world: World,
  measure: (plan: Plan) => number = (one) => tokensIn(one, world),
): Promise<Way | undefined> {
  const ways = await waysOf(method, asked, world);
  if (ways.length < 2) return ways[0];
  const most = Math.max(...ways.map(measure));
  return ways.find((way) => measure(way) === most);
}

/** A plan with the outputs that chose the way. */
type Way = Plan & { branches: Branches };

/**
 * Runs a method's algorithm on every way that it can take: with each output of the steps by which
 * it chooses. A step gives the same output however often it is asked. None without an algorithm.
 */
export async function waysOf<O>(
  { algorithm, bound }: Planned<O>,
  { question, options }: Pick<Question<O>, 'question' | 'options'>,
  world: World,
): Promise<Way[]> {
  if (!algorithm) return [];
  const asked = { question, options: bound?.(options) ?? options };
  return waysWith(new Map());

  async function waysWith(branches: Branches): Promise<Way[]> {
    const { perform, passage, transcripts } = planning({ ...world, branches });
    const interpreter = { perform, flag: () => {}, within: boundOptions };
    const done = await run(algorithm as Algorithm<O, unknown>, asked, interpreter);
    for (const { step, input } of done.calls) {
      const outputs = branches.has(step)
        ? undefined
        : stepNamed(step, world.steps)?.branches?.(input as object);
      if (!outputs) continue;
      const ways = outputs.map((output) => waysWith(new Map([...branches, [step, output]])));
      return (await Promise.all(ways)).flat();
    }
    return [{ ...done, passage, transcripts, branches }];
  }
}

/** Returns about how many tokens the calls of a plan take, without what their prompts share. */
function tokensIn({ calls, passage }: Plan, { steps, parametersOf }: World): number {
  const tokens = calls.map(({ step, input }) => {
    const asked = stepNamed(step, steps);
    if (!asked) return 0;
    const shown = asked.passages?.(input as object) ?? [];
    const texts = shown.map((one) => (typeof one === 'string' ? passage(one) : one)?.text ?? '');
    const written = [JSON.stringify(input), ...texts].join('').length / CHARACTERS_A_TOKEN;
    return written + maxTokensOf(asked, input as object, parametersOf?.(step));
  });
  return tokens.reduce((sum, one) => sum + one, 0);
}

/** Returns an interpreter that gives each call of one question its costliest output. */
export function planning({
  passages,
  available,
  found: already,
  steps = {},
  parametersOf,
  outputTokens = Infinity,
  branches,
  transcripts = new PlannedTranscripts(),
}: World): Pick<Plan, 'passage' | 'transcripts'> & { perform(call: Call): Promise<unknown> } {
  const found = new Map(already);
  let [searches, outputs] = [0, 0];

  /** Finds new passages in each search, the longest first, until all are used. */
  function search({ count }: RetrieveInput): PassageRef[] {
    const before = [...found.keys()];
    const number = searches++;
    return passages.slice(0, count).flatMap((passage, i): PassageRef[] => {
      const id = found.size < available ? `${number}.${i}` : before.shift();
      if (id === undefined) return [];
      if (!found.has(id)) found.set(id, { ...passage, id });
      return [refOf(id, i)];
    });
  }

  function refOf(id: string, position: number): PassageRef {
    return { id, title: found.get(id)?.title ?? '', score: 1 / (position + 1) };
  }

  /** Puts what a step that writes on has written behind the text so far, as its activity does. */
  async function withPiece(step: ModelStep<object, unknown>, input: object, output: unknown) {
    const { transcript } = step;
    if (!transcript || !extendsTranscript(step)) return output;
    const shown = step.passages?.(input) ?? [];
    const texts = shown.flatMap((one) => (typeof one === 'string' ? (found.get(one) ?? []) : one));
    const { written, ...value } = output as { written: string };
    const added = transcript.added?.(input, texts) ?? '';
    const end = await transcripts.add(transcript.of(input), added);
    return { ...value, soFar: await transcripts.add(end, written) };
  }

  const nearest = ({ passages: ids, count }: RankInput) => ids.slice(0, count).map(refOf);
  const others = new Map<string, (input: never) => unknown>([
    ['retrieve', search],
    ['embedTexts', ({ texts }: EmbedTextsInput) => texts],
    ['rankBySimilarity', nearest],
    ['rankByCrossEncoder', nearest],
    ['scoreByTfIdf', ({ passages: ids }: ScoreByTfIdfInput) => ids.map(() => 1)],
    ['demonstrationSet', ({ name }: { name: string }) => ({ id: name, clusters: MOST_CLUSTERS })],
  ]);

  return {
    async perform({ step, input, action }) {
      if (action) return action.longest(input);
      const other = others.get(step);
      if (other) return other(input as never);
      const asked = modelStepNamed(step, steps);
      const [first] = asked.branches?.(input as object) ?? [];
      if (first !== undefined) return branches?.has(step) ? branches.get(step) : first;
      const tokens = Math.min(
        outputTokens,
        maxTokensOf(asked, input as object, parametersOf?.(step)),
      );
      const output = costliestOutput(asked, input as object, textOf(tokens, outputs++));
      return withPiece(asked, input as object, output);
    },
    passage: (id) => found.get(id),
    transcripts,
  };
}

/** Returns a step's costliest output: as declared, or the longest of its type. */
function costliestOutput(step: ModelStep<object, unknown>, input: object, longest: string) {
  if (step.costliest) return step.costliest(longest, input);
  const { longest: longestOf } = outputOf(step, input);
  return longestOf?.(longest) ?? step.fallback({ text: longest, cut: false }, input);
}

/** Returns a text of `tokens` tokens, different for each number. */
function textOf(tokens: number, number: number): string {
  const mark = number.toString(36);
  return 'x'.repeat(Math.max(0, CHARACTERS_A_TOKEN * tokens - mark.length)) + mark;
}

/** Steps that cost nothing. */
const FREE = new Set(['retrieve', 'scoreByTfIdf', 'demonstrationSet']);

/** Returns the most paid calls of a question; undefined without an algorithm. */
export async function mostCalls(
  method: Planned<unknown>,
  options: unknown,
  steps?: ModelSteps,
): Promise<number | undefined> {
  const world = { passages: BLANKS, available: Infinity, steps };
  const paid = ({ calls }: Plan) => calls.filter(({ step }) => !FREE.has(step)).length;
  const planned = await plan(method, { question: 'question', options }, world, paid);
  return planned && paid(planned);
}

/** Returns a shipped or custom step. @throws Failure BadInput if there is none of this name. */
export function modelStepNamed(name: string, own: ModelSteps = {}): ModelStep<object, unknown> {
  const step = stepNamed(name, own);
  if (step) return step;
  throw new Failure(
    'BadInput',
    `The method asks a step "${name}", which is neither a shipped step nor one of yours; export yours from the module of the method.`,
  );
}
