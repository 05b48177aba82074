/** The request of a model step: its prompt, its parameters, and the key of its response. */
import { sampleSeed } from '../../core/sampler.js';
import { type PhrasePatterns, type PromptSetPhrases, patternsOf } from '../../core/unknown.js';
import type { Passage } from '../../core/vocabulary.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import { cacheKey } from '../../llm/response-cache.js';
import type { StepCall } from '../../steps/call.js';
import {
  asksForTurn,
  extendsTranscript,
  type ModelStep,
  maxTokensOf,
  outputOf,
  promptOf,
  schemaOf,
  stopOf,
  variablesOf,
} from '../../steps/define.js';
import { shapeOf } from '../../steps/outputs/output.js';
import { renderPassages } from '../../steps/rendering.js';
import { runSearch } from './free-calls.js';
import type { Ports } from './ports.js';
import { isReadable } from './step-output.js';
import { fillTemplate, type Template } from './template.js';

/**
 * A call of a model step that is ready to be sent: its input and settings, its request, the key of
 * its response in the cache, and what is needed to read the response.
 */
export interface RenderedCall {
  /** The step's input, with texts in place of references. */
  input: unknown;
  call: StepCall;
  request: CompletionRequest;
  /** Key of the response in the cache. */
  key: string;
  /** Hash of the prompt's template. */
  prompt: string;
  /** See `RenderedPrompt`. */
  promptEnd?: string | null | undefined;
  /** Word lists of the prompt set. */
  words: PromptSetPhrases;
  /** Returns whether the step can read a response. */
  reads(completion: Completion): boolean;
}

/**
 * Returns a step's call with the request to send, its prompt rendered, and the key of its response.
 *
 * @param input The step's input, with texts in place of references.
 */
export async function renderCall<I, O>(
  step: ModelStep<I, O>,
  input: I,
  call: StepCall,
  ports: PromptPorts & Pick<Ports, 'llm'>,
): Promise<RenderedCall> {
  const { request, hash: prompt, promptEnd } = await requestOf(step, input, call, ports);
  const words = await phrasesOfSet(call.prompts, ports.prompts);
  const { form } = call;
  return {
    input,
    call,
    request,
    key: responseKey(step, input, request, call, ports.llm),
    prompt,
    promptEnd,
    words,
    reads: (completion) => isReadable(step, completion, input, { words, form }),
  };
}

/**
 * Returns the `request` to the model for a step and an input, the `hash` of the prompt's
 * templates, and as `promptEnd` the key of the transcript that the prompt ends in (null if that is
 * empty, absent for a step without one). See `fillPrompt` for what it stores.
 */
export async function requestOf<I, O>(
  step: ModelStep<I, O>,
  input: I,
  call: Pick<StepCall, 'attempt' | 'corpus' | 'model' | 'prompts' | 'seed'> &
    Partial<Pick<StepCall, 'doubled' | 'form' | 'mostTokens' | 'parameters' | 'tier' | 'thinks'>>,
  ports: PromptPorts,
): Promise<{ request: CompletionRequest } & Omit<RenderedPrompt, 'content'>> {
  const { content, ...rendered } = await renderPrompt(step, input, call, ports);
  const schema = schemaOf(step, input, call.form);
  const stop = stopOf(step, input);
  const request: CompletionRequest = {
    model: call.model,
    messages: [{ role: 'user', content }],
    ...(step.sampling?.(input) ?? { temperature: 0 }),
    ...call.parameters,
    maxTokens: maxTokensOf(step, input, call.parameters) * (call.doubled ? 2 : 1),
    // Samples of one prompt must be able to differ, and be the same in the next run.
    seed: sampleSeed(call.seed, sampleOf(step, input)),
    ...(stop.length > 0 ? { stop } : {}),
    ...(schema ? { schema: { name: schemaName(step.name), schema } } : {}),
    ...(step.logprobs?.(input) ? { logprobs: true } : {}),
    ...(step.keepsThinking?.(input) ? { keepsThinking: true } : {}),
    ...(call.tier === 'flex' ? { tier: call.tier } : {}),
    ...(call.thinks ? { thinks: true } : {}),
    ...(call.mostTokens === undefined ? {} : { mostTokens: call.mostTokens }),
  };
  return { request, ...rendered };
}

/** Returns the step's name as endpoints accept it: at most 64 letters, digits, `_` and `-`. */
function schemaName(step: string): string {
  return step.replace(/[^\w-]/g, '_').slice(0, 64);
}

