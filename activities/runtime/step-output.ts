/** From a completion to what a step gives back. */

import { messageOf } from '../../core/failure.js';
import type { OutputForm } from '../../core/step-models.js';
import type { SetWords } from '../../core/unknown.js';
import type { CallUsage } from '../../core/usage.js';
import { NO_TOKENS } from '../../llm/fields.js';
import type { Completion, Paid, TokenUsage } from '../../llm/language-model.js';
import type { StepOutput } from '../../steps/call.js';
import { type ModelStep, outputOf, schemaOf } from '../../steps/define.js';
import type { JsonSchema, ModelOutput } from '../../steps/outputs/output.js';
import { jsonOf } from '../../steps/outputs/plain.js';
import { textRef } from './text-refs.js';

/**
 * How much is taken of an answer: far more than any step asks for, and far less than the server
 * takes in one message, over which an attempt could never report what it has.
 */
const MOST_CHARACTERS = 200_000;

/** The first half of a character whose second half was cut off. */
const HALF = /[\uD800-\uDBFF]$/;

/** An answer that is far too long counts as one that was stopped at a limit. */
export function bounded(completion: Completion): Completion {
  const { text } = completion;
  if (text.length <= MOST_CHARACTERS) return completion;
  return { ...completion, text: text.slice(0, MOST_CHARACTERS).replace(HALF, ''), end: 'cut' };
}

export interface AnsweredCall {
  key: string;
  /** Hash of the prompt. */
  prompt: string;
  /** The lists of its prompt set. */
  words?: SetWords | undefined;
  /** The form in which it was asked for. */
  form?: OutputForm | undefined;
  /** The response cache served it, or another call that was paid for. */
  cached: boolean;
  /** How fast it came; left out of a batch. */
  pace?: Pace | undefined;
}

export interface Pace {
  /** How long the call took that was paid for, and may take, in milliseconds. */
  tookMs: number;
  mostMs: number;
  /** The tokens that the visible answer was given. */
  maxTokens: number;
}

/** A completion as a step reads it. */
interface Written extends ModelOutput, Pick<AnsweredCall, 'form'> {
  /** There is no answer, only thinking. */
  isThinking: boolean;
}

function writtenOf(
  { text, end, logprob, thinking }: Completion,
  { form, words }: Pick<AnsweredCall, 'form' | 'words'>,
): Written {
  return { text, cut: end === 'cut', logprob, ...words, form, isThinking: thinking === 'all' };
}

/** Returns the output as far as it can be read, or the step's fallback. */
export function stepOutput<I, O>(
  step: ModelStep<I, O>,
  input: I,
  completion: Completion,
  { key, words, form, prompt, cached, pace }: AnsweredCall,
): StepOutput<O> {
  const read = readBy(step, input, writtenOf(completion, { form, words }), key);
  return {
    ...read,
    ...(read.unread !== undefined && pace && roomAt(pace, completion)),
    ...(completion.thinking === 'all' ? { thinking: completion.usage?.completionTokens ?? 0 } : {}),
    ...(completion.end === 'cut' ? { cut: true } : {}),
    ...(typeof completion.end === 'object' ? { unknownEnd: completion.end.unknown } : {}),
    ...(completion.unsupported?.length ? { unsupported: completion.unsupported } : {}),
    usage: usageOf(completion, cached),
    model: completion.servedModel,
    ...(completion.fingerprint === null ? {} : { fingerprint: completion.fingerprint }),
    ...(completion.host === undefined ? {} : { host: completion.host }),
    ...(cached || !completion.tier ? {} : { tier: completion.tier.served }),
    prompt,
    key,
  };
}

/** Returns what can be written in time, for an output that was cut. */
function roomAt(
  { tookMs, mostMs, maxTokens }: Pace,
  { end, usage }: Completion,
): Pick<StepOutput<unknown>, 'mostTokens' | 'tooSlow'> {
  if (end !== 'cut') return {};
  // One that was cut has come to its limit, whatever is counted.
  const written = Math.max(usage?.completionTokens ?? 0, maxTokens);
  const mostTokens = Math.max(1, Math.floor((written / Math.max(tookMs, 1)) * mostMs));
  return { mostTokens, ...(mostTokens < 2 * maxTokens && { tooSlow: true }) };
}

/**
 * Returns the value as far as the step can read it. Where its code throws, that is told and not
 * thrown: the call was paid for, and counts.
 */
function readBy<I, O>(
  step: ModelStep<I, O>,
  input: I,
  written: Written,
  key: string,
): Pick<StepOutput<O>, 'value' | 'ref' | 'unread' | 'long' | 'fault'> {
  try {
    const read = readOf(step, written, input, 'read');
    const long = read === undefined ? readOf(step, written, input, 'long') : undefined;
    const value = read ?? long ?? step.fallback(written, input);
    const ref = textRef(value, key, written.text);
    return {
      value,
      ...(ref && { ref }),
      ...(read === undefined && { unread: written.text.slice(0, 300) }),
      ...(long !== undefined && { long: true }),
    };
  } catch (error) {
    const fault = messageOf(error);
    return { value: undefined as O, fault };
  }
}

/** One that a reader throws at serves as well: another response would be paid for, and no mend. */
export function isReadable<I, O>(
  step: ModelStep<I, O>,
  completion: Completion,
  input: I,
  known: Pick<AnsweredCall, 'form' | 'words'>,
): boolean {
  try {
    return readOf(step, writtenOf(completion, known), input, 'read') !== undefined;
  } catch {
    return true;
  }
}

/**
 * Reads an output. What never got as far as an answer is none, though a step may take any text for
 * one; and what was asked for as JSON is none in words.
 */
function readOf<I, O>(
  step: ModelStep<I, O>,
  written: Written,
  input: I,
  reader: 'read' | 'long',
): O | undefined {
  if (written.isThinking) return undefined;
  const schema = schemaOf(step, input, written.form);
  if (schema && !hasMembers(jsonOf(written), schema)) return undefined;
  return outputOf(step, input)[reader]?.(written);
}

function hasMembers(json: unknown, { required }: JsonSchema): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return !Array.isArray(required) || required.every((name) => Object.hasOwn(json, name));
}

function usageOf(completion: Completion, cached: boolean): CallUsage {
  const { costUsd, tier } = completion;
  return cached
    ? { cached, savedUsd: costUsd, ...NO_TOKENS, costUsd: 0 }
    : { ...paidUsage(completion), ...(tier && { standardUsd: tier.standardUsd }) };
}

/** Returns the usage of a call that was paid for. */
export function paidUsage({ usage, costUsd, isStated }: Paid): CallUsage {
  const { writtenPromptTokens: written, ...tokens }: TokenUsage = usage ?? NO_TOKENS;
  return {
    cached: false,
    ...tokens,
    ...(written !== undefined && { writtenPromptTokens: written }),
    ...(usage === null && { uncounted: 1 }),
    costUsd,
    ...(isStated && costUsd !== null && { statedUsd: costUsd }),
  };
}
