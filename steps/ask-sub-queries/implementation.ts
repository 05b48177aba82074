import { implementStep, type ModelOutput } from '../define.js';
import { wholeLines } from '../reading/cut.js';
import { readList } from '../reading/list.js';
import { bareText, withoutItemMark } from '../reading/plain.js';
import { asksNothing } from '../reading/refusal.js';
import { renderEvidence } from '../rendering/evidence.js';
import type * as declared from './step.js';

export const askSubQueries = implementStep<typeof declared.askSubQueries>({
  prompt: 'ask-sub-queries',
  maxTokens: 384,
  variables: ({ question, history, count }) => ({
    question,
    count: String(count),
    // A line each: an example that ends in "..." is copied with its dots, after one old question.
    form: Array.from({ length: count }, (_, k) => `${k + 1}. [sub-question]`).join('\n'),
    evidence: renderEvidence(history),
  }),
  parse(output, { history, count }) {
    const read = parseSubQueries(output);
    const asked = new Set(history.map(({ query }) => bare(query)));
    return read?.filter((query) => !asked.has(bare(query))).slice(0, count);
  },
  fallback: () => [],
  // Any of them may be the long one, and the one that is gone on with.
  costliest: (longest, { count }) => Array.from({ length: count }, (_, k) => `${k}${longest}`),
});

/** What stands before the list on its line, or before the whole reply. */
const HEADING =
  /^(?:(?:here (?:are|is)|below are|sure)[^\n:]{0,80}:\s?)?(?:(?:ranked|ordered|following|the|my|our|most|important|possible|helpful|relevant|new) ){0,3}(?:sub-?|follow-?up )?(?:questions|queries)(?: \([^()\n]{0,60}\))? ?:\s?/i;

/** A label of one item: "Question 1:", "Sub-query 2 -", "Q3.", "[Question 1]". */
const LABEL =
  /^[[(]?(?:(?:ranked |follow-?up )?(?:sub-? ?)?(?:question|query)|q)(?: ?#?\d{1,2} ?[\])]? ?[:.)-]?|[\])]? ?:) ?:? ?/i;

/**
 * The whole questions of a list, however it is marked, each once and in the order given.
 * Undefined where nothing is asked: "None" is no query.
 */
export function parseSubQueries(output: Pick<ModelOutput, 'text' | 'cut'>): string[] | undefined {
  const text = bareText(output.text)
    .replace(HEADING, '')
    .replace(/([?？]) ?[;|] /g, '$1\n');
  const queries = itemsOf(text, output.cut).map(cleanQuery);
  const found = distinct(queries.filter((query) => query !== undefined));
  return found.length > 0 ? found : undefined;
}

/** A list in JSON or with marks in order; a single mark may be that of the first line only. */
function itemsOf(text: string, cut: boolean): string[] {
  const { form, items } = readList({ text, cut }) ?? { form: 'lines', items: [] };
  if (form === 'json' || (form === 'marked' && items.length > 1)) return items;
  const lines = linesOf(text, cut);
  return lines.length === 0 && form === 'marked' ? items : lines;
}

/** The items of a list without letters or numbers in order: what is marked, else what asks. */
function linesOf(text: string, cut: boolean): string[] {
  const lines = wholeLines({ text, cut }).split('\n');
  const asked = asking(lines);
  for (const mark of [/^ ?\(?\d{1,2}[.)] /, LABEL, /^ ?[-*•–>+] ?(?=\S)/]) {
    const items = lines.filter((line) => mark.test(line)).map((line) => line.replace(mark, ''));
    if (items.length > 0) return items.length < asked.length ? asked : items;
  }
  return asked;
}

function asking(lines: readonly string[]): string[] {
  return lines.filter((line) => /[?？؟]["”’)\]]{0,2} ?$/.test(line));
}

/** A question with the answer that the model guesses: "Who was it? Bell." */
const GUESS = /^([^?？]{1,500}[?？]) [^?？"”]{1,200}$/;
/** The form given back: "[sub-question]". */
const FORM = /^(?:sub-? ?)?(?:question|quer(?:y|ie))s?$/i;

/** The first line without labels, brackets, quotes and the remarks that follow a question. */
function cleanQuery(item: string): string | undefined {
  const [line = ''] = item.trim().split('\n', 1);
  const query = withoutItemMark(line)
    .replace(LABEL, '')
    .replace(GUESS, '$1')
    .replace(/([?？؟])["”’'\])]{0,3} (?:[-–—(].*|(?:sub-?)?(?:question|query) ?)$/i, '$1')
    .replace(/^["“‘'[{]{1,3}([^"”’\]]{1,500}?)["”’'\]}]{1,3}[.,]?$/, '$1')
    .trim();
  const says = /\p{L}/u.test(query) && !/^[[\]{}"]/.test(query) && !FORM.test(query);
  return says && !asksNothing(query) ? query : undefined;
}

/** What two queries have in common that differ in letter case, spaces and end marks only. */
function bare(query: string): string {
  return query
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s?.!]{1,9}$/, '')
    .trim();
}

function distinct(queries: string[]): string[] {
  const seen = new Map<string, string>();
  for (const query of queries) if (!seen.has(bare(query))) seen.set(bare(query), query);
  return [...seen.values()];
}
