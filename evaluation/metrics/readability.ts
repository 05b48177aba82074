/** Readability of the texts that were read, as metrics for a configuration: `durable-rag/readability`. Pure. */
import { flesch } from 'flesch';
import { fleschKincaid } from 'flesch-kincaid';
import { syllable } from 'syllable';
import { type ChainMetric, defineMetric, type Range } from '../../core/metric.js';
import { splitSentences } from '../../core/sentences.js';

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

/** What the formulas count in a text. */
type Counts = Record<'sentence' | 'word' | 'syllable', number>;

/**
 * Returns how many sentences, words and syllables an English text has, for the formulas of
 * readability; undefined for a text without a word.
 */
export function readabilityCounts(text: string): Counts | undefined {
  const words = [...WORDS.segment(text)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );
  if (words.length === 0) return undefined;
  return {
    sentence: Math.max(1, splitSentences(text).length),
    word: words.length,
    // A number or a word of another script has one syllable at least.
    syllable: words.reduce((total, word) => total + Math.max(1, syllable(word)), 0),
  };
}

/** Returns a metric of the texts that were read, generated ones included: the mean over them. */
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
 * Flesch's reading ease, a mean over the texts that were read, generated ones included; higher is easier.
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
 * The grade of a school in the United States that the texts are for, by Flesch and Kincaid.
 *
 * Source: Kincaid et al., Naval Technical Training Command, report 8-75 (1975).
 */
export const gradeLevel = ofReadability(
  'gradeLevel',
  'Grade level (Flesch-Kincaid)',
  { from: -3.4, to: 30 },
  fleschKincaid,
);
