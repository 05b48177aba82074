/** Runs a step by one model call: renders the prompt, gets the response, and reads it. */
import { CALL_DEFAULTS } from '../../core/call-defaults.js';
import { addEstimated, withEstimated } from '../../core/usage.js';
import type { Completion } from '../../llm/language-model.js';
import { TokenEstimates } from '../../llm/rates/token-estimates.js';
import type { SentCall, StepCall, StepOutput } from '../../steps/call.js';
import type { ModelStep } from '../../steps/define.js';
import { type OutputRow, outputRow } from '../../steps/output-row.js';
import { type PromptPorts, type RenderedCall, renderCall, resampledCall } from './model-request.js';
import { type StepResponse, storedOrPaidResponse } from './paid-response.js';
import type { Ports } from './ports.js';
import { type CallAttempt, providerCall, timed } from './provider-call.js';
import { type AnsweredCall, stepOutput, withTexts, withTranscriptKey } from './step-output.js';

/**
 * The activity of a model step: a function of the step's input and the settings of the call, which
 * returns the output with its usage.
 */
export type ModelActivity<I, O> = (input: I, call: SentCall) => Promise<OutputRow<O>>;

/**
 * Returns the activity of a step, which takes the stored response or makes one model call, and
 * reads the response.
 *
 * A response is stored before it is read, so that nothing is paid for twice, even if the worker
 * dies or reading throws or never ends. Of several equal calls at once, one pays.
 */
export function modelActivity<I, O>(step: ModelStep<I, O>, ports: Ports): ModelActivity<I, O> {
  const estimates = new TokenEstimates();
  return async (given, sent) => {
    const call = { ...CALL_DEFAULTS, ...sent };
    const run = (attempt: CallAttempt) => runStep(step, given, call, attempt, ports, estimates);
    const { value: output, ran } = await timed(() =>
      ports.tenants.losses(sent.tenant, () => providerCall(sent, run)),
    );
    return { ...outputRow(output, call.model), ran };
  };
}

async function runStep<I, O>(
  step: ModelStep<I, O>,
  given: I,
  call: StepCall,
  attempt: CallAttempt,
  ports: Ports,
  estimates: TokenEstimates,
): Promise<StepOutput<O>> {
  const input = await withTexts(given, ports.responses);
  const usual = await renderCall(step, input, call, ports);
  const { rendered, sample } = await unreadSample(step, usual, ports);
  const response = await storedOrPaidResponse(rendered, attempt, ports, estimates);
  const output = await readResponse(step, rendered, response, ports);
  const estimated = addEstimated(attempt.left.estimated, response.estimated);
  const usage = withEstimated(output.usage, estimated);
  await ports.tenants.count(call.tenant, usage);
  return { ...output, usage, ...(sample > 0 && { resampled: sample }) };
}

/**
 * Returns the call to make: the usual one, or one for another sample if the stored response to it
 * cannot be read. At temperature 0 the same unreadable response would be paid for again. Tries at
 * most `call.resample` additional samples.
 *
 * @returns `sample` is the number of the additional sample; 0 for the usual call.
 */
async function unreadSample<I, O>(
  step: ModelStep<I, O>,
  usual: RenderedCall,
  { llm, responses }: Pick<Ports, 'llm' | 'responses'>,
): Promise<{ rendered: RenderedCall; sample: number }> {
  const { call, reads: serves } = usual;
  const claimant = { origin: NOBODY, run: call.run ?? NOBODY, serves };
  for (let sample = 0; ; sample++) {
    const rendered = sample === 0 ? usual : resampledCall(step, usual, sample, llm);
    if (sample >= call.resample) return { rendered, sample };
    const { entry } = await responses.find(rendered.key, claimant);
    const isUnreadable = !entry && (await responses.text(rendered.key)) !== undefined;
    if (!isUnreadable) return { rendered, sample };
  }
}

/** Returns the output that a step reads from a response. */
async function readResponse<I, O>(
  step: ModelStep<I, O>,
  { call, input, key, prompt, promptEnd, request, words }: RenderedCall,
  { completion, cached, ms }: Pick<StepResponse, 'cached' | 'ms'> & { completion: Completion },
  { transcripts }: Pick<Ports, 'transcripts'>,
): Promise<StepOutput<O>> {
  const { form, timeoutSeconds } = call;
  const answered: AnsweredCall = { key, prompt, words, form, cached };
  if (ms !== undefined) {
    const { maxTokens } = request;
    answered.pace = { tookMs: ms, mostMs: timeoutSeconds * 1000, maxTokens };
  }
  return withTranscriptKey(
    stepOutput(step, input as I, completion, answered),
    promptEnd,
    transcripts,
  );
}

/** A call's stored output, as `storedOutput` returns it. */
interface StoredOutput<O> {
  key: string;
  /** The output; undefined if the call would have to be paid for. */
  output: StepOutput<O> | undefined;
  /**
   * Whether there is a stored response that is not used because it is unknown how it ended; the call
   * would be paid for again.
   */
  isUnended: boolean;
}

/**
 * Returns as `output` the output of a call from the stored response, as `key` the response's key
 * in the cache, and as `isUnended` whether a stored response is not used because it is unknown how
 * it ended. The output is undefined if no response is stored, or if the stored one would not be
 * used. Makes no call, and writes nothing but what `transcripts` of the ports stores.
 */
export async function storedOutput<I, O>(
  step: ModelStep<I, O>,
  input: I,
  sent: SentCall,
  ports: PromptPorts & Pick<Ports, 'llm' | 'responses'>,
): Promise<StoredOutput<O>> {
  const call: StepCall = { ...CALL_DEFAULTS, ...sent };
  const rendered = await renderCall(step, input, call, ports);
  const { key, reads } = rendered;
  const serves = (completion: Completion) => call.cache && reads(completion);
  const claimant = { origin: NOBODY, run: call.run ?? NOBODY, serves };
  const { entry, isUnended } = await ports.responses.find(key, claimant);
  if (!entry) return { key, output: undefined, isUnended };
  const response = { completion: entry.completion, cached: true };
  return { key, output: await readResponse(step, rendered, response, ports), isUnended };
}

/** Origin that no activity has. */
const NOBODY = '';
