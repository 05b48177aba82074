/** Runs one step by one model call: renders the prompt, looks in the cache, asks, stores, reads. */
import { Context } from '@temporalio/activity';
import { CALL_DEFAULTS } from '../../core/call-defaults.js';
import { Failure } from '../../core/failure.js';
import { sampleSeed } from '../../core/sampler.js';
import type { SetWords } from '../../core/unknown.js';
import { addEstimated, type Estimated, withEstimated } from '../../core/usage.js';
import { returnedCompletion } from '../../llm/cache-entry.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import { TokenEstimates } from '../../llm/rates/token-estimates.js';
import { type CacheEntry, type Claimant, cacheKey } from '../../llm/response-cache.js';
import type { SentCall, StepCall, StepOutput } from '../../steps/call.js';
import { type ModelStep, maxTokensOf, schemaOf, stopOf } from '../../steps/define.js';
import { putRequest, transportOf } from '../provider-batches/put-request.js';
import { answerOrLease } from './answer-or-lease.js';
import { estimateLoss, mayBeBilled, spentOf } from './estimate-loss.js';
import { keep } from './keep.js';
import { cancellationOf } from './outlasting.js';
import type { Ports, QuestionWatch } from './ports.js';
import { type CallSoFar, providerCall, timed } from './provider-call.js';
import { type PromptPorts, type Rendered, renderPrompt, setWords } from './render-prompt.js';
import { bounded, isReadable, stepOutput, withPiece } from './step-output.js';
import { withTexts } from './text-refs.js';
import { inTurn } from './turn.js';

export type ModelActivity<I, O> = (input: I, call: SentCall) => Promise<StepOutput<O>>;

/**
 * Returns the activity of a step.
 *
 * A response is stored before anything is done with it, so that nothing is paid for twice, even if
 * the worker dies or reading the response throws or never ends. Of several equal calls at once, one
 * pays.
 */
export function modelActivity<I, O>(step: ModelStep<I, O>, ports: Ports): ModelActivity<I, O> {
  const estimates = new TokenEstimates();
  const asked = (given: I, sent: SentCall) =>
    providerCall(sent, async (_, soFar) => {
      const call: StepCall = { ...CALL_DEFAULTS, ...sent };
      const input = await withTexts(given, ports.responses);
      const { request: usual, hash, promptEnd } = await requestOf(step, input, call, ports);
      const words = await setWords(call.prompts, ports.prompts);
      const parts = { ...ports, estimates, prompt: hash, promptEnd, words };
      const { request, resampled } = await readableSample(step, input, usual, call, parts);
      const answer = await ask(step, input, request, call, parts, soFar);
      const { key, completion, cached, ms } = answer;
      const { form } = call;
      const { maxTokens } = request;
      const mostMs = call.timeoutSeconds * 1000;
      const pace = ms === undefined ? undefined : { tookMs: ms, mostMs, maxTokens };
      const known = { words, form, prompt: hash, pace };
      const read = stepOutput(step, input, completion, { ...known, key, cached });
      const output = await withPiece(read, promptEnd, ports.transcripts);
      const estimated = addEstimated(soFar.estimated, answer.estimated);
      const usage = withEstimated(output.usage, estimated);
      await ports.tenants.count(sent.tenant, usage);
      return { ...output, usage, ...(resampled > 0 && { resampled }) };
    });
  return async (given, sent) => {
    const counted = () => ports.tenants.losses(sent.tenant, () => asked(given, sent));
    const { value: output, ran } = await timed(counted);
    return { ...output, ran };
  };
}

/** Temperature of further samples of a greedy call; a call that samples keeps its own. */
const RESAMPLED_TEMPERATURE = 0.7;

/**
 * Number of the first resample: far above the samples of methods, so that no seed is used twice.
 */
const FIRST_RESAMPLED = 1_000_000;

/**
 * Returns the request to make: the usual one, or a later sample if the stored response to it cannot
 * be read. Tries at most `call.resample` further samples. At temperature 0 the same unreadable
 * response would be paid for again.
 */
async function readableSample<I, O>(
  step: ModelStep<I, O>,
  input: I,
  usual: CompletionRequest,
  call: StepCall,
  { llm, responses, words }: Pick<Ports, 'llm' | 'responses'> & { words: SetWords },
): Promise<{ request: CompletionRequest; resampled: number }> {
  const serves = servesBy(step, input, { ...call, cache: true }, words);
  const claimant = { origin: NOBODY, run: call.run ?? NOBODY, serves };
  for (let resampled = 0; ; resampled++) {
    const request = resampled === 0 ? usual : resampledRequest(usual, resampled);
    if (resampled >= call.resample) return { request, resampled };
    const key = keyOf(step, input, request, call, llm);
    const { entry } = await responses.find(key, claimant);
    const isUnreadable = !entry && (await responses.text(key)) !== undefined;
    if (!isUnreadable) return { request, resampled };
  }
}

