/** What a step of a method is: a prompt, how its blanks are filled, how the output is read. Pure. */

import type { CallSettings } from '../../methods/call-defaults.js';
import type { CallUsage } from '../../methods/usage.js';
import type { Passage } from '../../methods/vocabulary.js';
import type { DemonstrationSets } from '../../stores/demonstration-sets.js';

/** The stores a step may read. */
export interface KeptTexts {
  demonstrationSets: Pick<DemonstrationSets, 'pairs'>;
}

/** A step that asks the model once. */
export interface ModelStep<I, O> {
  /** The prompt's file under prompts/, without its ending. */
  prompt: string | ((input: I) => string);
  /** Tokens the visible answer may take; doubled each time a cut output is asked again. */
  maxTokens: number | ((input: I) => number);
  /** The passages shown by the prompt, in order: an id for the full text, or a text in its place. */
  passages?(input: I): (string | Passage)[];
  /** What fills placeholders from the worker's stores; the input then holds its id alone. */
  kept?(input: I, stores: KeptTexts): Promise<Record<string, string>>;
  /** How the output is sampled; greedily when left out. */
  sampling?(input: I): { temperature: number; topP?: number };
  /** Whether to ask for the probability of the output, where the endpoint gives it. */
  logprobs?(input: I): boolean;
  /** Which of several askings of what may be the same prompt this is; 0 when left out. */
  sample?(input: I): number;
  /** What fills the prompt's other placeholders. */
  variables(input: I): Record<string, string>;
  /**
   * The typed result, or undefined when the output cannot be read. Never throws.
   *
   * @param attempt which asking it is; 0, the first, when left out.
   */
  parse(output: ModelOutput, input: I, attempt?: number): O | undefined;
  /** What stands in for an output that stayed unreadable however often it was asked again. */
  fallback(output: ModelOutput, input: I): O;
}

export interface ModelOutput {
  text: string;
  /** True when the model was stopped at the token limit. */
  cut: boolean;
  /** Logarithm of the text's probability, where the step asks for it and the endpoint gives it. */
  logprob?: number | undefined;
}

/** Gives a step definition its types. */
export function defineStep<I, O>(step: ModelStep<I, O>): ModelStep<I, O> {
  return step;
}

/** The prompt's file for an input. */
export function promptOf<I, O>({ prompt }: ModelStep<I, O>, input: I): string {
  return typeof prompt === 'string' ? prompt : prompt(input);
}

/** A step as workflows know it: the name of its activity, and the line beside it in the UI. */
export interface StepRef<I, O> {
  readonly name: string;
  /** Which candidate, which pair. */
  label(input: I): string;
  /** Never there: it says what the step gives. */
  readonly result?: O;
}

/** Tokens the visible answer may take at first. */
export function maxTokensOf<I, O>({ maxTokens }: ModelStep<I, O>, input: I): number {
  return typeof maxTokens === 'number' ? maxTokens : maxTokens(input);
}

/** How a step is to be carried out; the same for all methods. */
export interface StepCall extends CallSettings {
  model: string;
  /** Null when the passages came with the question. */
  corpus: string | null;
}

/** The same as it stands in the history: what is left out is as usual. */
export type SentCall = Pick<StepCall, 'model' | 'corpus'> & Partial<CallSettings>;

/** What a step gives back to the workflow. */
export interface StepOutput<O> {
  /** The parsed result, or the fallback when there is an `unread`. */
  value: O;
  /** Only where the output could not be read: the output itself, shortened. */
  unread?: string;
  /** Only where the model was stopped at the token limit. */
  cut?: true;
  usage: CallUsage;
  /** The model that served the call, as the provider names it. */
  model: string;
  /** The provider's fingerprint of what served it, where it gives one. */
  fingerprint?: string;
  /** Hash of the prompt. */
  prompt: string;
}
