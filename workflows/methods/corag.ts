/** CoRAG (Wang et al., 2025), prompted. */

import { z } from 'zod';
import { between, whole } from '../../core/options/ranges.js';
import { type Conclusion, concluded } from '../../core/result.js';
import type { Card } from '../../core/section.js';
import type { PassageRef } from '../../core/vocabulary.js';
import {
  cards,
  chip,
  passageSection,
  readingSection,
  section,
  titleList,
} from '../../report/views/section-parts.js';
import type { Question } from '../algorithm.js';
import { defineMethod } from '../define-method.js';
import { optionsOf } from './options.js';

const ONLY_TREE = 'it is of the tree, and another decoding is chosen';

const options = optionsOf(
  {
    length: whole(1, 10).default(3).describe('L, sub-queries of a path (the script: 3)'),
    passages: whole(1, 50)
      .default(5)
      .describe('k, passages retrieved for each sub-query (the script: 5)'),
    decoding: z
      .enum(['greedy', 'best-of-n', 'tree'])
      .default('greedy')
      .describe('one path; the best of several; or a search that keeps the best beginnings'),
    paths: whole(2, 16).default(4).describe('n, paths of best-of-n (the script: 4)'),
    expand: whole(1, 10)
      .default(4)
      .describe('sub-queries that continue each path of the tree (the script: 4)'),
    rollouts: whole(0, 8)
      .default(2)
      .describe(
        'paths of at most two more sub-queries by which a path of the tree is rated; 0 rates itself (the script: 2)',
      ),
    beamSize: whole(1, 8).default(1).describe('paths of the tree that are kept (the script: 1)'),
    temperature: between(0, 2)
      .default(0.7)
      .describe('of all paths but a greedy one (the script: 0.7)'),
    documents: whole(0, 50)
      .default(0)
      .describe('passages of the question itself that the last call reads too (the script: 20)'),
  },
  {
    unread: {
      paths: ({ decoding }) => decoding !== 'best-of-n' && 'it is of best-of-n',
      expand: ({ decoding }) => decoding !== 'tree' && ONLY_TREE,
      rollouts: ({ decoding }) => decoding !== 'tree' && ONLY_TREE,
      beamSize: ({ decoding }) => decoding !== 'tree' && ONLY_TREE,
      temperature: ({ decoding }) => decoding === 'greedy' && 'the one path is greedy',
    },
  },
);

/** Options of `corag` (CoRAG, a chain of sub-queries or the best of several), with all defaults. */
export type CoragOptions = z.output<typeof options>;

/** A sub-query with its passages and its answer, null if there is none. */
export interface SubQuery {
  question: string;
  /** Passages, best first; the prompt shows them in reverse. */
  passages: PassageRef[];
  /** The answer; null if the passages contain none, or the output could not be read. */
  answer: string | null;
}

/**
 * A path of answered sub-queries, and its rating from 0 to 10 by which it may be chosen; null if
 * it has none.
 */
export interface CoragPath {
  subQueries: SubQuery[];
  /** Rating of how well it answers the question, from 0 to 10; null if not asked or unreadable. */
  rating: number | null;
}

/**
 * The chain of `corag`: the paths of sub-queries, the position (from 0) of the one that was
 * chosen, the passages of the question itself, and the answer as read.
 */
export interface CoragChain {
  /** All rated paths, or the only path; of a tree the paths of each depth, shortest first. */
  paths: CoragPath[];
  /** Position of the path from which the question was answered. */
  chosen: number;
  /** Passages that the question itself found, best first; empty by default. */
  passages: PassageRef[];
  /** The answer as read; null if it could not be read. */
  reading: string | null;
}

/**
 * The method `corag`: answers a chain of sub-queries, each from its own passages, and the question
 * from that chain, or from the best of several ("Chain-of-Retrieval Augmented Generation").
 */