function resampledRequest(usual: CompletionRequest, resampled: number): CompletionRequest {
  return {
    ...usual,
    temperature: usual.temperature || RESAMPLED_TEMPERATURE,
    seed: sampleSeed(usual.seed ?? 0, FIRST_RESAMPLED + resampled),
  };
}

/** A response, from the cache or paid for. */
interface Answer {
  key: string;
  completion: Completion;
  cached: boolean;
  /** Duration of the paid call, in milliseconds; undefined if unknown. */
  ms?: number | undefined;
  /** Estimated cost of lost calls. */
  estimated?: Estimated | undefined;
}

/** What an activity knows of the call that it makes. */
interface Asking {
  estimates: TokenEstimates;
  /** Hash of the prompt. */
  prompt: string;
  /** See `Rendered`. */
  promptEnd?: string | null | undefined;
  words: SetWords;
}

/** Returns the stored response to a request, or asks for one and stores it. */
async function ask<I, O>(
  step: ModelStep<I, O>,
  input: I,
  request: CompletionRequest,
  call: StepCall,
  ports: Ports & Asking,
  soFar: CallSoFar,
): Promise<Answer> {
  const { llm, responses, tokens, tenants, estimates, prompt, promptEnd } = ports;
  const { watch, prices, words } = ports;
  const key = keyOf(step, input, request, call, llm);
  const origin = activityOrigin();
  const run = call.run ?? Context.current().info.workflowExecution?.workflowId ?? '';
  const claimant = { origin, run, serves: servesBy(step, input, call, words) };
  const answered = ({ completion, origin: payer, ms, estimated }: CacheEntry) =>
    payer === origin
      ? { key, completion, cached: false, ms, estimated }
      : { key, completion, cached: true, ms };
  const { waited, unkept, carry, timeout } = soFar;
  const givenUp = AbortSignal.any([timeout, unwanted(Context.current(), watch)]);
  if (unkept?.key === key) {
    // An earlier attempt of this activity paid for it and could not store it.
    const write = () => responses.store(key, unkept.entry, undefined, claimant);
    return answered(await keep(write, () => carry({ unkept }), givenUp));
  }
  const transport = transportOf(call);
  if (transport) {
    const rendered = { key, origin, run, request, prompt, input, call, promptEnd };
    const there = await responses.find(key, claimant);
    const findEntry = async () => (await responses.find(key, claimant)).entry;
    if (there.entry) return answered(there.entry);
    // A response that another call is paying for is waited for, not asked for again.
    if (!there.isLeased) {
      const batched = { provider: llm.provider, prices, tier: 'batch' } as const;
      const { costUsd } = estimateLoss(request, estimates, batched);
      await tenants.admit(call.tenant, costUsd);
      return answered(await putRequest({ ...rendered, costUsd }, transport, ports, findEntry));
    }
  }
  const loss = estimateLoss(request, estimates, { provider: llm.provider, prices });
  const death = { ...loss, repeated: 1 };
  const found = await answerOrLease(key, claimant, death, responses, soFar);
  if ('completion' in found) return answered(found);
  const { lease, takenOver } = found;
  let ms = 0;
  const complete = async () => {
    await tenants.admit(call.tenant, loss.costUsd);
    const since = performance.now();
    const completion = await llm.complete(request, givenUp);
    ms = Math.round(performance.now() - since);
    return returnedCompletion('LanguageModel.complete', completion, request);
  };
  const { completion, settle } = await inTurn(tokens, estimates, request, waited, () =>
    complete().catch((error: unknown) => {
      if (mayBeBilled(error)) soFar.spend(spentOf(error) ?? loss);
      throw isLate(error, timeout) && !mayEndInTime(request, call) ? notAgain(call) : error;
    }),
  ).catch(async (error: unknown) => {
    soFar.spend(takenOver);
    await lease.release();
    throw error;
  });
  const entry: CacheEntry = {
    completion: bounded(completion),
    origin,
    run,
    at: new Date().toISOString(),
    ms,
    ...(takenOver && { estimated: takenOver }),
  };
  const write = () => lease.end((expected) => responses.store(key, entry, expected, claimant));
  // If it cannot be stored, the next attempt gets it.
  const leave = () => carry({ unkept: { key, entry } });
  const stored = await keep(write, leave, givenUp).finally(() => lease.stop());
  await settle();
  const answer = answered(stored);
  // A call that was taken for dead may have answered after all. Then both were paid for, and the
  // amount counted as lost with the other one stands for this call.
  return stored === entry ? answer : { ...answer, estimated: takenOver ?? answer.estimated };
}

function isLate(error: unknown, timeout: AbortSignal): boolean {
  return timeout.aborted || (error instanceof Failure && error.type === 'Timeout');
}

