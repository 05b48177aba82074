/** Span attributes of steps and questions. Pure. */

import { answeredUsd } from '../../core/usage.js';
import { placeOf } from '../../workflows/run/run-name.js';
import type { Observation } from '../observe/observation.js';

/**
 * Key that marks, in the W3C trace state of a question, that its trace continues that of the
 * program that started it.
 */
export const TRACE_STATE_KEY = 'durable_rag';

/** Attributes of a span, by name. */
export type Attributes = Record<string, string | number | boolean | string[]>;

/**
 * Returns the span attributes of an activity's attempt: its names, model, end, cache hit and costs
 * in US dollars, as far as they are known. Token counts are left out: they are on the span of the
 * request below it, so that a sum over spans counts them once.
 */
export function attemptAttributes(observation: Observation): Attributes {
  const { method, step, model, run, question, attempt, end, kind } = observation;
  const { waitSeconds, usage, tier, lost } = observation;
  const answered = usage && answeredUsd(usage);
  const estimated = (usage?.estimated ?? lost)?.costUsd;
  return definedAttributes({
    'durable_rag.method': method,
    'durable_rag.step': step,
    'durable_rag.run': run,
    'durable_rag.question': question,
    'durable_rag.attempt': attempt,
    'durable_rag.end': end,
    'durable_rag.wait_seconds': waitSeconds,
    'error.type': kind,
    'durable_rag.model': model,
    'durable_rag.cache_hit': usage?.cached,
    'durable_rag.tier': tier,
    'durable_rag.cost_usd': answered ?? undefined,
    'durable_rag.estimated_usd': estimated ?? undefined,
  });
}

/**
 * Returns the span attributes of a question's result: outcome, number of model calls (cached ones
 * included) and cost in US dollars, which is left out if a price is unknown. Empty for results of
 * other workflows.
 */
export function outcomeAttributes(result: unknown): Attributes {
  const { outcome, usage } = Object(result) as { outcome?: unknown; usage?: unknown };
  const { calls, costUsd } = Object(usage) as { calls?: unknown; costUsd?: unknown };
  if (typeof outcome !== 'string' || typeof calls !== 'number') return {};
  return definedAttributes({
    'durable_rag.outcome': outcome,
    'durable_rag.calls': calls,
    'durable_rag.total_cost_usd': costUsd,
  });
}

/** The SDK's attributes that locate a span; all others, such as a memo, are dropped. */
const OF_THE_SDK = ['temporalWorkflowId', 'temporalActivityId', 'run_id', 'temporalUpdateId'];

/**
 * Returns the attributes of a span that may be exported: ours, and those of the SDK's that identify
 * the workflow and activity. The others are left out, since they may contain texts of questions.
 */
export function exportedAttributes(given: Readonly<Record<string, unknown>>): Attributes {
  const ours = Object.entries(given).filter(([name]) =>
    /^(durable_rag|gen_ai|error|server)\./.test(name),
  );
  const theirs = OF_THE_SDK.map((name) => [name, given[name]]);
  const { workflowId, workflowType } = given;
  if (typeof workflowId !== 'string')
    return definedAttributes(Object.fromEntries([...theirs, ...ours]));
  const { run, question } = placeOf(workflowId);
  const place = { 'durable_rag.run': run, 'durable_rag.question': question };
  const workflow = { temporalWorkflowId: workflowId, 'durable_rag.method': workflowType };
  return definedAttributes({ ...Object.fromEntries([...theirs, ...ours]), ...workflow, ...place });
}

/**
 * Returns the attributes that a span accepts: text, numbers, booleans and lists. Empty texts and
 * other values are left out.
 */
export function definedAttributes(attributes: Record<string, unknown>): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, Attributes[string]] =>
        (['string', 'number', 'boolean'].includes(typeof entry[1]) || Array.isArray(entry[1])) &&
        entry[1] !== '',
    ),
  );
}
