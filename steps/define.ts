/**
 * Definition of a step: its input, prompt, output type and label. Pure, so that workflows may
 * import it. Shipped and custom steps are defined in the same way.
 */

import type { QuestionDocument } from '../core/demonstration-sets.js';
import type { ModelParameters, OutputForm } from '../core/step-models.js';
import type { Passage } from '../core/vocabulary.js';
import { type JsonSchema, type ModelOutput, type Output, upTo } from './outputs/output.js';

/** The question and the passages that most steps are asked about. */
export interface QuestionInput {
  question: string;
  /** Passage ids, in the order shown; empty if nothing was found or nothing is to be read. */
  passages: string[];
}

/** Stores that a step may read. */
interface KeptTexts {
  demonstrationSets: { pairs(set: string, cluster: number): Promise<QuestionDocument[]> };
}

/** Most characters of a text in a label; pseudo passages and claims are longer. */
export const LABEL = 120;

/** A step as methods see it: its input, its output, and its label in the Temporal UI. */
export interface DeclaredStep<I, O> {
  /**
   * Returns what tells this call from others of the step, such as the candidate or the pair; an empty
   * text where nothing does.
   */
  label(input: I): string;
  /** Never set; it carries the type of the output. */
  readonly result?: O;
}

/** A step with its name, by which its activity is called. */
export interface StepRef<I, O> extends DeclaredStep<I, O> {
  readonly name: string;
}

/** Choice among several prompts of a step. */
interface PromptChoice<I> {
  /** All prompts, so that it is known what a run reads. */
  among: readonly string[];
  of(input: I): string;
}

/** A prompt that comes with its step instead of a file. */
export interface PromptText {
  /** Name of the file, without `.txt`, by which a prompt set can override it. */
  name: string;
  /**
   * The prompt with {{placeholders}}. Text below a line `=== again ===` is added when it is asked
   * again.
   */
  text: string;
}

/** The accepted answers of a question, and the texts that the step was shown. */
export interface Gold {
  answers: readonly string[];
  /** Accepted wordings of each item, if there are several things to say or a list. */
  answerGroups?: readonly (readonly string[])[] | undefined;
  passages: readonly Passage[];
}

/** How a prompt shows a text that grows by turns; the worker keeps the text in pieces. */
interface Transcript<I> {
  /** Returns the key of the last piece so far; null at the beginning. */
  of(input: I): string | null;
  /** Returns what the prompt shows of the text as {{soFar}}: all of it when left out. */
  shown?(text: string): string;
  /**
   * Returns what is put behind the text before the model goes on with it. The prompt of a step that
   * has this ends in {{soFar}}, and nothing is added behind that, so that the next prompt begins with
   * this one.
   */
  added?(input: I, passages: readonly Passage[]): string;
  /**
   * Whether the step writes on: what its output has as `written` is kept as the next piece, and the
   * output has the key of that piece as `soFar` in its place. @default true if it has `added`
   */
  writes?: boolean;
}

/** Tells whether what a step writes is kept as the next piece of a text. */
export function writesOn<I, O>({ transcript }: ModelStep<I, O>): boolean {
  return transcript !== undefined && (transcript.writes ?? transcript.added !== undefined);
}

/** The declaration of a step that asks a model: its prompt, its parameters and its output. */
export interface ModelStep<I, O> extends StepRef<I, O> {
  /** The prompt's file under prompts/ without its extension, or the prompt itself. */
  prompt: string | PromptChoice<I> | PromptText;
  /** Most tokens of the visible answer; doubled if a cut output is asked for again. */
  maxTokens: number | ((input: I) => number);
  /**
   * Returns the passages in the prompt, in order: an id for the full text, or a text to show
   * instead.
   */
  passages?(input: I): (string | Passage)[];
  /** Fills placeholders from the worker's stores, so that the input contains only an id. */
  kept?(input: I, stores: KeptTexts): Promise<Record<string, string>>;
  /** Most characters shown of the text of each passage; all of them when left out. */
  passageLength?: number;
  /** A text that grows by turns, for a step that shows it or writes on. */
  transcript?: Transcript<I>;
  /** Whether what the model thinks is a part of what it writes; it is taken off when left out. */
  keepsThinking?(input: I): boolean;
  /**
   * Texts at which the model stops. If an endpoint refuses them, the step is asked without them;
   * the reader gets the text before the first of them.
   */
  stop?: readonly string[] | ((input: I) => readonly string[]);
  /** Returns the sampling parameters; greedy if left out. */
  sampling?(input: I): { temperature: number; topP?: number };
  /** Whether to ask for the probability of the output, if the endpoint provides it. */
  logprobs?(input: I): boolean;
  /** Returns a number that distinguishes calls with equal prompts; 0 if left out. */
  sample?(input: I): number;
  /**
   * Returns values of placeholders that the input does not fill by itself; each of its texts and
   * numbers fills the placeholder of its name.
   */
  variables?(input: I): Record<string, string>;
  /** The type of the output: its schema, reader, and reminder of its form. */
  output: Output<O> | ((input: I) => Output<O>);
  /** Returns the value used if the output stays unreadable; null if left out. */
  fallback(output: ModelOutput, input: I): O;
  /**
   * Returns the output after which a question takes the most, if that is neither the longest of its
   * type nor the fallback; a dry run continues with it.
   *
   * @param longest The longest text that the model can write.
   */
  costliest?(longest: string, input: I): O;
  /**
   * Returns all outputs of a step by which a method chooses its way. A plan continues with the one
   * after which a question takes the most.
   */
  branches?(input: I): readonly O[];
  /**
   * Returns the output of a perfect reader, from the accepted answers and the texts shown.
   * Undefined if they do not decide it. Left out for steps that write texts or queries.
   */
  oracle?(input: I, gold: Gold): O | undefined;
}

