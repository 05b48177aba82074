/** Zero-shot chain of thought: reasoning, then an answer (SuRe 4.1, Kojima et al. 2022). */
import { parseReading } from './read.js';
import { defineStep } from './step.js';

export interface ReasonInput {
  question: string;
  /** Ids, in the order shown; none to reason without retrieval. */
  passages: string[];
  /** To draw one of several samples; greedy when left out. */
  sample?: { k: number; temperature: number };
}

export interface Reasoned {
  reasoning: string;
  answer: string;
}

/** Null when the output stayed unreadable. */
export const reason = defineStep<ReasonInput, Reasoned | null>({
  prompt: 'reason',
  maxTokens: 512,
  passages: (input) => input.passages,
  sampling: ({ sample }) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }) => sample?.k ?? 0,
  variables: ({ question }) => ({ question }),
  parse: ({ text }) => parseReasoned(text),
  fallback: () => null,
});

/** "Answer:" at the start of a line. */
const LABEL = /^\W*(?:the\s+)?(?:final\s+)?answer\W*?(?::|\bis\b:?)\s*/gim;
/** "Answer:" after a sentence on the same line. */
const AFTER_SENTENCE = /(?<=[.!?]["”')]?)[ \t]+(?:final )?answer:\s*/gi;
/** "so the answer is" within a line. */
const SAID = /\b(?:the|my|our)\s+(?:final\s+|correct\s+)?answer\s+(?:is|would be|must be):?\s+/gi;

const REASONING = /^reasoning:\s*/i;

/** The last thing called the answer and what comes before it; undefined when nothing is. */
export function parseReasoned(text: string): Reasoned | undefined {
  const plain = text.replace(/\*\*|__|`/g, '');
  for (const pattern of [LABEL, AFTER_SENTENCE, SAID]) {
    for (const { index, 0: label } of [...plain.matchAll(pattern)].reverse()) {
      const said = plain.slice(index + label.length);
      const answer = parseReading(pattern === SAID ? firstSentence(said) : said);
      const reasoning = plain.slice(0, index).trim().replace(REASONING, '');
      if (answer !== undefined) return { reasoning, answer };
    }
  }
  return undefined;
}

/** Up to a full stop after a word of two letters or more, so that "D.C." stays whole. */
function firstSentence(text: string): string {
  return text.split(/(?<=[\p{L}\p{N}]{2}["”')]?\.)\s/u, 1)[0] ?? '';
}
