/** The next turn of a model that searches as it thinks, in the forms of several papers. */

import { shortened } from '../core/shortened.js';
import type { Passage } from '../core/vocabulary.js';
import { type QuestionInput, readingStep } from './define.js';
import { ifShown } from './oracles.js';
import { type ModelOutput, objectSchema } from './outputs/output.js';
import { membersOf, says } from './outputs/plain.js';
import { shortAnswer } from './outputs/short-answer.js';
import { takenApart } from './rendering.js';
import { inMarks, type Protocol, type TurnForm, type TurnInput, turnStep } from './turns.js';

/** Returns what stands in the last \boxed{...} of a text; undefined without one. */
export function boxedIn(text: string): string | undefined {
  const open = '\\boxed{';
  const start = text.lastIndexOf(open);
  if (start < 0) return undefined;
  const inside = text.slice(start + open.length);
  let depth = 1;
  for (let at = 0; at < inside.length; at++) {
    if (inside[at] === '{') depth++;
    if (inside[at] === '}') depth--;
    if (depth === 0) return inside.slice(0, at);
  }
  return undefined;
}

/** Returns passages between marks, which none of their texts holds. */
function between(open: string, close: string, text: string): string {
  return `${open}${text.replaceAll(open, '').replaceAll(close, '')}${close}`;
}

function docs(passages: readonly Passage[], line: (passage: Passage, number: number) => string) {
  return passages.map((passage, i) => line(passage, i + 1));
}

const SEARCH = ['<search>', '</search>'] as const;
const ANSWER = ['<answer>', '</answer>'] as const;

/**
 * Search-R1 (Jin et al., 2025): the tags and the form of results of its training. A turn without an
 * action is told so, and the model goes on. As in the script, an action begins where it is opened
 * first.
 */
const searchR1: Protocol = {
  form: inMarks({ search: SEARCH, answer: ANSWER }, 'first'),
  found(passages) {
    const lines = docs(passages, ({ title, text }, n) => `Doc ${n}(Title: ${title}) ${text}`);
    return `\n\n${between('<information>', '</information>', lines.join('\n'))}\n\n`;
  },
  result: (text) => `\n\n${between('<information>', '</information>', text)}\n\n`,
  notices: {
    unread:
      '\nThis was no action that could be understood. To search, I write the query between <search> and </search>. To give the final answer, I write it between <answer> and </answer>.\n',
  },
};

/** How an answer is written that counts only if its turn does not search. */
interface AnswerForm {
  form: string;
  write(answer: string): string;
  /** Returns the answer in a text; undefined without one. */
  in(text: string): string | undefined;
}

/** Returns a form of turns that search, or else answer. */
function orAnswer(query: TurnForm, answer: AnswerForm): TurnForm {
  return {
    ...query,
    actions: [...query.actions, 'answer'],
    form: `${query.form} or ${answer.form}`,
    write(thought, action) {
      if (action.name !== 'answer') return query.write(thought, action);
      return `${thought}${thought === '' ? '' : '\n'}${answer.write(action.argument)}`;
    },
    read(output) {
      const turn = query.read(output);
      const argument = turn?.action === null ? answer.in(turn.thought) : undefined;
      if (!turn || argument === undefined) return turn;
      return { ...turn, action: { name: 'answer', argument } };
    },
  };
}

/** Returns the box between the first tags of an answer, or what stands there without one. */
function taggedIn(text: string): string | undefined {
  const [open, close] = ANSWER;
  const [, inside] = text.split(open);
  const [argument] = inside?.split(close) ?? [];
  return argument === undefined ? undefined : (boxedIn(argument) ?? argument);
}

/**
 * ReSearch (Chen et al., 2025): the answer is boxed between its tags, and ends the turns only where
 * nothing is searched for; a turn without an action is the end.
 */
const reSearch: Protocol = {
  form: orAnswer(inMarks({ search: SEARCH }), {
    form: '<answer> \\boxed{answer} </answer>',
    write: (answer) => `<answer> \\boxed{${answer}} </answer>`,
    in: taggedIn,
  }),
  found(passages) {
    const lines = docs(passages, ({ title, text }) => `${title}\n${text}`);
    return ` ${between('<result>', '</result>', `\n${lines.join('\n\n')}\n`)}`;
  },
  result: (text) => ` ${between('<result>', '</result>', `\n${text}\n`)}`,
  notices: {},
  inPassing: taggedIn,
};

const DOCUMENTS = ['<|begin_of_documents|>', '<|end_of_documents|>'] as const;

/**
 * R1-Searcher (Song et al., 2025): queries of keywords, searched for without quotes; a turn without
 * an action is the end.
 */
