/** ReAct (Yao et al., ICLR 2023). */

import { z } from 'zod';
import { answerKey } from '../../core/answer-key.js';
import { between, nonEmpty, whole } from '../../core/options/ranges.js';
import { chainPassages, inIdOrder } from '../../core/passages-read.js';
import { type Conclusion, concluded } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { cards, chip, section, text, titleList } from '../../report/views/section-parts.js';
import type { TranscriptAddition } from '../../steps/turns.js';
import type { Question } from '../algorithm.js';
import { byTurns, TURNS_ENDED, type TurnsEnd } from '../by-turns.js';
import { defineMethod } from '../define-method.js';
import { ballotOf, countVotes } from './baselines/voting/vote.js';
import { optionsOf } from './options.js';

const demonstration = z.strictObject({
  question: nonEmpty,
  turns: z
    .array(
      z.strictObject({ thought: nonEmpty, action: nonEmpty, observation: nonEmpty.optional() }),
    )
    .min(1)
    .max(20),
});

const options = optionsOf(
  {
    maxTurns: whole(1, 200)
      .default(7)
      .describe('T, turns at most (the paper: 7 for HotpotQA, 5 for FEVER)'),
    selfConsistency: z
      .enum(['off', 'after', 'before'])
      .default('off')
      .describe(
        'chain of thought by many samples: after turns without an answer, or before them, which then follow if no answer has half of the samples (the paper has both)',
      ),
    samples: whole(2, 100).default(21).describe('samples of self-consistency (the paper: 21)'),
    temperature: between(0, 2).default(0.7).describe('of these samples (the paper: 0.7)'),
    demonstrations: z
      .array(demonstration)
      .max(20)
      .default([])
      .describe(
        'questions with the turns that led to their answers (the paper: 6 for HotpotQA, 3 for FEVER)',
      ),
  },
  {
    unread: {
      samples: ({ selfConsistency }) =>
        selfConsistency === 'off' && 'only selfConsistency draws samples',
      temperature: ({ selfConsistency }) =>
        selfConsistency === 'off' && 'only selfConsistency draws samples',
    },
  },
);

/** Options of `react` (ReAct), with all defaults. */
type ReactOptions = z.output<typeof options>;

/** A turn of `react`. */
interface ReactTurn {
  /** The model's thought, shortened. */
  thought: string;
  /** "search", "lookup", "answer", or "invalid"; null if the model wrote no action. */
  action: string | null;
  /** Argument of the action; null if there is no action. */
  argument: string | null;
  /** Ids of the passages that a search found, the shown one first. */
  found: string[];
}

/** The vote of many chains of thought. */
interface SelfConsistency {
  samples: number;
  /** The most frequent answer of the samples; null if none has an answer. */
  answer: string | null;
  /** Number of samples with that answer. */
  votes: number;
}

/** The chain of `react`. */
interface ReactChain {
  /** All passages that searches have shown, without repeats. */
  passages: PassageRef[];
  turns: ReactTurn[];
  /** Reason why the turns ended; null if no turn was taken. */
  ended: TurnsEnd | null;
  selfConsistency: SelfConsistency | null;
}

/**
 * The method `react`: takes turns of a thought and an action, which searches, looks a word up or
 * answers ("ReAct: Synergizing Reasoning and Acting in Language Models").
 */