export const corag = defineMethod({
  module: import.meta.url,
  name: 'corag',
  title: 'CoRAG: a chain of sub-queries, each answered from its own passages; the best of several',
  source: 'CoRAG (Wang et al., 2025), prompted, with ratings in place of prompt probabilities',
  options,
  facts: { mostSearches },
  passagesRead: ({ paths, chosen, passages }: CoragChain) => [
    ...passages,
    ...(paths[chosen]?.subQueries ?? []).flatMap((one) => one.passages),
  ],
  view(chain: CoragChain, context) {
    const { paths, chosen, passages } = chain;
    const others = paths.filter((_, i) => i !== chosen);
    return [
      ...section('Sub-queries', cards(cardsOf(paths[chosen])), {
        note: ratingOf(paths[chosen]),
      }),
      ...(passages.length > 0 ? passageSection(passages) : readingSection(chain.reading, context)),
      ...others.flatMap((path, i) =>
        section(`Other path ${i + 1}`, cards(cardsOf(path)), {
          note: ratingOf(path),
          closed: true,
        }),
      ),
    ];
  },
  figures: 'of a trained model: none stands beside a prompted one',

  /** Makes paths, takes the one that is rated best, and answers the question from it. */
  async algorithm(asked): Promise<Conclusion<CoragChain>> {
    const { question, options, step } = asked;
    const made = await decode(asked);
    const chosen = bestOf(made.candidates);
    const path = made.candidates[chosen];

    const { documents: count } = options;
    const passages = count > 0 ? await step.retrieve({ query: question, count }) : [];
    const subQueries = path?.subQueries ?? [];
    const reading = await step.answerFromPath({
      question,
      pairs: pairsOf(subQueries),
      passages: bestLast(passages),
    });
    const evidence = [...passages, ...subQueries.flatMap((one) => one.passages)];
    const ids = [...new Set(evidence.map(({ id }) => id))];
    const paths = [...made.before, ...made.candidates];
    return concluded(reading, ids, {
      paths,
      chosen: made.before.length + chosen,
      passages,
      reading,
    });
  },
});

function cardsOf({ subQueries }: CoragPath = { subQueries: [], rating: null }): Card[] {
  return subQueries.map(({ question, answer, passages }) => ({
    title: question,
    chips: [answer === null ? chip('no answer', 'warn') : chip(answer)],
    blocks: titleList(passages),
  }));
}

/** Returns the note beside the title of a path: its rating, else its number of sub-queries. */
function ratingOf({ subQueries, rating }: CoragPath = { subQueries: [], rating: null }): string {
  return rating === null ? `${subQueries.length}` : `rated ${rating}`;
}

/** The paths to choose from, and those that a tree search rated before. */
interface Decoded {
  before: CoragPath[];
  candidates: CoragPath[];
}

type Asked = Question<CoragOptions>;

async function decode(asked: Asked): Promise<Decoded> {
  const { decoding, paths: count, temperature, length } = asked.options;
  if (decoding === 'tree') return grow(asked);
  if (decoding === 'greedy') {
    const subQueries = await samplePath(asked, [], length, { temperature: 0, first: 0, stride: 1 });
    return { before: [], candidates: [{ subQueries, rating: null }] };
  }
  const candidates = upTo(count).map(async (first): Promise<CoragPath> => {
    const sampling = { temperature: first === 0 ? 0 : temperature, first, stride: count };
    const subQueries = await samplePath(asked, [], length, sampling);
    return { subQueries, rating: await rate(asked, subQueries) };
  });
  return { before: [], candidates: await Promise.all(candidates) };
}

/** Sampling parameters of a path's sub-queries, with sample numbers that no other path uses. */
interface Sampling {
  temperature: number;
  /** The number of the first sample. */
  first: number;
  /** Difference between the numbers of successive samples. */
  stride: number;
}

/** Calls for each sub-query of a path, at most on average (the script). */
const CALLS = 4;

/** Lowest temperature at which a repeated sub-query is asked for again (the script). */
const AGAIN = 0.7;

/**
 * Returns a path continued to a length. A repeated or unreadable sub-query is asked for again, until
 * the calls for the path are used up.
 */
async function samplePath(
  asked: Asked,
  before: readonly SubQuery[],
  length: number,
  { temperature, first, stride }: Sampling,
): Promise<SubQuery[]> {
  const subQueries = [...before];
  const most = CALLS * (length - before.length);
  let again = 0;
  for (let calls = 0; calls < most && subQueries.length < length; calls++) {
    const k = first + stride * again;
    const heat = again === 0 ? temperature : Math.max(temperature, AGAIN);
    const query = await asked.step.nextSubQuery({
      question: asked.question,
      pairs: pairsOf(subQueries),
      spare: most - calls - (length - subQueries.length),
      last: subQueries.length === length - 1,
      ...(k + heat > 0 && { sample: { k, temperature: heat } }),
    });
    if (query === null || subQueries.some((one) => one.question === query)) {
      again++;
    } else {
      again = 0;
      subQueries.push(await lookUp(asked, query));
    }
  }
  return subQueries;
}

async function lookUp({ options, step }: Asked, question: string): Promise<SubQuery> {
  const passages = await step.retrieve({ query: question, count: options.passages });
  const answer = await step.answerSubQuery({ question, passages: bestLast(passages) });
  return { question, passages, answer };
}

