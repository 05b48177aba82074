import { distinctAnswers } from '../../methods/answer-key.js';
import { saysUnknown } from '../../methods/unknown.js';
import { implementStep, inParts, type ModelOutput } from '../define.js';
import { readList } from '../reading/list.js';
import { bareText } from '../reading/plain.js';
import { isRefusal } from '../reading/refusal.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { cleanAnswer, lettered } from '../reading/text.js';
import { renderDemonstrations } from '../rendering/demonstrations.js';
import type * as declared from './step.js';

export const generateCandidates = implementStep<typeof declared.generateCandidates>({
  prompt: {
    among: ['generate-candidates', 'generate-candidates-by-example'],
    of: ({ demonstrations }) =>
      demonstrations.length === 0 ? 'generate-candidates' : 'generate-candidates-by-example',
  },
  maxTokens: ({ count }) => Math.max(128, 32 * count),
  passages: (input) => input.passages,
  variables: ({ question, count, demonstrations }) => ({
    question,
    count: String(count),
    form: lettered(new Array<string>(count).fill('...')),
    demonstrations: renderDemonstrations(demonstrations),
  }),
  parse: (output, input, asked) => parseCandidates(output, input, asked),
  fallback: (output, input) => candidatesInDoubt(output, input),
  costliest: (longest, { count }) => inParts(longest, count),
});

/** What the candidates are read with. */
type Asked = Pick<declared.GenerateCandidatesInput, 'count' | 'question'>;

/**
 * Reads "(a) ..., (b) ..." and what models make of it: other brackets, numbers, lines, quotes, a
 * JSON array.
 *
 * A single candidate is at once SuRe's answer, so it is one only where it is labelled as one. In
 * "(a) Russia, Belarus, Ukraine" and "Paris, Lyon" a comma may part candidates or stand inside one:
 * where the parts are as many as were asked for they are the candidates, which is what all askings
 * would come to, and else they are asked for again. So is a bare line or a whole sentence, which
 * may be anything.
 *
 * @param attempt which asking it is. Labels that label nothing are asked again once: there may be
 * nothing to name.
 * @returns at most `count` different candidates in the order given; none where the labels stand
 * alone; undefined when nothing can be read as a candidate, and for a list that was cut before it
 * had as many as were asked for.
 */
export function parseCandidates(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  asked: Asked,
  attempt = 0,
): string[] | undefined {
  const { count } = asked;
  const { labelled, candidates } = candidatesIn(output, asked);
  const [only = ''] = candidates;
  if (candidates.length === 0) return isBareLabels(output) && attempt > 0 ? [] : undefined;
  if (output.cut && candidates.length < count) return undefined;
  if (candidates.length > 1 || count === 1 || saysUnknown(only)) return candidates.slice(0, count);
  const parts = partsOf(only);
  if (parts.length === 1) return labelled && isShort(only) ? candidates : undefined;
  const different = distinctAnswers(parts);
  return different.length === count ? different : undefined;
}

/** The parts of a single candidate where they are short; else what there is. */
function candidatesInDoubt(output: Pick<ModelOutput, 'text' | 'cut'>, asked: Asked): string[] {
  const { candidates } = candidatesIn(output, asked);
  const [only = ''] = candidates;
  const parts = candidates.length === 1 ? partsOf(only) : [];
  return (parts.length > 1 ? distinctAnswers(parts) : candidates).slice(0, asked.count);
}

function candidatesIn({ text, cut }: Pick<ModelOutput, 'text' | 'cut'>, { question }: Asked) {
  const output = { text: withoutQuestion(bareText(text), question).replace(HEADING, ''), cut };
  const list = readList(output);
  const bare = list ? undefined : bareAnswer(output);
  const items = list?.form === 'lines' && !list.items.every(isShort) ? [] : list?.items;
  const said = (items ?? [bare ?? ''])
    .map((item) => withoutQuestion(cleanCandidate(item), question))
    .filter(isCandidate);
  // One that says that there is none is one only where there is no other.
  const known = said.filter((candidate) => !saysUnknown(candidate));
  const candidates = known.length > 0 ? known : said.slice(0, 1);
  const labelled = list?.form === 'marked' || list?.form === 'json';
  return { labelled, candidates: distinctAnswers(candidates) };
}

/** "Here are the candidates: Bell, Gray", "Candidate answers: Bell; Gray" */
const HEADING =
  /^(?:here (?:are|is)[^:\n]{0,80}|(?:(?:the|my|two|three|possible|candidate) ){0,4}(?:candidates|answers))(?: are)? ?:\s{0,2}(?=\S)/i;

/** One short answer by itself; none where it was cut. */
function bareAnswer({ text, cut }: Pick<ModelOutput, 'text' | 'cut'>): string | undefined {
  const plain = bareText(text);
  return !cut && isShort(plain) ? plain : undefined;
}

function isShort(line: string): boolean {
  return line.trim().split(/\s+/).length <= 8;
}

function cleanCandidate(item: string): string {
  const [firstLine = ''] = item.trim().split('\n', 1);
  const [line = ''] = firstLine.trim().split(REMARK, 1);
  const named = line.replace(/(?:[ ,;]{0,3}\b(?:and|or)| ?\/)$/i, '');
  return cleanAnswer(named);
}

/** What follows a candidate: the answer chosen, "Bell: he got it", "Bell - named in passage 1". */
const REMARK = /[,.;] ?(?:[Ff]inal )?[Aa]nswer ?: ?| ?[-–—:] (?=\p{Ll}\S* \S+ \S)/u;

/** The form given back: "(a) Answer 1", "(b) [candidate]", a letter alone. */
const PLACEHOLDER =
  /^(?:(?:candidate|answer|option|choice|prediction)(?: (?:\d|[a-z]))?|\(?[a-z]\))$/i;

function isCandidate(candidate: string): boolean {
  return /[\p{L}\p{N}]/u.test(candidate) && !isRefusal(candidate) && !PLACEHOLDER.test(candidate);
}

/** "(a) (b)": labels, and nothing that they label. */
function isBareLabels({ text, cut }: Pick<ModelOutput, 'text' | 'cut'>): boolean {
  return !cut && /^(?:[[(] ?[a-z\d] ?[\])][,; ]{0,2}){2,30}$/i.test(bareText(text));
}

/** More than this many words are no name beside another one. */
const NAME_WORDS = 4;

/** What stands after a comma inside a name: "Washington, D.C.", "King, Jr.", "May 1, 1990". */
const TAIL =
  /^(?:\p{L}\.(?:\s?\p{L}\.)*|Jr\.?|Sr\.?|Inc\.?|Ltd\.?|Co\.?|I{1,3}|IV|\d{3,4}|\d{3}\b.*)$/u;

/** The parts of a text with commas where each may be an answer; the text itself where not. */
function partsOf(text: string): string[] {
  const parts = text.split(/, (?:and |or )?|; /).map(cleanAnswer);
  const names = parts.every((part, i) => {
    const wordCount = part.split(' ').length;
    const before = parts[i - 1] ?? '';
    const isTail = i > 0 && TAIL.test(part) && !/^\d+$/.test(before);
    return isCandidate(part) && wordCount <= NAME_WORDS && !isTail;
  });
  return names ? parts : [text];
}
