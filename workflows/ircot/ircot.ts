/** IRCoT (Trivedi et al., ACL 2023). */

import { answerKey } from '../../core/answer-key.js';
import { concluded } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import type { Question } from '../algorithm.js';
import type { AlgorithmOf } from '../define-method.js';
import type { IrcotChain, IrcotOptions, ircotMethod, Thought } from './method.js';

/**
 * Thinks one sentence at a time; each is the next query, until there is an answer or nothing more
 * to gather. Then reads the gathered passages for the answer, without the thoughts.
 */
export const ircot: AlgorithmOf<typeof ircotMethod> = async (asked) => {
  const { question, options, step } = asked;
  const gathered = await think(asked);
  const passages = gathered.passages.map(({ id }) => id);
  const { reasoning, answer: reading } =
    options.reader === 'direct'
      ? { reasoning: null, answer: await step.read({ question, passages, demonstrations: [] }) }
      : ((await step.reason({ question, passages })) ?? { reasoning: null, answer: null });
  const chain = { ...gathered, reasoning, reading };
  return concluded(reading, passages, chain);
};

type Thinking = Omit<IrcotChain, 'reasoning' | 'reading'>;

/** With M passages, further thoughts would not change what is read. */
async function think({ question, options, step }: Question<IrcotOptions>): Promise<Thinking> {
  const { passages: count, maxPassages, maxThoughts, demonstrations } = options;
  const passages: PassageRef[] = [...(await step.retrieve({ query: question, count }))];
  const thoughts: Thought[] = [];
  const end = (ended: Thinking['ended'], concluded: string | null = null) => ({
    ...{ passages, thoughts, ended, concluded },
  });

  for (let idle = 0; idle < 2; ) {
    if (passages.length >= maxPassages) return end('passages');
    if (thoughts.length === maxThoughts) return end('thoughts');
    const next = await step.nextThought({
      question,
      passages: passages.map(({ id }) => id),
      thoughts: thoughts.map(({ text }) => text),
      demonstrations,
    });
    if (next === null) return end('unreadable');
    if ('answer' in next) return end('answer', next.answer);
    const { thought } = next;
    if (thoughts.some(({ text }) => answerKey(text) === answerKey(thought))) return end('repeated');

    const found = await step.retrieve({ query: thought, count });
    const known = new Set(passages.map(({ id }) => id));
    const brought = found
      .filter(({ id }) => !known.has(id))
      .slice(0, maxPassages - passages.length);
    passages.push(...brought);
    thoughts.push({ text: thought, brought: brought.map(({ id }) => id) });
    idle = brought.length === 0 ? idle + 1 : 0;
  }
  return end('nothingNew');
}
