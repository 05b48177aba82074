/**
 * Declarations of steps: input, prompt, output type and label. Shipped and custom steps are
 * declared in the same way. Pure, so that workflows may import it.
 */

import type { QuestionDocument } from '../core/demonstration-sets.js';
import type { ModelParameters, OutputForm } from '../core/step-models.js';
import type { Passage } from '../core/vocabulary.js';
import { type JsonSchema, type ModelOutput, type Output, outputBefore } from './outputs/output.js';

/** The input that most steps share: a question and the ids of its passages. */
export interface QuestionInput {
  question: string;
  /** Passage ids, in the order in which the prompt shows them; empty if there are none. */
  passages: string[];
}

/** Stored texts that a step may read. */
interface KeptTexts {
  demonstrationSets: { pairs(set: string, cluster: number): Promise<QuestionDocument[]> };
}

/** Number of characters, 120, to which labels shorten a long question, query or other text. */
export const LONGEST_LABEL = 120;

/**
 * The declaration of a step as methods use it: the types of its input and output, and the function
 * that returns the label of a call for the Temporal UI.
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

/** A declared step with its name, which is also the name of the activity that performs it. */
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

/** A prompt that is declared in code with its step instead of in a file: its name and its text. */
export interface InlinePrompt {
  /** Name of the file, without `.txt`, by which a prompt set can override it. */
  name: string;
  /**
   * The prompt with {{placeholders}}. Text below a line `=== again ===` is added when it is asked
   * again.
   */
  text: string;
}

/**
 * The second argument of an oracle, the function of a step that returns a perfect model's output:
 * the question's accepted answers, and the passages that the step was shown.
 */
export interface Gold {
  /** Accepted answers in all their forms; empty if unknown. */
  answers: readonly string[];
  /** Accepted forms of each expected answer, if a question has several. */
  answerGroups?: readonly (readonly string[])[] | undefined;
  passages: readonly Passage[];
}

/** The use of a transcript by a step: a text that grows by turns, which workers store in pieces. */
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

/**
 * Returns whether the output of a step is stored as the next piece of a transcript, a text that
 * grows by the turns of a model.
 */
export function extendsTranscript<I, O>({
  transcript,
}: Pick<ModelStep<I, O>, 'transcript'>): boolean {
  return transcript?.added !== undefined;
}

/**
 * Returns whether a step asks for the next turn of a transcript, a text that grows by the turns of
 * a model. The prompts of such a step end in the whole transcript, so that each begins with the
 * previous one.
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
  prompt: string | PromptChoice<I> | InlinePrompt;
  /** Maximum number of tokens of the visible answer; doubled if a cut output is asked again. */
  maxTokens: number | ((input: I) => number);
  /**
   * Returns the passages to show in the prompt, in order: an id for the full text, or a passage
   * with the text to show. @default none
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
  /** Returns the sampling parameters. @default temperature 0 */
  sampling?(input: I): { temperature: number; topP?: number };
  /**
   * Returns whether to request the probability of the output, if the endpoint provides it. @default
   * not requested
   */
  logprobs?(input: I): boolean;
  /** Returns a number that distinguishes calls with equal prompts. @default 0 */
  sample?(input: I): number;
  /**
   * Returns values of further placeholders by name. Each text or number of the input fills the
   * placeholder of its own name in any case.
   */
  variables?(input: I): Record<string, string>;
  /** The type of the output, or a function that returns it for an input. */
  output: Output<O> | ((input: I) => Output<O>);
  /**
   * Returns the value to use if the output stays unreadable. `defineStep` adds a function that
   * returns null if it is left out.
   */
  fallback(output: ModelOutput, input: I): O;
  /**
   * Returns the output after which a question costs the most, with which a dry run continues. If it
   * is left out, that is the longest value of the output type, or else the fallback.
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

/**
 * Returns the complete declaration of a step that asks a model: unless declared, its label is
 * empty and its fallback null.
 */
export function defineStep<I, O>(step: Defined<I, O>): ModelStep<I, O> {
  const usual = { label: () => '', fallback: () => null };
  return { ...usual, ...step } as ModelStep<I, O>;
}

/**
 * Returns the complete declaration of a step that asks a model and shows it the `passages` of its
 * input. Unless declared, the label is their number.
 */
export function readingStep<I extends Pick<QuestionInput, 'passages'>, O>(
  step: Omit<Defined<I, O>, 'passages'>,
): ModelStep<I, O> {
  const label = ({ passages }: I) => `${passages.length} passages`;
  const passages = ({ passages }: I) => passages;
  return defineStep<I, O>({ label, passages, ...(step as Defined<I, O>) });
}

/**
 * Returns the value of `prompt` in a step's declaration that chooses between the prompts named
 * `one` and `other`: `one` for each input for which `isMeant` returns true.
 */
export function choosePrompt<I>(
  one: string,
  isMeant: (input: I) => boolean,
  other: string,
): PromptChoice<I> {
  return { among: [other, one], of: (input) => (isMeant(input) ? one : other) };
}

/**
 * Returns the declaration of a step that asks no model, such as a search. Workers implement it by
 * name.
 *
 * @param label Returns its label for an input.
 */
export function declareStep<I, O>(label: (input: I) => string): DeclaredStep<I, O> {
  return { label };
}

/**
 * Returns the output type of a step for an input: the schema, the form in words, and functions
 * that read a value from an output, which they read only up to the first stop text.
 */
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
 * Returns the JSON schema of a step's output for an input; undefined if the form of outputs is not
 * "schema", or if the step has no schema.
 */
export function schemaOf<I, O>(
  step: ModelStep<I, O>,
  input: I,
  form: OutputForm | undefined,
): JsonSchema | undefined {
  return form === 'schema' ? outputOf(step, input).schema : undefined;
}

/** Returns the name of the prompt that a step uses for an input. */
export function promptOf<I, O>({ prompt }: ModelStep<I, O>, input: I): string {
  if (typeof prompt === 'string') return prompt;
  return 'of' in prompt ? prompt.of(input) : prompt.name;
}

/** Returns the names of all prompts that a step may use for any input. */
export function promptsOf<I, O>({ prompt }: ModelStep<I, O>): readonly string[] {
  if (typeof prompt === 'string') return [prompt];
  return 'among' in prompt ? prompt.among : [prompt.name];
}

/**
 * Returns the values of a prompt's placeholders by name, except those for passages, stored texts
 * and transcript.
 */
export function variablesOf<I, O>(step: ModelStep<I, O>, input: I): Record<string, string> {
  const filled = Object.entries(input as object).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
  );
  return { ...Object.fromEntries(filled), ...step.variables?.(input) };
}

/**
 * Returns the maximum number of tokens of a step's visible answer.
 *
 * @param set Parameters of the call; its `maxTokens` takes precedence over the step's own.
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