const r1Searcher: Protocol = {
  form: inMarks({ search: ['<|begin_of_query|>', '<|end_of_query|>'], answer: ANSWER }),
  argument: (keywords) => keywords.replace(/["']|\.{3}/g, ''),
  found(passages) {
    const lines = docs(passages, ({ title, text }, n) => `(${n})${title} ${text}\n`);
    const listed = lines.length === 0 ? 'None\n' : lines.join('');
    return `\n\n${between(...DOCUMENTS, `\n${listed}`)}\n\n`;
  },
  result: (text) => `\n\n${between(...DOCUMENTS, `\n${text}\n`)}\n\n`,
  notices: {},
};

const [QUERY, QUERY_END] = ['<|begin_search_query|>', '<|end_search_query|>'];
const RESULT = ['<|begin_search_result|>', '<|end_search_result|>'] as const;

const told = (notice: string) => `\n${RESULT[0]}\n${notice}\n${RESULT[1]}\n`;

/**
 * Search-o1 (Li et al., 2025): a query between marks, and an answer in a box, of which the last one
 * counts, also that of an earlier turn. A turn without a query is the end.
 */
const searchO1: Protocol = {
  form: orAnswer(inMarks({ search: [QUERY, QUERY_END] }, 'first'), {
    form: 'the answer as \\boxed{answer}',
    write: (answer) => `\\boxed{${answer}}`,
    in: boxedIn,
  }),
  found: () => '',
  result: (text) => `\n\n${between(...RESULT, text)}\n\n`,
  notices: {
    limit: told('No more searches are allowed: their limit is reached.'),
    repeated: told('This query was searched before. See what it found above.'),
    answer: '\n\nNow I end my reasoning and give the final answer, in a few words.\n',
  },
  inPassing: boxedIn,
};

/** The last call of Search-o1: an answer in a box, or as a short reply. */
const lastOfSearchO1: Protocol = {
  ...searchO1,
  form: {
    ...searchO1.form,
    stop: [],
    form: 'the final answer only, as \\boxed{answer}',
    read(output) {
      const argument = boxedIn(output.text) ?? shortAnswer().read(output);
      if (argument === undefined) return undefined;
      return { thought: '', action: { name: 'answer', argument }, written: output.text };
    },
  },
};

/** The protocols of models that were trained to search, by name. */
export const TAGGED = {
  'search-r1': searchR1,
  're-search': reSearch,
  'r1-searcher': r1Searcher,
} as const;

/** Name of a protocol in which a model was trained to search between tags. */
export type TaggedProtocol = keyof typeof TAGGED;
export const TAGGED_NAMES = Object.keys(TAGGED) as TaggedProtocol[];

const PROTOCOLS = { ...TAGGED, 'search-o1': searchO1 };

/** The input for the next turn of a model that searches as it thinks. */
export interface ThinkInput extends TurnInput {
  /** Name of the form in which the model writes searches and answers. */
  protocol: keyof typeof PROTOCOLS;
  /** Searches at most, if the prompt says so. */
  maxSearches?: number;
}

/** The next turn of a model that thinks and searches (Search-R1 and its kin, Search-o1). */
export const think = turnStep<ThinkInput>({
  name: 'think',
  prompt: {
    among: Object.keys(PROTOCOLS),
    of: ({ protocol }) => protocol,
  },
  maxTokens: ({ protocol, last }) => (protocol !== 'search-o1' ? 1024 : last ? 64 : 2048),
  protocol: ({ protocol, last }) =>
    protocol === 'search-o1' && last ? lastOfSearchO1 : PROTOCOLS[protocol],
  keepsThinking: () => true,
});

/** Retrieved passages, from which the model takes what helps its reasoning (Search-o1). */
export interface ReadInDocumentsInput extends QuestionInput {
  /** Number of the turn that searched. */
  turn: number;
  /** The key of the reasoning so far, which ends in the query. */
  soFar: string | null;
}

/** What the model took from retrieved passages for its reasoning. */
export interface TakenFromDocuments {
  /** Shortened: all of it is in the reply. */
  taken: string;
  /** The key of the reasoning so far, which ends in what was taken. */
  soFar?: string | null;
  /** What is put behind the query, in an output that no worker has kept. */
  written?: string;
}

/** The longest extract that stands in a history. */
const TAKEN = 120;

const takenFrom = (information: string): TakenFromDocuments => ({
  taken: shortened(information, TAKEN),
  written: searchO1.result(information),
});

/**
 * Search-o1, Reason-in-Documents: what the passages of a search have for the reasoning so far, or
 * that they have nothing. Each is shown up to 3,000 characters, as in the authors' script.
 */
export const readInDocuments = readingStep<ReadInDocumentsInput, TakenFromDocuments>({
  name: 'readInDocuments',
  label: ({ turn }) => `turn ${turn}`,
  prompt: 'read-in-documents',
  maxTokens: 512,
  passageLength: 3000,
  transcript: {
    of: ({ soFar }) => soFar,
    shown: (soFar) => takenApart(shortenedReasoning(soFar), 'reasoning'),
    writes: true,
  },
  output: {
    schema: objectSchema({ information: { type: 'string' } }),
    form: 'a line "Final Information" and behind it the information',
    read(output) {
      const [information] = membersOf(output, ['information']) ?? [];
      const said = typeof information === 'string' ? information : behindMarker(output);
      return said !== undefined && says(said) ? takenFrom(said) : undefined;
    },
    longest: takenFrom,
  },
  fallback: () => takenFrom('No helpful information found.'),
  oracle: (_, gold) => ifShown(gold, takenFrom),
});

/**
 * Returns what stands behind the last marker; undefined without one, and of what was cut before it.
 */
function behindMarker({ text }: ModelOutput): string | undefined {
  const parts = text.split(
    /^[^\p{L}\n]{0,6}final information[^\p{L}\n]{0,6}$|\bfinal information\*{0,2}:\*{0,2}/imu,
  );
  return parts.length > 1 ? parts.at(-1)?.trim() : undefined;
}

/** Lines that are shown of a longer reasoning, beside the first and those of searches. */
const LAST_LINES = 4;
const MOST_LINES = 5;

/**
 * Returns a reasoning as the authors' script shows it to the reader of documents: of more than five
 * lines the first, the last four and those of searches, with "..." for others.
 */
export function shortenedReasoning(text: string): string {
  const lines = text.split(/\n+/).filter(says);
  const isShown = (line: string, i: number) =>
    lines.length <= MOST_LINES ||
    i === 0 ||
    i >= lines.length - LAST_LINES ||
    line.includes(QUERY) ||
    line.includes(RESULT[0]);
  return lines
    .map((line, i) => (isShown(line, i) ? `Step ${i + 1}: ${line}` : '...'))
    .filter((line, i, all) => line !== '...' || all[i - 1] !== '...')
    .join('\n\n');
}