/** Steps that ask a model, by the name of the step, which is that of its activity. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export type ModelSteps = Readonly<Record<string, ModelStep<any, any>>>;

/** Fields that may be left out: the fallback only if it may be null. */
type Optional<O> = 'label' | (null extends O ? 'fallback' : never);

type Defined<I, O> = Omit<ModelStep<I, O>, Optional<O>> & Partial<ModelStep<I, O>>;

/** Declares a step with its types; without a label it is shown by its name alone. */
export function defineStep<I, O>(step: Defined<I, O>): ModelStep<I, O> {
  const usual = { label: () => '', fallback: () => null };
  return { ...usual, ...step } as ModelStep<I, O>;
}

/** Declares a step that shows the passages of its input; the label defaults to their number. */
export function readingStep<I extends Pick<QuestionInput, 'passages'>, O>(
  step: Omit<Defined<I, O>, 'passages'>,
): ModelStep<I, O> {
  const label = ({ passages }: I) => `${passages.length} passages`;
  const passages = ({ passages }: I) => passages;
  return defineStep<I, O>({ label, passages, ...(step as Defined<I, O>) });
}

/** Returns a choice between two prompts: `one` if `isMeant` is true of the input, else `other`. */
export function either<I>(
  one: string,
  isMeant: (input: I) => boolean,
  other: string,
): PromptChoice<I> {
  return { among: [other, one], of: (input) => (isMeant(input) ? one : other) };
}

/** Declares a step that asks no model; the table of steps names it. */
export function declareStep<I, O>(label: (input: I) => string): DeclaredStep<I, O> {
  return { label };
}

/** Returns the type of a step's output for an input; it reads up to the step's stop texts. */
export function outputOf<I, O>(step: ModelStep<I, O>, input: I): Output<O> {
  const { output } = step;
  const type = typeof output === 'function' ? output(input) : output;
  const stop = stopOf(step, input);
  const { read, long } = type;
  return {
    ...type,
    read: (written) => read(upTo(written, stop)),
    ...(long && { long: (written: ModelOutput) => long(upTo(written, stop)) }),
  };
}

/** Returns the texts at which the model stops. */
export function stopOf<I, O>({ stop = [] }: ModelStep<I, O>, input: I): readonly string[] {
  return typeof stop === 'function' ? stop(input) : stop;
}

/** Returns the JSON schema of an output; undefined in the text form, or if it has none. */
export function schemaOf<I, O>(
  step: ModelStep<I, O>,
  input: I,
  form: OutputForm | undefined,
): JsonSchema | undefined {
  return form === 'schema' ? outputOf(step, input).schema : undefined;
}

/** Returns the prompt's file for an input. */
export function promptOf<I, O>({ prompt }: ModelStep<I, O>, input: I): string {
  if (typeof prompt === 'string') return prompt;
  return 'of' in prompt ? prompt.of(input) : prompt.name;
}

/** Returns the files of all prompts of a step. */
export function promptsOf<I, O>({ prompt }: ModelStep<I, O>): readonly string[] {
  if (typeof prompt === 'string') return [prompt];
  return 'among' in prompt ? prompt.among : [prompt.name];
}

/** Returns the values of a prompt's placeholders, except passages and stored texts. */
export function variablesOf<I, O>(step: ModelStep<I, O>, input: I): Record<string, string> {
  const filled = Object.entries(input as object).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  return { ...Object.fromEntries(filled), ...step.variables?.(input) };
}

/** Returns the tokens of the visible answer: the given parameter, or else the step's own. */
export function maxTokensOf<I, O>(
  { maxTokens }: ModelStep<I, O>,
  input: I,
  set: ModelParameters = {},
): number {
  if (set.maxTokens !== undefined) return set.maxTokens;
  return typeof maxTokens === 'number' ? maxTokens : maxTokens(input);
}

/** Tells whether a value is a step that asks a model. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export function isStep(value: unknown): value is ModelStep<any, any> {
  const { name, prompt, output, maxTokens } = Object(value) as Partial<ModelStep<object, unknown>>;
  return typeof name === 'string' && [prompt, output, maxTokens].every((one) => one !== undefined);
}
