/** The parameters that a model may refuse, and which of them an error is about. Pure. */
import type { CompletionRequest } from './language-model.js';

/**
 * Parameters that some models refuse and that a request can omit: names in OpenAI's API, with those
 * in `CompletionRequest`.
 */
export const REFUSABLE_NAMES = {
  max_tokens: 'maxTokens',
  temperature: 'temperature',
  top_p: 'topP',
  seed: 'seed',
  stop: 'stop',
  reasoning_effort: 'reasoningEffort',
  logprobs: 'logprobs',
  service_tier: 'tier',
} as const satisfies Record<string, keyof CompletionRequest>;

/**
 * Name, in OpenAI's API, of a parameter that an endpoint may refuse and that the next request then
 * leaves out, such as "top_p".
 */
export type Refusable = keyof typeof REFUSABLE_NAMES;

/**
 * List of the parameters that an endpoint may refuse and that the next request then leaves out, by
 * their names in OpenAI's API.
 */
export const REFUSABLE = Object.keys(REFUSABLE_NAMES) as Refusable[];

/**
 * The parts of a sent request that a server may refuse: values by the names of parameters, and by
 * "response_format".
 */
export type SentParameters = Partial<Record<Refusable | 'response_format', unknown>>;

/**
 * The sent parameters that are assumed if a request is not known: every parameter that a server
 * may refuse, each with the value true.
 */
export const ALL_SENT: SentParameters = Object.fromEntries(
  [...REFUSABLE, 'response_format'].map((name) => [name, true]),
);

/** Other names of parameters, without "_": names in other APIs, and abbreviations. */
const ALIASES: Partial<Record<Refusable, readonly string[]>> = {
  stop: ['stopsequences'],
  reasoning_effort: ['effort', 'reasoning'],
  logprobs: ['toplogprobs', 'responselogprobs'],
};

/**
 * Returns the sent parameter that an error is about, by its name in OpenAI's API; undefined if the
 * error names none of those sent.
 *
 * @param params Parameters named in fields of the answer; only if there are none, the message is
 * searched.
 * @param sent Parameters of the request.
 */
export function namedIn(
  message: string,
  params: readonly string[],
  sent: SentParameters,
): Refusable | undefined {
  const possible = REFUSABLE.filter((name) => sent[name] !== undefined);
  const ends = params.map((param) => plain(param.split('.').at(-1) ?? ''));
  const named = possible.find((name) => namesOf(name).some((one) => ends.includes(one)));
  if (named || ends.length > 0) return named;
  if (sent.service_tier !== undefined && /\bflex\b/i.test(message)) return 'service_tier';
  const places = possible
    .map((name) => ({ name, at: message.search(mentionOf(name)) }))
    .filter(({ at }) => at >= 0);
  // Of "temperature and top_p cannot both be set", the request can do without top_p.
  if (/cannot both/i.test(message)) return places.at(-1)?.name;
  return places.sort((a, b) => a.at - b.at)[0]?.name;
}

function namesOf(name: Refusable): readonly string[] {
  return [plain(name), ...(ALIASES[name] ?? [])];
}

/** Returns a pattern of the name in a sentence: "reasoning_effort", "reasoningEffort". */
function mentionOf(name: Refusable): RegExp {
  return new RegExp(`(?<![a-z0-9])${name.replace('_', '[_ -]?')}(?![a-z0-9])`, 'i');
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
