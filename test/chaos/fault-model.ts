/** A model whose answers depend on what it is asked about, and whose faults do on how often it is asked. */
import { createHash } from 'node:crypto';
import { type ReplySpec, startModelServer } from '../support/model-server.js';
import { promptOf } from '../support/telephone.js';

/** Everything that an endpoint does wrong; the calls that go wrong meet these in turn. */
export const FAULTS: Record<string, ReplySpec> = {
  'server error': { status: 500, body: { error: { message: 'something broke' } } },
  overloaded: { status: 503, body: { error: { message: 'try again later' } } },
  'rate limited': {
    status: 429,
    body: { error: { message: 'too many requests' } },
    headers: { 'retry-after-ms': '200' },
  },
  reset: 'reset',
  hang: 'hang',
  'hang in the middle': 'hang-body',
  'cut in the middle': 'cut-body',
  malformed: 'malformed',
  'no text': { text: '' },
};

/** One call in so many goes wrong. */
const ONE_IN = 10;

/** A prompt that was answered more than once, and when those answers went out. */
export interface Repeated {
  prompt: string;
  /** Milliseconds since the epoch. */
  times: number[];
}

/** @param faulty Whether calls go wrong; otherwise every one is answered. */
export async function startFaultModel(faulty: boolean) {
  /** While it is down nobody gets an answer. */
  const state = { down: false };
  const asked = new Map<string, number>();
  const good = new Set<number>();
  const faults: Record<string, number> = {};
  const kinds = Object.entries(FAULTS);
  let wrong = 0;
  const server = await startModelServer({
    latencyMs: 100,
    reply(request, n) {
      if (state.down) return { status: 503, body: { error: { message: 'down' } } };
      const prompt = promptOf(request);
      const times = (asked.get(prompt) ?? 0) + 1;
      asked.set(prompt, times);
      const goesWrong = faulty && numberOf(`${prompt}/${times}`) % ONE_IN === 0;
      const next = goesWrong ? kinds[wrong++ % kinds.length] : undefined;
      if (!next) {
        good.add(n);
        return { text: answerTo(prompt) };
      }
      const [kind, fault] = next;
      faults[kind] = (faults[kind] ?? 0) + 1;
      return fault;
    },
  });
  const answered = () =>
    server.requests.filter(
      ({ n, aborted, endedAt }) => good.has(n) && !aborted && endedAt !== undefined,
    );
  return Object.assign(state, {
    server,
    /** How often each kind of fault was given. */
    faults,
    /** The requests whose good answers the workers took whole. */
    answered,
    /** Prompts of which the workers took more than one good answer whole. */
    repeated(): Repeated[] {
      const times = new Map<string, number[]>();
      for (const { body, endedAt = 0 } of answered()) {
        const prompt = promptOf(body);
        times.set(prompt, [...(times.get(prompt) ?? []), endedAt]);
      }
      return [...times]
        .filter(([, all]) => all.length > 1)
        .map(([prompt, all]) => ({ prompt, times: all }));
    },
  });
}

export type FaultModel = Awaited<ReturnType<typeof startFaultModel>>;

/**
 * SuRe's steps are told apart by what they ask for, and so are those of Search-o1, which searches once. What
 * is said follows from what is asked about, not from its wording: that is another one where a prompt
 * was edited, or is asked again.
 */
export function answerTo(prompt: string): string {
  const [question = ''] = /inventor number \d+/.exec(prompt) ?? [];
  const [about = ''] = /^(?:Prediction|Passage 1): .*/m.exec(prompt) ?? [];
  const lot = numberOf(question + about);
  if (/name \d+ different answers/.test(prompt)) {
    return `(a) thing ${numberOf(question) % 1000}, (b) thing ${1000 + (numberOf(question) % 1000)}`;
  }
  if (prompt.includes('supports the given prediction')) {
    return `The sources name it, as ${lot} says. [DONE]`;
  }
  if (prompt.includes('correctly support the prediction')) return lot % 2 ? 'True' : 'False';
  if (prompt.includes('Passage 1 or Passage 2')) return `Passage ${1 + (lot % 2)}`;
  if (prompt.includes('Final Information')) return `Final Information\nThe sources say ${lot}.`;
  if (!prompt.includes('The sources say')) {
    return `I look.\n<|begin_search_query|>${question} ${lot}<|end_search_query|>`;
  }
  return `So it is \\boxed{answer ${lot % 1000}}`;
}

/** The same for the same text. */
export function numberOf(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16);
}
