import type { PricedTier } from '../../core/model-price.js';
import { endOf, reportedEnd, spentOf } from '../generation-end.js';
import type { Completion } from '../language-model.js';
import type { Pricing } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { type Fields, fields, nonEmptyText } from '../response-fields.js';
import { readAnswer, readBill } from './answer.js';

/**
 * Returns the completion in the body of a chat completions answer with status 200.
 *
 * @param asked The tier asked for, if not the usual one: "refused" if the endpoint has no flex
 * tier.
 * @throws Failure MalformedResponse if there is no choice, if the generation broke off, or if it
 * has no text and called a tool; ContentRefused if the model or a filter refused; the failure of an
 * error sent with status 200.
 */
export function readCompletion(
  body: unknown,
  context: CallContext,
  pricing: Pricing,
  asked?: PricedTier | 'refused',
): Completion {
  const answer = readAnswer(body, context, () =>
    spentOf(readBill(fields(body), context, pricing, asked).paid),
  );
  const choice = firstChoice(answer);
  const message = fields(choice.message);
  const text = contentText(message.content);
  const { servedModel, thinks, paid } = readBill(answer, context, pricing, asked);
  // Filters may answer without any message.
  const end = endOf(reportedEnd(choice), text, paid, context);
  if (typeof choice.message !== 'object' || choice.message === null) {
    const reply = typeof body === 'string' ? body : 'a JSON body with no choice in it';
    throw failure('MalformedResponse', context, { reply });
  }
  const logprob = logprobOf(choice.logprobs);
  return {
    text,
    end,
    ...((thinks || thoughtApart(message)) && { thinking: 'some' as const }),
    ...(logprob === undefined ? {} : { logprob }),
    servedModel,
    ...paid,
    fingerprint: nonEmptyText(answer.system_fingerprint) ?? null,
    ...hostOf(answer),
  };
}

/**
 * Returns `{ host }`, the name of the provider behind a router; an empty object if the answer
 * names none.
 */
export function hostOf({ provider }: Fields): Pick<Completion, 'host'> {
  const host = nonEmptyText(provider);
  return host === undefined ? {} : { host };
}

/** Returns the fields of an answer's first choice; an empty object if it has none. */
export function firstChoice({ choices }: Fields): Fields {
  return fields(Array.isArray(choices) ? choices[0] : undefined);
}

/** Returns whether the answer has thoughts besides the text. */
function thoughtApart({ content, ...message }: Fields): boolean {
  const beside = message.reasoning_content ?? message.reasoning;
  const inParts = Array.isArray(content) && content.some((part) => !isText(fields(part)));
  return inParts || (typeof beside === 'string' && beside.trim() !== '');
}

/** Returns the sum of the tokens' log probabilities; undefined unless every token has one. */
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

/** Returns the content as text. Some servers send a list of parts, with thoughts among them. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(fields)
    .map((part) => (isText(part) ? part.text : ''))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** Returns whether a part is text; thoughts have another type. */
function isText({ type }: Fields): boolean {
  return typeof type !== 'string' || !/^(thinking|reasoning)/.test(type);
}
