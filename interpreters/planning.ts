/**
 * Plans an algorithm by running it with the costliest output of each step, so that the calls are
 * those of the costliest question. Pure.
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
} from '../steps/non-model-steps.js';
import { stepNamed } from '../steps/table.js';
import { PlannedTranscripts } from '../stores/transcripts.js';
import {
  type Algorithm,
  boundOptions,
  type Call,
  type FinishedCall,
  type Question,
  runAlgorithm,
} from '../workflows/algorithm.js';
import type { OwnMethod } from '../workflows/define-method.js';

/**
 * The values with which a question is planned: the passages that its searches can find, the custom
 * steps, and the parameters of its calls.
 */
export interface PlanInputs {
  /** The longest passages that one search can find, longest first. */
  passages: readonly Passage[];
  /** Number of distinct passages that all searches can find; Infinity for a corpus. */
  available: number;
  /**
   * Passages already found, by id, longest first. They are returned again once all available ones
   * are found.
   */
  found?: ReadonlyMap<string, Passage>;
  /** Custom steps. */
  steps?: ModelSteps | undefined;
  /** Returns the parameters that replace a step's own. */
  parametersOf?: ((step: string) => ModelParameters | undefined) | undefined;
  /** Maximum number of tokens of an output, if fewer than its step allows. */
  outputTokens?: number;
  /** Store of transcripts; in memory if left out. */
  transcripts?: PlannedTranscripts;
  /** Outputs of the steps by which the method chooses a branch; by default the first of each. */
  branches?: Branches | undefined;
}

/** The outputs of steps that choose a branch, by the step's name. */
type Branches = ReadonlyMap<string, unknown>;

/**
 * The planned calls of a question in the order in which they began, with the conclusion that they
 * lead to.
 */
export interface Plan {
  conclusion: Conclusion<unknown>;
  calls: readonly FinishedCall[];
  /** Returns a passage that a search found; undefined for another id. */
  passage(id: string): Passage | undefined;
  /** The transcripts of the question. */
  transcripts: PlannedTranscripts;
}

/** 200 passages with empty id, title and text: the most that one search can return. */
export const BLANK_PASSAGES = Array.from({ length: 200 }, () => ({ id: '', title: '', text: '' }));

/** Maximum number of clusters of a demonstration set. */
const MOST_CLUSTERS = 100;

/** The parts of a method that planning needs. */
type PlannableMethod<O> = Pick<OwnMethod<O>, 'algorithm' | 'bound'>;

/**
 * Returns the planned calls of a question and the conclusion that they lead to, for the costliest
 * branch that a method can take with these options; `branches` has the outputs that choose the
 * branch, by step. Makes no call.
 *
 * @param measure Returns the cost of a plan, for comparison. @default its approximate tokens
 * @returns Undefined if the method declares no algorithm.
 */
export async function plan<O>(
  method: PlannableMethod<O>,
  asked: Pick<Question<O>, 'question' | 'options'>,
  inputs: PlanInputs,
  measure: (plan: Plan) => number = (one) => tokensIn(one, inputs),
): Promise<BranchPlan | undefined> {
  const plans = await plansByBranch(method, asked, inputs);
  if (plans.length < 2) return plans[0];
  const most = Math.max(...plans.map(measure));
  return plans.find((one) => measure(one) === most);
}

/** A plan with the outputs that chose its branch. */
type BranchPlan = Plan & { branches: Branches };

/**
 * Returns one plan for each branch that a method can take, that is, for each output of a step that
 * chooses a branch. Within one plan such a step returns the same output in all its calls. Empty if
 * the method declares no algorithm.
 */
export async function plansByBranch<O>(
  { algorithm, bound }: PlannableMethod<O>,
  { question, options }: Pick<Question<O>, 'question' | 'options'>,
  inputs: PlanInputs,
): Promise<BranchPlan[]> {
  if (!algorithm) return [];
  const asked = { question, options: bound?.(options) ?? options };
  return plansWith(new Map());

  async function plansWith(branches: Branches): Promise<BranchPlan[]> {
    const { perform, passage, transcripts } = planInterpreter({ ...inputs, branches });
    const interpreter = { perform, flag: () => {}, within: boundOptions };
    const done = await runAlgorithm(algorithm as Algorithm<O, unknown>, asked, interpreter);
    for (const { step, input } of done.calls) {
      const outputs = branches.has(step)
        ? undefined
        : stepNamed(step, inputs.steps)?.branches?.(input as object);
      if (!outputs) continue;
      const plans = outputs.map((output) => plansWith(new Map([...branches, [step, output]])));
      return (await Promise.all(plans)).flat();
    }
    return [{ ...done, passage, transcripts, branches }];
  }
}

/** Returns the approximate tokens of a plan's calls, without the fixed text of their prompts. */
function tokensIn({ calls, passage }: Plan, { steps, parametersOf }: PlanInputs): number {
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

/**
 * Returns the function `perform` with which a question is planned: it makes no call, and returns
 * the costliest output of each model step, or for a step that chooses a branch its output in
 * `branches`, else its first. Also returns the question's transcripts (the conversations that its
 * steps continue), and `passage`, which finds a passage of a simulated search by its id.
 */
export function planInterpreter({
  passages,
  available,
  found: already,
  steps = {},
  parametersOf,
  outputTokens = Infinity,
  branches,
  transcripts = new PlannedTranscripts(),
}: PlanInputs): Pick<Plan, 'passage' | 'transcripts'> & { perform(call: Call): Promise<unknown> } {
  const found = new Map(already);
  let [searches, outputs] = [0, 0];

  /** Returns new passages for each search, the longest first, until all are used. */
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

  /** Stores the text of a step that continues a transcript, as its activity does. */
  async function withTranscriptKey(
    step: ModelStep<object, unknown>,
    input: object,
    output: unknown,
  ) {
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
      return withTranscriptKey(asked, input as object, output);
    },
    passage: (id) => found.get(id),
    transcripts,
  };
}

/** Returns a step's costliest output: the one it declares, or the longest of its type. */
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

/**
 * Returns the most paid calls that one question can make with these options, found by planning.
 * Makes no call. Undefined if the method declares no algorithm.
 */
export async function mostCalls(
  method: PlannableMethod<unknown>,
  options: unknown,
  steps?: ModelSteps,
): Promise<number | undefined> {
  const inputs = { passages: BLANK_PASSAGES, available: Infinity, steps };
  const paid = ({ calls }: Plan) => calls.filter(({ step }) => !FREE.has(step)).length;
  const planned = await plan(method, { question: 'question', options }, inputs, paid);
  return planned && paid(planned);
}

/** Returns a shipped or custom model step by name. @throws Failure BadInput if there is none. */
export function modelStepNamed(name: string, own: ModelSteps = {}): ModelStep<object, unknown> {
  const step = stepNamed(name, own);
  if (step) return step;
  throw new Failure(
    'BadInput',
    `The method asks a step "${name}", which is neither a shipped step nor one of yours; export yours from the module of the method.`,
  );
}