export const react = defineMethod({
  module: import.meta.url,
  name: 'react',
  title: 'ReAct: thoughts and actions by turns: search a title, look a word up, finish',
  source: 'ReAct (Yao et al., ICLR 2023)',
  options,
  passagesRead: chainPassages,
  facts: {
    iterations: {
      of: ({ turns }: ReactChain) => turns.length,
      most: ({ maxTurns }) => maxTurns,
    },
    mostSearches: ({ maxTurns }) => maxTurns,
    documentsSeen: {
      of: ({ passages }: ReactChain) => passages.length,
      most: ({ maxTurns }) => maxTurns,
    },
    texts: { thoughts: ({ turns }: ReactChain) => turns.map(({ thought }) => thought) },
  },
  figures: 'few-shot, with PaLM-540B, over Wikipedia: none stands beside the zero-shot form',
  view({ passages, turns, ended, selfConsistency }: ReactChain) {
    const taken = turns.map(({ thought, action, argument, found }, i) => ({
      title: `Turn ${i + 1}`,
      chips: [action === null ? chip('no action', 'warn') : chip(`${action}[${argument}]`)],
      blocks: [...text(thought), ...titleList(inIdOrder(passages, found))],
    }));
    const votes =
      selfConsistency &&
      `${selfConsistency.votes} of ${selfConsistency.samples} samples say ${selfConsistency.answer ?? 'nothing'}`;
    return [
      ...section('Turns', cards(taken), {
        note: ended === null ? '' : TURNS_ENDED[ended],
      }),
      ...section('Self-consistency', text(votes)),
    ];
  },

  /** Takes turns; if asked for, votes among many chains of thought before or after them. */
  async algorithm(asked): Promise<Conclusion<ReactChain>> {
    const { selfConsistency: when } = asked.options;
    const before = when === 'before' ? await selfConsistency(asked) : null;
    if (before && before.answer !== null && 2 * before.votes >= before.samples) {
      const chain = { passages: [], turns: [], ended: null, selfConsistency: before };
      return concluded(before.answer, [], chain);
    }
    const { answer, ...reacted } = await takeTurns(asked);
    const after = when === 'after' && answer === null ? await selfConsistency(asked) : null;
    const chain: ReactChain = { ...reacted, selfConsistency: after ?? before };
    const evidence = reacted.passages.map(({ id }) => id);
    return concluded(answer ?? chain.selfConsistency?.answer ?? null, evidence, chain);
  },
});

/** Number of search results among which the requested title is looked for. */
const TITLES = 5;

async function takeTurns(asked: Question<ReactOptions>) {
  const { question, options, step } = asked;
  const { demonstrations, maxTurns } = options;
  const passages = new Map<string, PassageRef>();
  /** Id of the passage shown last, and the last word looked up in it with its occurrence, from 0. */
  let [open, lookedUp]: [string | null, { word: string; nth: number } | null] = [null, null];
  let number = 1;

  async function search(title: string) {
    const refs = await step.retrieve({ query: title, count: TITLES });
    const named = refs.find((ref) => answerKey(ref.title) === answerKey(title));
    const shown = named ?? refs[0];
    // A search without results leaves the last passage open.
    if (!shown) return [];
    passages.set(shown.id, shown);
    open = shown.id;
    lookedUp = null;
    // If no result has the title, the observation lists similar titles.
    const others = named ? [] : refs.slice(1).map(({ id }) => id);
    return [shown.id, ...others];
  }

  function lookUp(word: string) {
    const isNext = lookedUp?.word === word;
    lookedUp = { word, nth: isNext && lookedUp ? lookedUp.nth + 1 : 0 };
    return { found: open === null ? [] : [open], lookup: lookedUp };
  }

  const { turns, ended, answer } = await byTurns<string[]>(asked, {
    step: 'act',
    turns: maxTurns,
    actsLast: true,
    begin: [{ notice: 'thought' }],
    // If samples may follow, a question that never answers takes the most calls.
    think: ({ last, ...place }) =>
      step.act({
        question,
        ...place,
        ...(last && options.selfConsistency !== 'after' && { last }),
        number,
        demonstrations,
      }),
    async act(action) {
      if (action === null) return { added: [{ notice: 'action' }], record: [] };
      number++;
      const { name, argument } = action;
      const found = name === 'search' ? await search(argument) : [];
      const added: TranscriptAddition =
        name === 'search'
          ? { found }
          : name === 'lookup'
            ? lookUp(argument)
            : { notice: 'invalid' };
      return { added: [added], record: found };
    },
  });
  return {
    passages: [...passages.values()],
    turns: turns.map(({ thought, action, record }) => ({
      thought,
      action: action?.name ?? null,
      argument: action?.argument ?? null,
      found: record ?? [],
    })),
    ended,
    answer,
  };
}

/** Returns the most frequent answer of many sampled chains of thought (CoT-SC). */
async function selfConsistency({
  question,
  options: { samples, temperature },
  step,
}: Question<ReactOptions>): Promise<SelfConsistency> {
  const readings = await Promise.all(
    Array.from({ length: samples }, (_, k) =>
      step.reason({ question, passages: [], sample: { k, temperature } }),
    ),
  );
  const [first] = countVotes(readings.map((reading) => ballotOf(reading?.answer ?? null)));
  return { samples, answer: first?.answer ?? null, votes: first?.weight ?? 0 };
}
