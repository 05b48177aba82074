import type { PricedTier } from '../../core/model-price.js';
import { count, type Fields, fields } from '../fields.js';
import type { Completion, ServedTier } from '../language-model.js';
import type { Pricing } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { readAnswer, readBill } from './answer.js';

/**
 * Returns the completion in an answer with status 200.
 *
 * @param asked What was asked for beside the usual tier: "refused" where the endpoint knows no flex.
 * @throws Failure MalformedResponse without a choice, ContentRefused when the model or a filter
 *   refused, or what an error sent with status 200 stands for.
 */
export function readCompletion(
  body: unknown,
  context: CallContext,
  pricing: Pricing,
  asked?: PricedTier | 'refused',
): Completion {
  const answer = readAnswer(body, context);
  const choice = fields(Array.isArray(answer.choices) ? answer.choices[0] : undefined);
  if (typeof choice.message !== 'object' || choice.message === null) {
    const said = typeof body === 'string' ? body : 'a JSON body with no choice in it';
    throw failure('MalformedResponse', context, { said });
  }
  const message = fields(choice.message);
  const content = contentText(message.content);
  if (choice.finish_reason === 'content_filter') throw failure('ContentRefused', context);
  if (content === '' && typeof message.refusal === 'string' && message.refusal !== '') {
    throw failure('ContentRefused', context, { said: message.refusal });
  }

  const logprob = logprobOf(choice.logprobs);
  return {
    text: content,
    cut: choice.finish_reason === 'length',
    ...(thoughtApart(message, answer.usage) && { thinking: 'some' as const }),
    ...(logprob === undefined ? {} : { logprob }),
    ...billAt(answer, context, pricing, asked),
    fingerprint: typeof answer.system_fingerprint === 'string' ? answer.system_fingerprint : null,
  };
}

/** Tells whether there were thoughts beside the content, or only counted. */
function thoughtApart(message: Fields, usage: unknown): boolean {
  const beside = message.reasoning_content ?? message.reasoning;
  const { reasoning_tokens } = fields(fields(usage).completion_tokens_details);
  return (typeof beside === 'string' && beside.trim() !== '') || count(reasoning_tokens) > 0;
}

/** Returns the cost at the tier that the answer names, else at the one asked for. */
function billAt(
  answer: Fields,
  context: CallContext,
  pricing: Pricing,
  asked: PricedTier | 'refused' | undefined,
) {
  const usual = readBill(answer, context, pricing);
  const served = asked === 'batch' ? asked : answer.service_tier;
  if (asked === undefined && served !== 'flex') return usual;
  const known = served === 'flex' || served === 'batch' ? served : undefined;
  const tier: ServedTier = { served: nameOf(served, asked), standardUsd: usual.costUsd };
  return { ...readBill(answer, context, pricing, known), tier };
}

function nameOf(served: unknown, asked: PricedTier | 'refused' | undefined): string {
  if (asked === 'refused') return asked;
  return typeof served === 'string' && served !== '' ? served : 'unsaid';
}

/** Returns the sum of the log probabilities; undefined unless all are there. */
function logprobOf(value: unknown): number | undefined {
  const { content } = fields(value);
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const logprobs = content.map((token) => fields(token).logprob);
  return logprobs.every((logprob) => typeof logprob === 'number')
    ? Math.min(
        0,
        logprobs.reduce((sum, logprob) => sum + logprob, 0),
      )
    : undefined;
}

/** Returns the content as text; some servers send it as a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => fields(part).text)
    .filter((text) => typeof text === 'string')
    .join('');
}
