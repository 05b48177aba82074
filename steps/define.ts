/**
 * The two halves of a step. Its declaration is what workflows load, anew for each question: types,
 * and a line for people. Its implementation is what a worker runs: the prompt, how its blanks are
 * filled, how the output is read. Both are pure.
 */

import type { QuestionDocument } from '../methods/demonstration-sets.js';
import type { Passage } from '../methods/vocabulary.js';

/** The stores a step may read. */
export interface KeptTexts {
  demonstrationSets: { pairs(set: string, cluster: number): Promise<QuestionDocument[]> };
}

/** A step as workflows know it: what it is given, what it gives, and its line in the Temporal UI. */
export interface DeclaredStep<I, O> {
  /** Which candidate, which pair. */
  label(input: I): string;
  /** Never there: it says what the step gives. */
  readonly result?: O;
}

/** The same with the name of its activity. */
export interface StepRef<I, O> extends DeclaredStep<I, O> {
  readonly name: string;
}

/** For a step that has more than one prompt. */
export interface PromptChoice<I> {
  /** All that it can be, so that it is known what a run reads. */
  among: readonly string[];
  of(input: I): string;
}

/** A step that asks the model once, as a worker carries it out. */
export interface ModelStep<I, O> {
  /** The prompt's file under prompts/, without its ending. */
  prompt: string | PromptChoice<I>;
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
  /**
   * The output after which a question takes the most, where that is neither what is read of a text
   * of so many letters nor the fallback: a dry run goes on with it.
   *
   * @param longest As long a text as the model can write.
   */
  costliest?(longest: string, input: I): O;
}

export interface ModelOutput {
  text: string;
  /** True when the model was stopped at the token limit. */
  cut: boolean;
  /** Logarithm of the text's probability, where the step asks for it and the endpoint gives it. */
  logprob?: number | undefined;
}

/** What carries out a step that is declared so. */
export type Implementation<D> = D extends DeclaredStep<infer I, infer O> ? ModelStep<I, O> : never;

/** Declares a step; it is named where it is listed. */
export function declareStep<I, O>(label: (input: I) => string): DeclaredStep<I, O> {
  return { label };
}

/** Gives what carries out a step the types that the step is declared with. */
export function implementStep<D>(step: Implementation<D>): Implementation<D> {
  return step;
}

/** A text in so many parts of equal length, all different where there is room for it. */
export function inParts(text: string, count: number): string[] {
  const length = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, k) => {
    const mark = k.toString(36);
    return text.slice(text.length - length + mark.length) + mark;
  });
}

/** The prompt's file for an input. */
export function promptOf<I, O>({ prompt }: ModelStep<I, O>, input: I): string {
  return typeof prompt === 'string' ? prompt : prompt.of(input);
}

/** The files of all prompts that a step can ask with. */
export function promptsOf<I, O>({ prompt }: ModelStep<I, O>): readonly string[] {
  return typeof prompt === 'string' ? [prompt] : prompt.among;
}

/** Tokens the visible answer may take at first. */
export function maxTokensOf<I, O>({ maxTokens }: ModelStep<I, O>, input: I): number {
  return typeof maxTokens === 'number' ? maxTokens : maxTokens(input);
}
