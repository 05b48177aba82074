/**
 * A step: its input, prompt, type of output, and line for people. Pure, so that workflows may
 * import it. Shipped steps and your own are defined in the same way.
 */

import type { QuestionDocument } from '../core/demonstration-sets.js';
import type { ModelParameters, OutputForm } from '../core/step-models.js';
import type { Passage } from '../core/vocabulary.js';
import { type JsonSchema, type ModelOutput, type Output, upTo } from './outputs/output.js';

/** What most steps are given. */
export interface QuestionInput {
  question: string;
  /** Ids, in the order shown; none where nothing was found, or nothing is to be read. */
  passages: string[];
}

/** The stores a step may read. */
export interface KeptTexts {
  demonstrationSets: { pairs(set: string, cluster: number): Promise<QuestionDocument[]> };
}

/** The longest text in a label: pseudo passages and claims are longer. */
export const LABEL = 120;

/** A step as methods see it: its input, its output, and its line in the Temporal UI. */
export interface DeclaredStep<I, O> {
  /**
   * Returns what tells this call from others of the step, such as the candidate or the pair; an empty
   * text where nothing does.
   */
  label(input: I): string;
  /** Never set: it carries the type of the output. */
  readonly result?: O;
}

/** A step with the name of its activity. */
export interface StepRef<I, O> extends DeclaredStep<I, O> {
  readonly name: string;
}

/** For a step that has more than one prompt. */
export interface PromptChoice<I> {
  /** All of them, so that it is known what a run reads. */
  among: readonly string[];
  of(input: I): string;
}

/** A prompt that comes with its step, in place of a file. */
export interface PromptText {
  /** A prompt set overrides it by a file of this name, with `.txt` behind it. */
  name: string;
  /** Has {{placeholders}}; text below a line `=== again ===` is added when it is asked again. */
  text: string;
}

/** The accepted answers of a question, and the texts that the step was shown. */
export interface Gold {
  answers: readonly string[];
  /** Of several things to say, or items of a list, the accepted wordings of each. */
  answerGroups?: readonly (readonly string[])[] | undefined;
  passages: readonly Passage[];
}

/** How a prompt shows a text that grows by turns; the worker keeps the text in pieces. */
export interface Transcript<I> {
  /** Returns the key of the last piece so far; null at the beginning. */
  of(input: I): string | null;
  /** Returns what the prompt shows of the text as {{soFar}}: all of it when left out. */
  shown?(text: string): string;
  /**
   * Returns what is put behind the text before the model goes on with it. A step that has this
   * writes on: its prompt ends in {{soFar}}, and nothing is added behind that, so that the next prompt
   * begins with this one. What its output has as `written` is kept as the next piece, and the output
   * has the key of that piece as `soFar` in its place.
   */
  added?(input: I, passages: readonly Passage[]): string;
}

/** A step that asks the model once. */
export interface ModelStep<I, O> extends StepRef<I, O> {
  /** The prompt's file under prompts/ without its ending, or the prompt itself. */
  prompt: string | PromptChoice<I> | PromptText;
  /** Tokens the visible answer may take; twice as many if a cut output is asked again. */
  maxTokens: number | ((input: I) => number);
  /** The passages shown by the prompt, in order: an id for the full text, or a text in its place. */
  passages?(input: I): (string | Passage)[];
  /** Fills placeholders from the worker's stores; the input then holds only an id. */
  kept?(input: I, stores: KeptTexts): Promise<Record<string, string>>;
  /** Most characters shown of the text of each passage; all of them when left out. */
  passageLength?: number;
  /** A text that grows by turns, for a step that shows it or writes on. */
  transcript?: Transcript<I>;
  /** Whether what the model thinks is a part of what it writes; it is taken off when left out. */
  keepsThinking?(input: I): boolean;
  /**
   * Texts at which the model stops. If an endpoint refuses them it is asked without; the reader is
   * given what stands before the first of them.
   */
  stop?: readonly string[] | ((input: I) => readonly string[]);
  /** How the output is sampled; greedily when left out. */
  sampling?(input: I): { temperature: number; topP?: number };
  /** Whether to ask for the probability of the output, where the endpoint gives it. */
  logprobs?(input: I): boolean;
  /** Distinguishes calls whose prompts may be equal; 0 when left out. */
  sample?(input: I): number;
  /**
   * Returns the values of the prompt's placeholders, beside those that the input fills by itself:
   * each of its texts and numbers stands where the prompt has its name.
   */
  variables?(input: I): Record<string, string>;
  /** The type of the output: its schema, its reader, the reminder of its form. */
  output: Output<O> | ((input: I) => Output<O>);
  /** Returns what is used in place of an output that stayed unreadable: null when left out. */
  fallback(output: ModelOutput, input: I): O;
  /**
   * The output after which a question takes the most, if that is neither the longest of its type
   * nor the fallback: a dry run continues with it.
   *
   * @param longest As long a text as the model can write.
   */
  costliest?(longest: string, input: I): O;
  /**
   * The output of a perfect reader, by the accepted answers and what the step was shown, never more
   * than that. Undefined if they do not decide it. Left out of steps that write texts or queries.
   */
  oracle?(input: I, gold: Gold): O | undefined;
}

/** Steps by the name of their activity. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export type ModelSteps = Readonly<Record<string, ModelStep<any, any>>>;

/** What can be left out of a step: its fallback only where it may give null. */
type Optional<O> = 'label' | (null extends O ? 'fallback' : never);

type Defined<I, O> = Omit<ModelStep<I, O>, Optional<O>> & Partial<ModelStep<I, O>>;

/** Declares a step with its types; without a label it is shown by its name alone. */
export function defineStep<I, O>(step: Defined<I, O>): ModelStep<I, O> {
  const usual = { label: () => '', fallback: () => null };
  return { ...usual, ...step } as ModelStep<I, O>;
}

/** Declares a step that shows the passages of its input; without a label it says how many. */
export function readingStep<I extends Pick<QuestionInput, 'passages'>, O>(
  step: Omit<Defined<I, O>, 'passages'>,
): ModelStep<I, O> {
  const label = ({ passages }: I) => `${passages.length} passages`;
  const passages = ({ passages }: I) => passages;
  return defineStep<I, O>({ label, passages, ...(step as Defined<I, O>) });
}

/** Returns the choice between two prompts. */
export function either<I>(
  one: string,
  isMeant: (input: I) => boolean,
  other: string,
): PromptChoice<I> {
  return { among: [other, one], of: (input) => (isMeant(input) ? one : other) };
}

/** Declares a step that asks no model; it is named where it is listed. */
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

/** Returns the JSON schema of an output; undefined in the text form, or without one. */
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

/** Returns the files of all prompts that a step can ask with. */
export function promptsOf<I, O>({ prompt }: ModelStep<I, O>): readonly string[] {
  if (typeof prompt === 'string') return [prompt];
  return 'among' in prompt ? prompt.among : [prompt.name];
}

/** Returns what fills the placeholders of a prompt, but for its passages and what is kept. */
export function variablesOf<I, O>(step: ModelStep<I, O>, input: I): Record<string, string> {
  const filled = Object.entries(input as object).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  return { ...Object.fromEntries(filled), ...step.variables?.(input) };
}

/** Returns the tokens of the visible answer at first: as set, else the step's own. */
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
