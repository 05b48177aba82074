/**
 * Declarations of steps: input, prompt, output type and label. Pure, so that workflows may import
 * it. Shipped and custom steps are declared in the same way.
 */

import type { QuestionDocument } from '../core/demonstration-sets.js';
import type { ModelParameters, OutputForm } from '../core/step-models.js';
import type { Passage } from '../core/vocabulary.js';
import { type JsonSchema, type ModelOutput, type Output, outputBefore } from './outputs/output.js';

/** The input that most steps share: a question and the ids of its passages. */
export interface QuestionInput {
  question: string;
  /** Passage ids, in the order shown; empty if nothing was found or nothing is to be read. */
  passages: string[];
}

/** Stored texts that a step may read. */
interface KeptTexts {
  demonstrationSets: { pairs(set: string, cluster: number): Promise<QuestionDocument[]> };
}

/** Maximum number of characters of a text within a label. */
export const LONGEST_LABEL = 120;

/**
 * A step as methods use it: the types of its input and output, and its label in the Temporal UI.
 */
export interface DeclaredStep<I, O> {
  /**
   * Returns a short text that distinguishes this call from others of the step, such as the
   * candidate; empty if there is nothing to add to the step's name.
   */
  label(input: I): string;
  /** Type of the output; never set. */
  readonly result?: O;
}

/** A step with its name, which is also that of its activity. */
export interface StepRef<I, O> extends DeclaredStep<I, O> {
  readonly name: string;
}

/** A choice among several prompts of a step by its input. */
interface PromptChoice<I> {
  /** Names of all prompts, so that a run can record those that it may use. */
  among: readonly string[];
  /** Returns the name of the prompt for an input. */
  of(input: I): string;
}

/** A prompt that is declared with its step instead of in a file. */
export interface PromptText {
  /** Name of the file, without `.txt`, by which a prompt set can override it. */
  name: string;
  /**
   * The prompt with {{placeholders}}. Text below a line `=== again ===` is added when it is asked
   * again.
   */
  text: string;
}

/**
 * The input of an oracle: a question's accepted answers, and the passages that the step was shown.
 */
export interface Gold {
  answers: readonly string[];
  /** Accepted wordings of each expected item, if an answer has several. */
  answerGroups?: readonly (readonly string[])[] | undefined;
  passages: readonly Passage[];
}

/** How a step uses a transcript: a text that grows by turns, which workers store in pieces. */
interface Transcript<I> {
  /** Returns the key of the transcript's last piece; null at the beginning. */
  of(input: I): string | null;
  /** Returns the text for the placeholder {{soFar}}. @default the whole transcript */
  shown?(text: string): string;
  /**
   * Returns text to append to the transcript before it is shown. A step that has this extends the
   * transcript: the field `written` of its output is stored as the next piece, and replaced by that
   * piece's key as `soFar`.
   */
  added?(input: I, passages: readonly Passage[]): string;
}

/** Returns whether a step's output is stored as the next piece of a transcript. */
export function extendsTranscript<I, O>({
  transcript,
}: Pick<ModelStep<I, O>, 'transcript'>): boolean {
  return transcript?.added !== undefined;
}

/**
 * Returns whether a step asks for the next turn of a transcript. Its prompt ends in the whole
 * transcript, so that each prompt begins with the previous one.
 */
export function asksForTurn<I, O>(step: Pick<ModelStep<I, O>, 'transcript'>): boolean {
  return extendsTranscript(step) && step.transcript?.shown === undefined;
}

/** The declaration of a step that asks a model: its prompt, parameters and output type. */
export interface ModelStep<I, O> extends StepRef<I, O> {
  /**
   * Name of the prompt's file under prompts/ without its extension, a choice of several, or the
   * prompt itself.
   */
  prompt: string | PromptChoice<I> | PromptText;
  /** Maximum number of tokens of the visible answer; doubled if a cut output is asked for again. */
  maxTokens: number | ((input: I) => number);
  /**
   * Returns the passages to show in the prompt, in order: an id for the full text, or a passage
   * with the text to show.
   */
  passages?(input: I): (string | Passage)[];
  /**
   * Returns values of placeholders from the worker's stores, for texts that the input names by id.
   */
  kept?(input: I, stores: KeptTexts): Promise<Record<string, string>>;
  /** Maximum number of characters of each passage's text. @default no limit */
  passageLength?: number;
  /** The transcript that the step shows or extends; left out if it uses none. */
  transcript?: Transcript<I>;
  /** Returns whether the model's thinking is kept as part of its output. @default it is removed */
  keepsThinking?(input: I): boolean;
  /**
   * Stop texts. If an endpoint does not support them, the step is asked without; in any case the
   * output is read up to the first of them.
   */
  stop?: readonly string[] | ((input: I) => readonly string[]);
  /** Returns the sampling parameters; greedy if left out. */
  sampling?(input: I): { temperature: number; topP?: number };
  /** Whether to ask for the probability of the output, if the endpoint provides it. */
  logprobs?(input: I): boolean;
  /** Returns a number that distinguishes calls with equal prompts; 0 if left out. */
  sample?(input: I): number;
  /**
   * Returns values of further placeholders. Each text or number of the input fills the placeholder
   * of its name without it.
   */
  variables?(input: I): Record<string, string>;
  /** The type of the output: its schema, reader, and reminder of its form. */
  output: Output<O> | ((input: I) => Output<O>);
  /**
   * Returns the value to use if the output stays unreadable. `defineStep` fills in one that returns
   * null.
   */
  fallback(output: ModelOutput, input: I): O;
  /**
   * Returns the output with which a dry run continues: the one after which a question costs the
   * most. Left out if that is the longest value of the output type, or the fallback.
   *
   * @param longest The longest text that the model can write.
   */
  costliest?(longest: string, input: I): O;
  /**
   * Returns all possible outputs of a step that decides how a method continues. A dry run uses the
   * one after which a question costs the most.
   */
  branches?(input: I): readonly O[];
  /**
   * Returns the output of a perfect model, derived from the accepted answers and the passages
   * shown; undefined if they do not decide it. Left out for steps that write texts or queries.
   */
  oracle?(input: I, gold: Gold): O | undefined;
}

