/** IRCoT (Trivedi et al., ACL 2023). */

import { z } from 'zod';
import { answerKey } from '../../core/answer-key.js';
import { whole } from '../../core/options/ranges.js';
import { chainPassages, inIdOrder } from '../../core/passages-read.js';
import { type Conclusion, concluded } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import {
  baseView,
  cards,
  chip,
  section,
  text,
  titleList,
} from '../../report/views/section-parts.js';
import type { Question } from '../algorithm.js';
import { defineMethod } from '../define-method.js';
import { optionsOf, thoughtDemonstrations } from './options.js';

const options = optionsOf(
  {
    passages: whole(1, 50)
      .default(4)
      .describe('K, passages retrieved by the question and by each thought (the paper: 4 to 6)'),
    maxPassages: whole(1, 200).default(15).describe('M, passages gathered at most (the paper: 15)'),
    maxThoughts: whole(1, 20).default(8).describe('T, thoughts at most (the paper: 8)'),
    reader: z
      .enum(['chainOfThought', 'direct'])
      .default('chainOfThought')
      .describe('how the gathered passages are read in the end (the paper has both; ours)'),
    demonstrations: thoughtDemonstrations,
  },
  {
    refused: {
      maxPassages: ({ passages, maxPassages }) =>
        passages > maxPassages &&
        'must be at least passages, or what the question finds would not be kept',
    },
  },
);

/** Options of `ircot` (IRCoT, retrieval and chain of thought by turns), with all defaults. */
export type IrcotOptions = z.output<typeof options>;

/**
 * A sentence of the chain of thought, with the ids of the passages that the search with it found
 * and no earlier search had; empty if there were none.
 */
export interface Thought {
  text: string;
  /** Ids of the new passages. */
  brought: string[];
}

/**
 * The reason why the thoughts ended: an answer, the greatest number of passages ('passages') or
 * thoughts ('thoughts'), a repeated thought, two thoughts without a new passage ('nothingNew'), or
 * an unreadable output.
 */
export type ThinkingEnd =
  | 'answer'
  | 'passages'
  | 'thoughts'
  | 'repeated'
  | 'nothingNew'
  | 'unreadable';

/**
 * The chain of `ircot`: the gathered passages, the thoughts and why they ended, the answer in the
 * last thought, and the reader's reasoning and answer as read.
 */
export interface IrcotChain {
  /** All gathered passages in order, as read at the end. */
  passages: PassageRef[];
  thoughts: Thought[];
  ended: ThinkingEnd;
  /**
   * The answer in the last thought; null if there is none. The result is read from the passages.
   */
  concluded: string | null;
  /** The reader's reasoning before its answer; null unless it reads by chain of thought. */
  reasoning: string | null;
  /** The reader's answer as read; null if it could not be read. */
  reading: string | null;
}

/**
 * The method `ircot`: alternates between a sentence of reasoning and a search with it, then reads
 * the answer from all passages found ("Interleaving Retrieval with Chain-of-Thought Reasoning for
 * Knowledge-Intensive Multi-Step Questions").
 */
export const ircot = defineMethod({
  module: import.meta.url,
  name: 'ircot',
  title: 'IRCoT: retrieval and chain of thought by turns, then read what was gathered',
  source: 'IRCoT (Trivedi et al., ACL 2023)',
  options,
  passagesRead: chainPassages,
  facts: {
    iterations: {
      of: ({ thoughts }: IrcotChain) => thoughts.length,
      most: ({ maxThoughts }) => maxThoughts,
    },
    mostSearches: ({ maxThoughts }) => maxThoughts + 1,
    documentsSeen: {
      of: ({ passages }: IrcotChain) => passages.length,
      most: ({ passages, maxThoughts }) => passages * (maxThoughts + 1),
    },
    texts: { thoughts: ({ thoughts }: IrcotChain) => thoughts.map(({ text }) => text) },
  },
  // Searches with few new passages make many thoughts; others make long prompts.
  bound: (chosen) => ({
    ...chosen,
    maxPassages:
      chosen.passages < chosen.maxPassages
        ? chosen.passages * (chosen.maxThoughts + 1)
        : chosen.maxPassages,
  }),
  view(chain: IrcotChain, context) {
    const { passages, thoughts, ended, concluded, reasoning } = chain;
    const numberOf = (id: string) => passages.findIndex((passage) => passage.id === id) + 1;
    const thinking = thoughts.map(({ text: thought, brought }, i) => ({
      title: `Thought ${i + 1}`,
      chips: [
        chip(brought.length === 0 ? 'nothing new' : `passages ${brought.map(numberOf).join(', ')}`),
      ],
      blocks: [...text(thought), ...titleList(inIdOrder(passages, brought))],
    }));
    const answer =
      concluded === null ? [] : [{ title: 'Answer', chips: [chip(concluded)], blocks: [] }];
    return [
      ...section('Thoughts', cards([...thinking, ...answer]), { note: ENDED[ended] }),
      ...section('Reasoning', text(reasoning)),
      ...baseView(chain, context),
    ];
  },
  figures: 'few-shot, with models no longer served: none stands beside the zero-shot form',

  /**
   * Thinks one sentence at a time. Each sentence without a conclusion is the next query, until
   * there is an answer or nothing more to gather. Then reads the gathered passages for the answer,
   * without the thoughts.
   */
  async algorithm(asked): Promise<Conclusion<IrcotChain>> {
    const { question, options, step } = asked;
    const answers = options.demonstrations.map(({ thoughts: _, ...answered }) => answered);
    const gathered = await think(asked);
    const passages = gathered.passages.map(({ id }) => id);
    const { reasoning, answer: reading } =
      options.reader === 'direct'
        ? {
            reasoning: null,
            answer: await step.read({ question, passages, demonstrations: answers }),
          }
        : ((await step.reason({ question, passages })) ?? { reasoning: null, answer: null });
    const chain = { ...gathered, reasoning, reading };
    return concluded(reading, passages, chain);
  },
});

const ENDED: Record<ThinkingEnd, string> = {
  answer: 'came to an answer',
  passages: 'the most passages were gathered',
  thoughts: 'the most thoughts were reached',
  repeated: 'a thought was repeated',
  nothingNew: 'two thoughts brought nothing new',
  unreadable: 'the next could not be read',
};

type Thinking = Omit<IrcotChain, 'reasoning' | 'reading'>;

/**
 * Gathers passages by thinking. Stops at M passages, since further thoughts would not change what
 * is read.
 */
async function think({ question, options, step }: Question<IrcotOptions>): Promise<Thinking> {
  const { passages: count, maxPassages, maxThoughts, demonstrations } = options;
  const passages: PassageRef[] = [...(await step.retrieve({ query: question, count }))];
  const thoughts: Thought[] = [];
  const end = (ended: Thinking['ended'], concluded: string | null = null) => ({
    passages,
    thoughts,
    ended,
    concluded,
  });

  let query = question;
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

    query = next.query ?? query;
    const found = await step.retrieve({ query, count });
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
