/**
 * Metrics of the readability of English passages, to be named in a configuration:
 * `durable-rag/readability`. Pure.
 */
import { flesch } from 'flesch';
import { fleschKincaid } from 'flesch-kincaid';
import { syllable } from 'syllable';
import { type ChainMetric, defineMetric, type Range } from '../../core/metric.js';
import { splitSentences } from '../../core/sentences.js';

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** Numbers of sentences, words and syllables in a text. */
type Counts = Record<'sentence' | 'word' | 'syllable', number>;

/**
 * Returns the numbers of sentences, words and syllables in an English text, as `sentence`, `word`
 * and `syllable`; undefined if it has no words.
 */
export function readabilityCounts(text: string): Counts | undefined {
  const words = [...WORDS.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );
  if (words.length === 0) return undefined;
  return {
    sentence: Math.max(1, splitSentences(text).length),
    word: words.length,
    // A number, or a word in another script, counts as at least one syllable.
    syllable: words.reduce((total, word) => total + Math.max(1, syllable(word)), 0),
  };
}

/** Returns a metric that is the mean of a formula over the passages, generated ones included. */
function ofReadability(
  name: string,
  title: string,
  range: Range,
  formula: (counts: Counts) => number,
): ChainMetric {
  return defineMetric({
    from: 'chain',
    name,
    title,
    headline: false,
    range,
    value({ passages }) {
      const values = passages.flatMap(({ text }) => {
        const counts = readabilityCounts(text);
        return counts ? [Math.min(range.to, Math.max(range.from, formula(counts)))] : [];
      });
      if (values.length === 0) return undefined;
      return values.reduce((total, value) => total + value, 0) / values.length;
    },
  });
}

/**
 * Metric of Flesch's reading ease: the mean over the passages that were read, generated ones
 * included, each limited to -100 to 121.22. Higher is easier.
 *
 * Source: Flesch, Journal of Applied Psychology 32 (1948).
 *
 * @example export default defineConfig({ metrics: [readingEase, gradeLevel] });
 */
export const readingEase = ofReadability(
  'readingEase',
  'Reading ease (Flesch)',
  { from: -100, to: 121.22 },
  flesch,
);

/**
 * Metric of Flesch and Kincaid's grade level: the US school grade for which a text is written, as a
 * mean over the passages that were read, generated ones included, each limited to -3.4 to 30.
 *
 * Source: Kincaid et al., Naval Technical Training Command, report 8-75 (1975).
 */
export const gradeLevel = ofReadability(
  'gradeLevel',
  'Grade level (Flesch-Kincaid)',
  { from: -3.4, to: 30 },
  fleschKincaid,
);