/**
 * Tells whether a request that timed out may be answered in time if it is sent again. At
 * temperature 0 the model writes the same again. A request with twice the tokens is therefore not
 * repeated; one with half of them would have reached its limit in time.
 */
function mayEndInTime({ temperature }: CompletionRequest, { doubled }: StepCall): boolean {
  return temperature > 0 || !doubled;
}

function notAgain({ timeoutSeconds }: StepCall): Failure {
  const message =
    `No answer within ${timeoutSeconds} s (limits.callTimeoutSeconds), with twice the tokens: ` +
    'the same request is not sent again.';
  return new Failure('Timeout', message, { retryable: false });
}

/** The result of looking up a call in the response cache. */
export interface KeptOutput<O> {
  key: string;
  /** Undefined if the call would have to be paid for. */
  output: StepOutput<O> | undefined;
  /**
   * Whether a stored response is not used, since it is not known how it ended; the call is paid
   * again.
   */
  isUnended: boolean;
}

/** Looks up the stored response that a new call would get. Makes no call and writes nothing. */
export async function keptOutput<I, O>(
  step: ModelStep<I, O>,
  input: I,
  sent: SentCall,
  ports: PromptPorts & Pick<Ports, 'llm' | 'responses'>,
): Promise<KeptOutput<O>> {
  const call: StepCall = { ...CALL_DEFAULTS, ...sent };
  const { request, hash, promptEnd } = await requestOf(step, input, call, ports);
  const words = await setWords(call.prompts, ports.prompts);
  const key = keyOf(step, input, request, call, ports.llm);
  const claimant = {
    origin: NOBODY,
    run: call.run ?? NOBODY,
    serves: servesBy(step, input, call, words),
  };
  const { entry, isUnended } = await ports.responses.find(key, claimant);
  const known = { words, form: call.form, prompt: hash, key, cached: true };
  const read = entry && stepOutput(step, input, entry.completion, known);
  const output = read && (await withPiece(read, promptEnd, ports.transcripts));
  return { key, output, isUnended };
}

/** Origin that no activity has. */
const NOBODY = '';

/** Returns the cache key of the response to a request. */
export function keyOf<I, O>(
  step: ModelStep<I, O>,
  input: I,
  request: CompletionRequest,
  { attempt }: StepCall,
  { provider }: Pick<Ports['llm'], 'provider'>,
): string {
  return cacheKey({ provider, request, sample: sampleOf(step, input), attempt });
}

/** Returns the test whether a response that another call paid for may be used. */
function servesBy<I, O>(
  step: ModelStep<I, O>,
  input: I,
  { cache, form }: StepCall,
  words: SetWords,
): Claimant['serves'] {
  return (completion) => cache && isReadable(step, completion, input, { words, form });
}

/** Returns the request of a step for an input, and the hash of its prompt. */
export async function requestOf<I, O>(
  step: ModelStep<I, O>,
  input: I,
  call: Pick<StepCall, 'attempt' | 'corpus' | 'model' | 'prompts' | 'seed'> &
    Partial<Pick<StepCall, 'doubled' | 'form' | 'mostTokens' | 'parameters' | 'tier' | 'thinks'>>,
  ports: PromptPorts,
): Promise<{ request: CompletionRequest } & Omit<Rendered, 'content'>> {
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

function sampleOf<I, O>(step: ModelStep<I, O>, input: I): number {
  return step.sample?.(input) ?? 0;
}

/** Returns the name of this activity execution, the same for all its attempts. */
function activityOrigin(): string {
  const { workflowExecution, activityId } = Context.current().info;
  return `${workflowExecution?.workflowId}/${workflowExecution?.runId}/${activityId}`;
}

/**
 * Returns a signal that fires once nobody wants the answer: the activity is cancelled, its workflow
 * has ended, or the worker stops. It does not fire if the server took this attempt for dead, since
 * the next attempt waits for its answer.
 */
function unwanted(context: Context, watch: Pick<QuestionWatch, 'isRunning'>): AbortSignal {
  const cancellation = cancellationOf(context);
  const unwanted = new AbortController();
  const decide = async () => {
    if (!(await isAwaited(context, watch))) unwanted.abort(cancellation.reason);
  };
  if (cancellation.aborted) void decide();
  else cancellation.addEventListener('abort', () => void decide(), { once: true });
  return unwanted.signal;
}

/** Tells whether another attempt is running or will follow. */
async function isAwaited(
  { cancellationDetails, info }: Context,
  watch: Pick<QuestionWatch, 'isRunning'>,
): Promise<boolean> {
  const { notFound, timedOut, cancelRequested } = cancellationDetails ?? {};
  if (cancelRequested || !(notFound || timedOut) || !info.workflowExecution) return false;
  // If the server cannot be asked, it is away, and will return with the question.
  return watch.isRunning(info.workflowExecution).catch(() => true);
}
