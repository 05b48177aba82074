/** The metrics of a run that are computed from the chains of its method. Pure. */
import type { ChainFacts, Method } from '../../core/method.js';
import { type ChainMetric, defineMetric, type EndedQuestion, isScorer } from '../../core/metric.js';
import { tfIdfScores } from '../../retrieval/tf-idf.js';
import { scorePassages } from '../score-passages.js';
import { BUILT_IN } from './built-in.js';

/** The part of a method that reads facts from its chain. */
type WithFacts = Pick<Method<unknown>, 'facts'>;

/** Properties of chain metrics: they explain other metrics. */
const DETAIL = { from: 'chain', headline: false, decides: false } as const;

/**
 * Returns the metrics of a method's chain in the order in which they are shown: the confidence,
 * which every method has, then one or more for each fact that the method declares (`Method.facts`).
 *
 * @param options Options of the method, from which the highest possible value of a count follows.
 * Without them a count has no range.
 */
export function chainMetrics({ facts = {} }: WithFacts, options?: unknown): ChainMetric[] {
  const { candidates, mostSearches, texts = {} } = facts;
  return [
    CONFIDENCE,
    ...YES_NO.flatMap(({ name, title }) => {
      const fact = facts[name];
      if (!fact) return [];
      return [defineMetric({ ...DETAIL, name, title, value: ({ chain }) => fact(chain as never) })];
    }),
    ...COUNTS.flatMap(({ name, title }) => {
      const counted = facts[name];
      if (!counted) return [];
      const range = options === undefined ? undefined : { from: 0, to: counted.most(options) };
      return [
        defineMetric({
          ...DETAIL,
          name,
          title,
          ...(range && { range }),
          value: ({ chain }) => counted.of(chain as never),
        }),
      ];
    }),
    ...(mostSearches
      ? [searchesUpTo(options === undefined ? undefined : mostSearches(options))]
      : []),
    ...(candidates
      ? [...ORACLES.flatMap((one) => ofBest(one, candidates)), ...ofOverlap(candidates)]
      : []),
    ...Object.entries(texts).flatMap(([what, textsOf]) => ofTexts(what, textsOf)),
  ];
}

const SEARCHES = 'searches';

/**
 * Returns the metric of the number of searches that a question made. @param most Highest possible
 * number; undefined if unknown.
 */
function searchesUpTo(most: number | undefined): ChainMetric {
  return defineMetric({
    ...DETAIL,
    name: SEARCHES,
    title: 'Searches',
    ...(most !== undefined && { range: { from: 0, to: most } }),
    value: ({ searches }) => searches,
  });
}

/** The method's confidence in its answer, such as the score of a verification. */
const CONFIDENCE = defineMetric({
  ...DETAIL,
  name: 'confidence',
  title: 'Confidence',
  value: ({ confidence }) => confidence,
});

const YES_NO = [
  { name: 'verificationPassed', title: 'Verification passed' },
  { name: 'firstVerificationPassed', title: 'First verification passed' },
] as const;

const COUNTS = [
  { name: 'iterations', title: 'Iterations' },
  { name: 'documentsSeen', title: 'Documents seen' },
  { name: 'documentsFound', title: 'Documents found' },
] as const;

/** The score of the best candidate, by the metric that scores it. */
const ORACLES = [
  { name: 'oracleEm', score: 'em' },
  { name: 'oracleF1', score: 'f1' },
] as const;

const OVERLAPS = [
  { name: 'ownOverlap', title: 'TF-IDF overlap, own candidate', isOwn: true },
  { name: 'otherOverlap', title: 'TF-IDF overlap, other candidates', isOwn: false },
] as const;

/**
 * Returns metrics of the highest score among the candidates, as if the method had chosen best; 0
 * without candidates.
 *
 * Source: SuRe (Kim et al., ICLR 2024), appendix B, table 6 ("Oracle").
 */
function ofBest(
  { name, score }: (typeof ORACLES)[number],
  candidates: NonNullable<ChainFacts['candidates']>,
): ChainMetric[] {
  const metric = BUILT_IN.find((one) => one.name === score);
  if (!metric || !isScorer(metric)) return [];
  return [
    defineMetric({
      ...DETAIL,
      name,
      title: `${metric.title}, best candidate`,
      ...(metric.applies && { applies: metric.applies }),
      value(ended) {
        const scores = candidates(ended.chain as never).map(({ text }) =>
          Number(metric.score({ ...answeredAs(ended), answer: text })),
        );
        return Math.max(0, ...scores);
      },
    }),
  ];
}

/**
 * Returns metrics of the similarity of the summaries to the candidate that they support, and to the
 * others: the mean cosine of their TF-IDF vectors, with the summaries of the question as the
 * document collection. Fewer than two summaries have no score.
 *
 * Source: SuRe (Kim et al., ICLR 2024), section 3.2, figure 3.
 */
function ofOverlap(candidates: NonNullable<ChainFacts['candidates']>): ChainMetric[] {
  const overlaps = (chain: unknown, isOwn: boolean) => {
    const explained = candidates(chain as never).flatMap(({ text, rationale = '' }) =>
      rationale === '' ? [] : [{ text, rationale }],
    );
    if (explained.length < 2) return undefined;
    const summaries = explained.map(({ rationale }) => rationale);
    const found = explained.flatMap(({ text }, k) =>
      tfIdfScores(text, summaries).filter((_, j) => (j === k) === isOwn),
    );
    // Rounding can put the cosine of two equal vectors above 1.
    return Math.min(1, found.reduce((total, one) => total + one, 0) / found.length);
  };
  return OVERLAPS.map(({ name, title, isOwn }) =>
    defineMetric({ ...DETAIL, name, title, value: ({ chain }) => overlaps(chain, isOwn) }),
  );
}

/**
 * Returns the question in the form that scorers of short answers need, without passages and calls.
 */
function answeredAs({ question, chain }: EndedQuestion) {
  return { question, chain, passages: [], calls: [] };
}

/**
 * Returns metrics of texts: whether an accepted answer is in one of them, and how many of the
 * answers are, by the rules of Recall@k and of answer coverage.
 *
 * Source: ALLIES (Sun et al., Findings of EMNLP 2023), section 5.6, table 3; GenRead (Yu et al.,
 * ICLR 2023), section 4.3.2.
 */
function ofTexts(what: string, textsOf: (chain: never) => readonly string[]): ChainMetric[] {
  const found = ({ question, chain }: EndedQuestion) =>
    scorePassages(question, textsOf(chain as never), []);
  return [
    defineMetric({
      ...DETAIL,
      name: `hasAnswer@${what}`,
      title: `Answer in ${what}`,
      value: (ended) => found(ended)?.hits.includes(true),
    }),
    defineMetric({
      ...DETAIL,
      name: `coverage@${what}`,
      title: `Answer coverage of ${what}`,
      value(ended) {
        const { coverage } = found(ended) ?? {};
        return coverage && coverage.answers > 0
          ? { part: coverage.found, whole: coverage.answers }
          : undefined;
      },
    }),
  ];
}

/** The names of the built-in chain metrics, which custom metrics cannot have. */
export const RESERVED_METRIC_NAMES: ReadonlySet<string> = new Set([
  CONFIDENCE.name,
  SEARCHES,
  ...[...YES_NO, ...COUNTS, ...ORACLES, ...OVERLAPS].map(({ name }) => name),
]);
