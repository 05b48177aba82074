/** The request of a model step: its prompt, its parameters, and the key of its response. */
import { sampleSeed } from '../../core/sampler.js';
import type { PromptSetPhrases } from '../../core/unknown.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import { cacheKey } from '../../llm/response-cache.js';
import type { StepCall } from '../../steps/call.js';
import { type ModelStep, maxTokensOf, schemaOf, stopOf } from '../../steps/define.js';
import type { Ports } from './ports.js';
import { type PromptPorts, type RenderedPrompt, renderPrompt, setWords } from './render-prompt.js';
import { isReadable } from './step-output.js';

/** A call of a model step that is ready to be sent. */
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
  /** Tells whether the step can read a response. */
  reads(completion: Completion): boolean;
}

/**
 * Returns a step's call with its prompt rendered and the key of its response.
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
  const words = await setWords(call.prompts, ports.prompts);
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

/** Returns a step's request to the model for an input, and the hash of the prompt's template. */
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
 * Returns the call that asks for another sample of the same prompt, with another seed and a
 * temperature above 0.
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
