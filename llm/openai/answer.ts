/** The common parts of all endpoints' answers: usage, served model, error inside. Pure. */
import type { Failure } from '../../core/failure.js';
import type { PricedTier } from '../../core/model-price.js';
import { billOf, type Pricing } from '../prices.js';
import { type CallContext, failureInside } from '../provider-failure.js';
import { readUsage } from '../read-usage.js';
import { type Fields, fields, nonEmptyText } from '../response-fields.js';

/**
 * Returns the fields of the body of an answer with status 200.
 *
 * @param spent Returns the tokens and cost of a generation that contains an error, as in
 * `failureInside`.
 * @throws Failure for an error that was sent with status 200.
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
 * Returns the `servedModel` of an answer (the requested one if it names none), as `paid` its usage
 * and cost, and as `thinks` whether the model spent tokens on thinking.
 *
 * @param asked The tier asked for, if not the usual one; "refused" if the endpoint does not accept
 * it.
 */
export function readBill(
  answer: Fields,
  context: CallContext,
  pricing: Pricing,
  asked?: PricedTier | 'refused',
) {
  const servedModel = nonEmptyText(answer.model) ?? context.model;
  const { thinks, ...reported } = readUsage(answer.usage);
  const served = asked === 'batch' ? asked : nonEmptyText(answer.service_tier);
  const paid = billOf(reported, [servedModel, context.model], pricing, { served, asked });
  return { servedModel, thinks, paid };
}