/** Returns the key under which the response to a step's request is cached. */
export function responseKey<I, O>(
  step: ModelStep<I, O>,
  input: I,
  request: CompletionRequest,
  { attempt }: StepCall,
  { provider }: Pick<Ports['llm'], 'provider'>,
): string {
  return cacheKey({ provider, request, sample: sampleOf(step, input), attempt });
}

function sampleOf<I, O>(step: ModelStep<I, O>, input: I): number {
  return step.sample?.(input) ?? 0;
}

/** Temperature of further samples of a greedy call; a call that samples keeps its own. */
const RESAMPLED_TEMPERATURE = 0.7;

/**
 * Number of the first resample: far above the samples of methods, so that no seed is used twice.
 */
const FIRST_RESAMPLED = 1_000_000;

/**
 * Returns the call for another sample of the same prompt: with another seed, a temperature above 0,
 * and the key that belongs to them.
 *
 * @param number Number of the additional sample, from 1.
 */
export function resampledCall<I, O>(
  step: ModelStep<I, O>,
  usual: RenderedCall,
  number: number,
  llm: Pick<Ports['llm'], 'provider'>,
): RenderedCall {
  const request: CompletionRequest = {
    ...usual.request,
    temperature: usual.request.temperature || RESAMPLED_TEMPERATURE,
    seed: sampleSeed(usual.request.seed ?? 0, FIRST_RESAMPLED + number),
  };
  return { ...usual, request, key: responseKey(step, usual.input as I, request, usual.call, llm) };
}

/**
 * Name of the prompt that frames the passages in the prompts that show any, except those of turns,
 * whose transcript has the passages.
 */
export const PASSAGES_PROMPT = 'passages';

/** Name of the prompt that is added to a step's prompt if the answer must match a JSON schema. */
export const SCHEMA_PROMPT = 'schema';

/**
 * Names of the two files of a prompt set that list phrases, one a line: "unknown" for replies that
 * mean unknown, and "refusals".
 */
export const PHRASE_LISTS = ['unknown', 'refusals'] as const;

/** Patterns of the phrase lists that were read, by the list's template. */
const patternsRead = new WeakMap<Template, PhrasePatterns>();

/**
 * Returns the patterns of the phrases of a prompt set by which a reply is recognised: `unknown`,
 * those of replies that mean unknown, and `refusals`. They are made once for a template.
 */
export async function phrasesOfSet(
  set: string,
  prompts: Ports['prompts'],
): Promise<PromptSetPhrases> {
  const [unknown, refusals] = await Promise.all(
    PHRASE_LISTS.map(async (list) => {
      const template = await prompts.load(set, list);
      const lines = () => template.text.split('\n').filter((line) => line.trim() !== '');
      const patterns = patternsRead.get(template) ?? patternsOf(lines());
      patternsRead.set(template, patterns);
      return patterns;
    }),
  );
  return { unknown, refusals };
}

/**
 * Ports for rendering a step's prompt: the corpora and the store of supplied passages, from which
 * passages are read, prompt sets, demonstration sets and transcripts.
 */
export type PromptPorts = Pick<
  Ports,
  'corpora' | 'demonstrationSets' | 'passages' | 'prompts' | 'transcripts'
>;

/**
 * Ports for filling a step's prompt with passages that have been read already: prompt sets,
 * demonstration sets and transcripts.
 */
export type FillPorts = Pick<Ports, 'prompts' | 'transcripts'> & {
  demonstrationSets: Pick<Ports['demonstrationSets'], 'pairs'>;
};

/**
 * A rendered prompt: the text to send, the hash of its templates, and the key of the transcript
 * that it ends in.
 */
export interface RenderedPrompt {
  content: string;
  /** Hashes of the templates, joined by "+". */
  hash: string;
  /**
   * Key of the transcript that the prompt ends in, which the answer continues; null if it is empty,
   * absent for steps without one.
   */
  promptEnd?: string | null;
}

/**
 * Returns the rendered prompt of a step for an input, like `fillPrompt`, after reading the texts
 * of the passages that it shows. Stores what the step adds to its transcript.
 */
export async function renderPrompt<I, O>(
  step: ModelStep<I, O>,
  input: I,
  call: Pick<StepCall, 'prompts' | 'corpus' | 'attempt'> & Partial<Pick<StepCall, 'form'>>,
  ports: PromptPorts,
): Promise<RenderedPrompt> {
  const shown = step.passages && (await shownPassages(step.passages(input), call.corpus, ports));
  return fillPrompt(step, input, call, shown, ports);
}

