/** What a span says of a step. Pure. */

import { answeredUsd } from '../../core/usage.js';
import { placeOf } from '../../workflows/run/run-name.js';
import type { Observation } from '../observe/observation.js';

export type Attributes = Record<string, string | number | boolean>;

/** Of the attempt of an activity, under OpenTelemetry's names where it has some. */
export function attributesOf(observation: Observation): Attributes {
  const { method, step, model, run, question, attempt, end, kind } = observation;
  const { waitSeconds, usage, tier, lost } = observation;
  const told = usage?.uncounted ? undefined : usage;
  const answered = usage && answeredUsd(usage);
  const estimated = (usage?.estimated ?? lost)?.costUsd;
  return known({
    'durable_rag.method': method,
    'durable_rag.step': step,
    'durable_rag.run': run,
    'durable_rag.question': question,
    'durable_rag.attempt': attempt,
    'durable_rag.end': end,
    'durable_rag.wait_seconds': waitSeconds,
    'error.type': kind,
    'gen_ai.request.model': model === '' ? undefined : model,
    'gen_ai.usage.input_tokens': told?.promptTokens,
    'gen_ai.usage.output_tokens': told?.completionTokens,
    'durable_rag.cached_prompt_tokens': told?.cachedPromptTokens,
    'durable_rag.written_prompt_tokens': told?.writtenPromptTokens,
    'durable_rag.cache_hit': usage?.cached,
    'durable_rag.tier': tier,
    'durable_rag.cost_usd': answered ?? undefined,
    'durable_rag.estimated_usd': estimated ?? undefined,
  });
}

/** Those of the SDK's own that say where a span belongs; all others, such as a memo, are dropped. */
const OF_THE_SDK = ['temporalWorkflowId', 'temporalActivityId', 'run_id', 'temporalUpdateId'];

/** Of a span as it leaves: ours, and few of the SDK's, whose spans of workflows carry all there is. */
export function tidied(given: Readonly<Record<string, unknown>>): Attributes {
  const ours = Object.entries(given).filter(([name]) => /^(durable_rag|gen_ai|error)\./.test(name));
  const theirs = OF_THE_SDK.map((name) => [name, given[name]]);
  const { workflowId, workflowType } = given;
  if (typeof workflowId !== 'string') return known(Object.fromEntries([...theirs, ...ours]));
  const { run, question } = placeOf(workflowId);
  const place = { 'durable_rag.run': run, 'durable_rag.question': question };
  const workflow = { temporalWorkflowId: workflowId, 'durable_rag.method': workflowType };
  return known({ ...Object.fromEntries([...theirs, ...ours]), ...workflow, ...place });
}

function known(attributes: Record<string, unknown>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, string | number | boolean] =>
        ['string', 'number', 'boolean'].includes(typeof entry[1]) && entry[1] !== '',
    ),
  );
}
