import { implementStep, type ModelOutput } from '../define.js';
import { parseReading } from '../read/implementation.js';
import { renderFollowUps } from '../rendering/chain-text.js';
import { chainLines, unlabelledLines } from '../self-ask/implementation.js';
import type { ChainLine } from '../self-ask/step.js';
import type * as declared from './step.js';

export const followUp = implementStep<typeof declared.followUp>({
  prompt: 'follow-up',
  maxTokens: 128,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question, history, last }) => ({
    question,
    history: renderFollowUps(history),
    last: last ? 'yes' : '',
  }),
  parse: (output, { last }) => parseNext(output, last),
  fallback: () => null,
  costliest: (longest, { last }) => (last ? { answer: longest } : { followUp: longest }),
});

/**
 * The first whole follow-up or final answer of an output, whichever comes first: models go on and make up
 * the answer to their own question. Where the final answer is due, the last one there is.
 */
export function parseNext(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  last: boolean,
): declared.NextInChain | undefined {
  const lines = chainLines(output);
  const due = lines.filter(({ kind }) => kind !== 'intermediate');
  const next = last ? due.findLast(({ kind }) => kind === 'final') : due[0];
  if (next) return nextOf(next);
  if (due.length > 0) return undefined;
  // Without a label a question goes on, and anything else is an answer only where one is due.
  const unlabelled = unlabelledLines(output);
  const asks = unlabelled.find((line) => /[?？؟]\W*$/.test(line));
  const reading = parseReading(unlabelled.join('\n'));
  if (last) return reading === undefined || asks ? undefined : { answer: reading };
  const question = asks && parseReading(asks);
  return question ? { followUp: question } : undefined;
}

function nextOf({ kind, text }: ChainLine): declared.NextInChain {
  return kind === 'final' ? { answer: text } : { followUp: text };
}