/**
 * Returns the rendered prompt of a step for an input, given the passages with their texts: its
 * text, the hash of its templates, and the key of the transcript that it ends in. Stores the text
 * that the step adds to this transcript.
 *
 * @param passages Undefined for a step that shows none.
 */
export async function fillPrompt<I, O>(
  step: ModelStep<I, O>,
  input: I,
  { prompts, attempt, form }: FilledFor,
  passages: readonly Passage[] | undefined,
  ports: FillPorts,
): Promise<RenderedPrompt> {
  const shown = passages?.map((one) => withLength(one, step.passageLength));
  const file = await ports.prompts.load(prompts, promptOf(step, input));
  const template = { ...file, again: file.again || reminder(outputOf(step, input).form) };
  const { key, text } = await soFarOf(step, input, shown ?? [], ports);
  const variables = {
    ...variablesOf(step, input),
    ...(await step.kept?.(input, ports)),
    ...(step.transcript && { soFar: text }),
  };
  const schema = schemaOf(step, input, form);
  const line = schema && (await ports.prompts.load(prompts, SCHEMA_PROMPT));
  const asked = line ? fillTemplate(line, { form: shapeOf(schema) }, 0) : '';
  const last = line ? `\n${asked}` : '';
  const hashOf = (hash: string) => (line ? `${hash}+${line.hash}` : hash);
  if (asksForTurn(step)) {
    const content = fillTemplate(template, { ...variables, form: asked }, 0);
    return { content, hash: hashOf(template.hash), promptEnd: key };
  }
  const end = extendsTranscript(step) ? { promptEnd: key } : {};
  if (!shown) {
    const content = fillTemplate(template, variables, attempt) + last;
    return { content, hash: hashOf(template.hash), ...end };
  }
  const frame = await ports.prompts.load(prompts, PASSAGES_PROMPT);
  const chartFrame =
    shown.length === 0 ? '' : fillTemplate(frame, { passages: renderPassages(shown) }, 0);
  return {
    content: fillTemplate(template, { ...variables, passages: chartFrame }, attempt) + last,
    hash: hashOf(`${frame.hash}+${template.hash}`),
    ...end,
  };
}

type FilledFor = Pick<StepCall, 'prompts' | 'attempt'> & Partial<Pick<StepCall, 'form'>>;

/** Returns the transcript that a prompt shows, with the step's addition, and its key. */
async function soFarOf<I, O>(
  { transcript }: ModelStep<I, O>,
  input: I,
  shown: readonly Passage[],
  { transcripts }: Pick<Ports, 'transcripts'>,
): Promise<{ key: string | null; text: string }> {
  if (!transcript) return { key: null, text: '' };
  const before = transcript.of(input);
  const key = transcript.added
    ? await transcripts.add(before, transcript.added(input, shown))
    : before;
  const text = await transcripts.text(key);
  return { key, text: transcript.shown?.(text) ?? text };
}

function withLength(passage: Passage, most = Infinity): Passage {
  return passage.text.length <= most ? passage : { ...passage, text: passage.text.slice(0, most) };
}

/** Returns the reminder that is added after an unreadable output, if the prompt file has none. */
function reminder(form: string): string {
  return `\n(Your last reply could not be read. Write ${form}.)`;
}

/** Returns the passages to show; those given by id are read, others are returned unchanged. */
async function shownPassages(
  passages: (string | Passage)[],
  corpus: string | null,
  ports: Pick<Ports, 'corpora' | 'passages'>,
): Promise<Passage[]> {
  const ids = passages.filter((passage) => typeof passage === 'string');
  const texts = new Map((await readPassages(ids, corpus, ports)).map((text) => [text.id, text]));
  return passages.flatMap((shown) =>
    typeof shown === 'string' ? (texts.get(shown) ?? []) : shown,
  );
}

/**
 * Returns the passages with these ids and their texts, in the order of the ids, from a corpus; if
 * it is null, from the passages supplied with the question.
 *
 * @throws SearchUnavailable if the corpus or the store does not answer; Failure for an unknown
 * passage.
 */
export async function readPassages(
  ids: string[],
  corpus: string | null,
  { corpora, passages }: Pick<Ports, 'corpora' | 'passages'>,
): Promise<Passage[]> {
  if (ids.length === 0) return [];
  return runSearch(async () =>
    corpus === null ? passages.get(ids) : (await corpora.open(corpus)).get(ids),
  );
}