/** Declarations of steps that ask a model, by name. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export type ModelSteps = Readonly<Record<string, ModelStep<any, any>>>;

/** Fields that may be left out: the fallback only if it may be null. */
type Optional<O> = 'label' | (null extends O ? 'fallback' : never);

type Defined<I, O> = Omit<ModelStep<I, O>, Optional<O>> & Partial<ModelStep<I, O>>;

/** Declares a step that asks a model, and returns it with defaults for `label` and `fallback`. */
export function defineStep<I, O>(step: Defined<I, O>): ModelStep<I, O> {
  const usual = { label: () => '', fallback: () => null };
  return { ...usual, ...step } as ModelStep<I, O>;
}

/**
 * Declares a step whose prompt shows the passages of its input; its label is their number by
 * default.
 */
export function readingStep<I extends Pick<QuestionInput, 'passages'>, O>(
  step: Omit<Defined<I, O>, 'passages'>,
): ModelStep<I, O> {
  const label = ({ passages }: I) => `${passages.length} passages`;
  const passages = ({ passages }: I) => passages;
  return defineStep<I, O>({ label, passages, ...(step as Defined<I, O>) });
}

/**
 * Returns a choice between two prompts: `one` if `isMeant` returns true for the input, else
 * `other`.
 */
export function choosePrompt<I>(
  one: string,
  isMeant: (input: I) => boolean,
  other: string,
): PromptChoice<I> {
  return { among: [other, one], of: (input) => (isMeant(input) ? one : other) };
}

/**
 * Declares a step that asks no model, such as a search, with the function that returns its label.
 */
export function declareStep<I, O>(label: (input: I) => string): DeclaredStep<I, O> {
  return { label };
}

/** Returns the output type of a step for an input; its readers ignore text after a stop text. */
export function outputOf<I, O>(step: ModelStep<I, O>, input: I): Output<O> {
  const { output } = step;
  const type = typeof output === 'function' ? output(input) : output;
  const stop = stopOf(step, input);
  const { read, long } = type;
  return {
    ...type,
    read: (written) => read(outputBefore(written, stop)),
    ...(long && { long: (written: ModelOutput) => long(outputBefore(written, stop)) }),
  };
}

/** Returns the stop texts of a step for an input; empty if there are none. */
export function stopOf<I, O>({ stop = [] }: ModelStep<I, O>, input: I): readonly string[] {
  return typeof stop === 'function' ? stop(input) : stop;
}

/**
 * Returns the JSON schema of a step's output; undefined if the form is text, or if it has no
 * schema.
 */
export function schemaOf<I, O>(
  step: ModelStep<I, O>,
  input: I,
  form: OutputForm | undefined,
): JsonSchema | undefined {
  return form === 'schema' ? outputOf(step, input).schema : undefined;
}

/** Returns the name of the step's prompt for an input. */
export function promptOf<I, O>({ prompt }: ModelStep<I, O>, input: I): string {
  if (typeof prompt === 'string') return prompt;
  return 'of' in prompt ? prompt.of(input) : prompt.name;
}

/** Returns the names of all prompts that a step may use. */
export function promptsOf<I, O>({ prompt }: ModelStep<I, O>): readonly string[] {
  if (typeof prompt === 'string') return [prompt];
  return 'among' in prompt ? prompt.among : [prompt.name];
}

/** Returns the values of a prompt's placeholders by name, except passages and stored texts. */
export function variablesOf<I, O>(step: ModelStep<I, O>, input: I): Record<string, string> {
  const filled = Object.entries(input as object).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  return { ...Object.fromEntries(filled), ...step.variables?.(input) };
}

/**
 * Returns the maximum number of tokens of the visible answer: `set.maxTokens`, or else the step's
 * own.
 */
export function maxTokensOf<I, O>(
  { maxTokens }: ModelStep<I, O>,
  input: I,
  set: ModelParameters = {},
): number {
  if (set.maxTokens !== undefined) return set.maxTokens;
  return typeof maxTokens === 'number' ? maxTokens : maxTokens(input);
}

/** Returns whether a value is the declaration of a step that asks a model. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export function isStep(value: unknown): value is ModelStep<any, any> {
  const { name, prompt, output, maxTokens } = Object(value) as Partial<ModelStep<object, unknown>>;
  return typeof name === 'string' && [prompt, output, maxTokens].every((one) => one !== undefined);
}
