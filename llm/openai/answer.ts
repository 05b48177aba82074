/** What the answers of all endpoints have in common: the usage, the model served, an error inside. Pure. */
import type { Failure } from '../../core/failure.js';
import type { PricedTier } from '../../core/model-price.js';
import { type Fields, fields, named } from '../fields.js';
import { billOf, type Pricing } from '../prices.js';
import { type CallContext, failureInside } from '../provider-failure.js';
import { readUsage } from '../read-usage.js';

/**
 * Returns the fields of an answer with status 200.
 *
 * @param spent See `failureInside`.
 * @throws Failure that an error sent with status 200 stands for.
 */
export function readAnswer(
  body: unknown,
  context: CallContext,
  spent?: () => Failure['spent'],
): Fields {
  const failure = failureInside(body, context, { ...(spent && { spent }) });
  if (failure) throw failure;
  return fields(body);
}

/**
 * Returns the model that served an answer, what was used and what it cost, and whether some of it
 * was thinking.
 *
 * @param asked What was asked for beside the usual tier; "refused" if the endpoint does not take it.
 */
export function readBill(
  answer: Fields,
  context: CallContext,
  pricing: Pricing,
  asked?: PricedTier | 'refused',
) {
  const servedModel = named(answer.model) ?? context.model;
  const { thinks, ...told } = readUsage(answer.usage);
  const served = asked === 'batch' ? asked : named(answer.service_tier);
  const paid = billOf(told, [servedModel, context.model], pricing, { served, asked });
  return { servedModel, thinks, paid };
}
