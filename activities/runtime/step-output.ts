/**
 * Turns a completion into the output of a step. Later steps get a long text of it by reference, so
 * that the history contains the text once.
 */

import { Failure, messageOf } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';
import type { OutputForm } from '../../core/step-models.js';
import type { PromptSetPhrases } from '../../core/unknown.js';
import type { CallUsage } from '../../core/usage.js';
import type { Completion, Paid, TokenUsage } from '../../llm/language-model.js';
import type { ResponseCache } from '../../llm/response-cache.js';
import { NO_TOKENS } from '../../llm/response-fields.js';
import type { StepOutput } from '../../steps/call.js';
import { type ModelStep, outputOf, schemaOf } from '../../steps/define.js';
import type { JsonSchema, ModelOutput } from '../../steps/outputs/output.js';
import { jsonOf } from '../../steps/outputs/plain.js';
import { isTextRef, replaceParts, type TextRef, textRefsIn } from '../../steps/text-ref.js';
import type { Transcripts } from '../../stores/transcripts.js';

/**
 * Longest stored answer, in UTF-16 units: far more than any step asks for, and far below the
 * server's message size, above which an attempt could not return its result.
 */
const MOST_CHARACTERS = 200_000;

/** The first half of a surrogate pair at the end of a text. */
const HALF = /[\uD800-\uDBFF]$/;

/**
 * Returns the completion with its text cut to at most 200,000 UTF-16 units. A completion that was
 * cut counts as stopped at a limit.
 */
export function limitedCompletion(completion: Completion): Completion {
  const { text } = completion;
  if (text.length <= MOST_CHARACTERS) return completion;
  return { ...completion, text: text.slice(0, MOST_CHARACTERS).replace(HALF, ''), end: 'cut' };
}

/**
 * The facts about a call from which, with its completion, a step's output is made: the response's
 * key, the prompt's hash and phrases, the form asked for, whether the response was cached, and how
 * fast it came.
 */
export interface AnsweredCall {
  /** Key of the response in the cache. */
  key: string;
  /** Hash of the prompt's template. */
  prompt: string;
  /** Word lists of its prompt set. */
  words?: PromptSetPhrases | undefined;
  /** Form in which the output was asked for. */
  form?: OutputForm | undefined;
  /** Whether the response came from the cache, or from an equal call that was paid for. */
  cached: boolean;
  /** Speed of the response; undefined in a batch. */
  pace?: Pace | undefined;
}

/** Duration and limits of a call, for estimating how many tokens can be generated in its time. */
interface Pace {
  /** Duration of the paid call, in milliseconds. */
  tookMs: number;
  /** Longest duration allowed, in milliseconds. */
  mostMs: number;
  /** Tokens granted for the visible answer. */
  maxTokens: number;
}

/** A completion in the form that a step's reader gets. */
interface Written extends ModelOutput, Pick<AnsweredCall, 'form'> {
  /** Whether the text is only the model's thinking, without an answer. */
  isThinking: boolean;
}

function writtenOf(
  { text, end, logprob, thinking }: Completion,
  { form, words }: Pick<AnsweredCall, 'form' | 'words'>,
): Written {
  return { text, cut: end === 'cut', logprob, ...words, form, isThinking: thinking === 'all' };
}

/**
 * Returns the output of a step for a completion: its value and the usage of the call. The value is
 * read from the text. If the text cannot be read, it is what the step makes of a reply far longer
 * than asked for, or else the step's fallback. If the step's code throws, the value is undefined
 * and `fault` has the message.
 */
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

/**
 * Stores the text that a step adds to a transcript as the next piece, and returns the step's output
 * with the key of that piece in place of the text. Other outputs are returned unchanged.
 *
 * @param promptEnd Key of the transcript that the prompt ended in; undefined for other steps.
 */
export async function withTranscriptKey<O>(
  output: StepOutput<O>,
  promptEnd: string | null | undefined,
  transcripts: Pick<Transcripts, 'add'>,
): Promise<StepOutput<O>> {
  if (promptEnd === undefined || output.fault !== undefined) return output;
  const { written, ...value } = output.value as { written: string };
  const key = await transcripts.add(promptEnd, written);
  return { ...output, value: { ...value, soFar: key } as O };
}

/**
 * Returns how many tokens can be generated in the time of a call whose output was cut; empty for any
 * other.
 */
function roomAt(
  { tookMs, mostMs, maxTokens }: Pace,
  { end, usage }: Completion,
): Pick<StepOutput<unknown>, 'mostTokens' | 'tooSlow'> {
  if (end !== 'cut') return {};
  // A cut output has reached its limit, whatever usage says.
  const written = Math.max(usage?.completionTokens ?? 0, maxTokens);
  const mostTokens = Math.max(1, Math.floor((written / Math.max(tookMs, 1)) * mostMs));
  return { mostTokens, ...(mostTokens < 2 * maxTokens && { tooSlow: true }) };
}

/**
 * Returns the value as far as the step can read it. If the step's code throws, its message is
 * returned as `fault`: the call was paid for, and counts.
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

/**
 * Returns whether the step gets a value from the completion, so that it need not be asked again.
 * True also if its reader throws, since another response would cost money and fail too.
 */
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
 * Returns the value that a step reads from an output; undefined if it cannot be read, as in thinking
 * without an answer, or in plain text if JSON was asked for, even if the step accepts any text.
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

/**
 * Returns the tokens and the cost in US dollars (null if unknown) of one paid call, as a
 * `CallUsage` that can be summed.
 */
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

/**
 * Shortest text that is passed by reference, in UTF-16 units. A reference itself has some 120, in
 * the output and again in the next input.
 */
const SHORTEST = 300;

/**
 * Returns a reference to a text in a stored response, by the response's key and the text's place
 * in it, which replaces the text in histories. Undefined if the value is not a text from the
 * response, or is shorter than 300 characters.
 *
 * @param key Key of the response in the cache.
 * @param response Text of the whole response.
 */
export function textRef(value: unknown, key: string, response: string): TextRef | undefined {
  if (typeof value !== 'string' || value.length < SHORTEST) return undefined;
  const from = response.indexOf(value);
  if (from < 0) return undefined;
  return { response: key, from, to: from + value.length, sha256: sha256Of(value, 12) };
}

/**
 * Returns a step's input with each text reference replaced by its text.
 *
 * @throws Failure UnknownText if a response is missing or changed; errors of reading the store.
 */
export async function withTexts<I>(input: I, responses: Pick<ResponseCache, 'text'>): Promise<I> {
  const refs = new Map(textRefsIn(input).map((ref) => [ref.sha256, ref]));
  if (refs.size === 0) return input;
  const read = [...refs].map(async ([hash, ref]) => [hash, await textOf(ref, responses)] as const);
  const texts = new Map(await Promise.all(read));
  return replaceParts(input, (part) => (isTextRef(part) ? texts.get(part.sha256) : undefined)) as I;
}

async function textOf(
  { response, from, to, sha256 }: TextRef,
  responses: Pick<ResponseCache, 'text'>,
): Promise<string> {
  const text = (await responses.text(response))?.slice(from, to);
  if (text !== undefined && sha256Of(text, 12) === sha256) return text;
  throw new Failure(
    'UnknownText',
    `The response ${response}, which contains the text of a reference, is missing in the store or has changed.`,
  );
}
