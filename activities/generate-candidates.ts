/** SuRe step 2: K answer candidates from the passages, in one call (SuRe 3.2, appendices A.1 and B.5). */
import { distinctAnswers } from '../methods/answer-key.js';
import type { Demonstration } from '../methods/vocabulary.js';
import { renderDemonstrations } from './demonstrations.js';
import { defineStep } from './step.js';
import { cleanAnswer, lettered } from './text.js';

export interface GenerateCandidatesInput {
  question: string;
  /** Ids, in the order shown. */
  passages: string[];
  /** K, how many candidates to ask for. */
  count: number;
  demonstrations: Demonstration[];
}

export const generateCandidates = defineStep<GenerateCandidatesInput, string[]>({
  prompt: ({ demonstrations }) =>
    demonstrations.length === 0 ? 'generate-candidates' : 'generate-candidates-by-example',
  maxTokens: 128,
  passages: (input) => input.passages,
  variables: ({ question, count, demonstrations }) => ({
    question,
    count: String(count),
    form: lettered(new Array<string>(count).fill('...')),
    demonstrations: renderDemonstrations(demonstrations),
  }),
  parse: ({ text }, { count }) => parseCandidates(text, count),
  fallback: () => [],
});

/** Ways models mark the items of a list; `#` stands for the letter or number. */
const MARKERS = [
  String.raw`\(\s*#\s*\)`,
  String.raw`\[\s*#\s*\]`,
  String.raw`(?<![\p{L}\p{N}])(?:candidate|answer|choice|option)\s*#\s*[:.)-]`,
  String.raw`(?<![\p{L}\p{N}.])#\s*\)`,
  String.raw`(?<=^|\n|[,;]\s*|\s)#\s*[.:](?=\s)`,
];

/**
 * Reads "(a) ..., (b) ..." and what models make of it: other brackets, numbers, lines, quotes,
 * a JSON array, a single bare answer.
 *
 * @returns at most `count` different candidates in the order given; undefined when nothing can be
 * read as one, an unmarked list with commas included, where a comma may part two candidates or
 * stand inside one.
 */
export function parseCandidates(text: string, count: number): string[] | undefined {
  const plain = text.replace(/\*\*|__|`/g, '').trim();
  const items = jsonItems(plain) ?? markedItems(plain) ?? bareItems(plain);
  const candidates = distinctAnswers((items ?? []).map(cleanCandidate).filter(hasContent));
  return candidates.length > 0 ? candidates.slice(0, count) : undefined;
}

function jsonItems(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) && items.every((item) => typeof item === 'string')
      ? items
      : undefined;
  } catch {
    return undefined;
  }
}

function markedItems(text: string): string[] | undefined {
  for (const marker of MARKERS) {
    for (const labels of ['abcdefghijklmnopqrstuvwxyz', '123456789']) {
      const starts = markers(text, marker, [...labels]);
      if (starts.length > 0) {
        return starts.map(({ end }, i) => text.slice(end, starts[i + 1]?.start ?? text.length));
      }
    }
  }
  return undefined;
}

/** Where the markers stand; each must come later in the alphabet than the one before it. */
function markers(text: string, marker: string, labels: string[]): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let next = 0;
  const any = new RegExp(marker.replace('#', `(${labels.join('|')})`), 'giu');
  for (const match of text.matchAll(any)) {
    const label = labels.indexOf((match[1] ?? '').toLowerCase());
    const fits = found.length === 0 ? label === 0 : label >= next && label < next + 3;
    if (!fits) continue;
    next = label + 1;
    found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** A list of lines, or one short answer by itself. */
function bareItems(text: string): string[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || lines.some((line) => line.trim().split(/\s+/).length > 8)) {
    return undefined;
  }
  if (lines.length === 1 && /[,;]|\sor\s/.test(cleanAnswer(text))) return undefined;
  return lines;
}

function cleanCandidate(item: string): string {
  const firstLine = item.trim().split('\n', 1)[0] ?? '';
  return cleanAnswer(firstLine.replace(/[\s,;]+(?:and|or)\s*$/i, ''));
}

function hasContent(candidate: string): boolean {
  return /[\p{L}\p{N}]/u.test(candidate);
}