function rate({ question, step }: Asked, path: readonly SubQuery[]): Promise<number | null> {
  return step.ratePath({ question, pairs: pairsOf(path) });
}

/**
 * Searches the tree of sub-queries: each kept path is continued by several sub-queries, the results
 * are rated by short rollouts, and the best of all are kept.
 */
async function grow(asked: Asked): Promise<Decoded> {
  const { length, beamSize } = asked.options;
  const before: CoragPath[] = [];
  let kept: CoragPath[] = [{ subQueries: [], rating: null }];
  for (let depth = 0; depth < length; depth++) {
    const grown = (await Promise.all(kept.map((path) => continued(asked, path)))).flat();
    if (grown.length === 0) break;
    if (depth > 0) before.push(...kept);
    if (grown.length <= beamSize) {
      kept = grown.map((subQueries) => ({ subQueries, rating: null }));
      continue;
    }
    const rated = await Promise.all(
      grown.map(async (subQueries) => ({ subQueries, rating: await rollOut(asked, subQueries) })),
    );
    // The sort is stable: of equal paths, the earlier comes first.
    const sorted = rated.sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0));
    kept = sorted.slice(0, beamSize);
    before.push(...sorted.slice(beamSize));
  }
  return { before, candidates: kept };
}

/** Returns the maximum number of searches: one for each sub-query, and that of the question itself. */
function mostSearches(options: CoragOptions): number {
  const { decoding, documents, length, paths } = options;
  const ofPaths = { greedy: length, 'best-of-n': paths * length, tree: mostOfTree(options) };
  return ofPaths[decoding] + (documents > 0 ? 1 : 0);
}

/** Returns the maximum number of sub-queries of a tree, those of its rollouts included. */
function mostOfTree({ beamSize, expand, length, rollouts }: CoragOptions): number {
  let [kept, all] = [1, 0];
  for (let depth = 1; depth <= length; depth++) {
    const grown = kept * expand;
    const ahead = grown > beamSize ? rollouts * Math.min(MOST_AHEAD, length - depth) : 0;
    all += grown * (1 + ahead);
    kept = Math.min(beamSize, grown);
  }
  return all;
}

/** Returns the number of sub-queries sampled to continue a path: 1.5 times `expand`, rounded down. */
function drawnFor({ expand }: CoragOptions): number {
  return Math.floor(1.5 * expand);
}

/** Returns several continuations of a path, by one sub-query each. */
async function continued(asked: Asked, { subQueries }: CoragPath): Promise<SubQuery[][]> {
  const { question, options, step } = asked;
  const { expand, temperature } = options;
  const written = await Promise.all(
    upTo(drawnFor(options)).map((k) =>
      step.nextSubQuery({
        question,
        pairs: pairsOf(subQueries),
        spare: 0,
        last: false,
        sample: { k, temperature },
      }),
    ),
  );
  const distinct = [...new Set(written.filter((query) => query !== null))].slice(0, expand);
  return Promise.all(distinct.map(async (query) => [...subQueries, await lookUp(asked, query)]));
}

/** Maximum number of sub-queries by which a rollout continues a path. */
const MOST_AHEAD = 2;

/** Returns the mean rating of rollouts, which continue a path by at most two sub-queries. */
async function rollOut(asked: Asked, subQueries: readonly SubQuery[]): Promise<number | null> {
  const { rollouts: count, length: whole, temperature } = asked.options;
  const length = Math.min(whole, subQueries.length + MOST_AHEAD);
  if (count === 0 || subQueries.length === whole) return rate(asked, subQueries);
  const ratings = await Promise.all(
    upTo(count).map(async (i) => {
      // Behind the samples that continue this path in the next round.
      const sampling = { temperature, first: drawnFor(asked.options) + i, stride: count };
      return rate(asked, await samplePath(asked, subQueries, length, sampling));
    }),
  );
  return ratings.reduce<number>((sum, rating) => sum + (rating ?? 0), 0) / count;
}

/** Returns the position of the path with the best rating; of equal ones, the first. */
function bestOf(paths: readonly CoragPath[]): number {
  const ratings = paths.map(({ rating }) => rating ?? 0);
  return ratings.indexOf(Math.max(...ratings));
}

function pairsOf(path: readonly SubQuery[]): { question: string; answer: string | null }[] {
  return path.map(({ question, answer }) => ({ question, answer }));
}

/** Returns the ids of passages in reverse, so that the prompt shows the best one last. */
function bestLast(passages: readonly PassageRef[]): string[] {
  return passages.map(({ id }) => id).reverse();
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
