/** The step for models that search while they think, in the protocols of several papers. */

import { shortened } from '../core/shortened.js';
import type { Passage } from '../core/vocabulary.js';
import { type QuestionInput, readingStep } from './define.js';
import { fromShownAnswer } from './oracles.js';
import { type ModelOutput, objectSchema } from './outputs/output.js';
import { hasWords, jsonMembers } from './outputs/plain.js';
import { shortAnswer } from './outputs/short-answer.js';
import { escapeTags } from './rendering.js';
import {
  addedText,
  inMarks,
  type Protocol,
  type TranscriptAddition,
  type TurnForm,
  type TurnInput,
  thoughtWithAction,
  turnStep,
} from './turns.js';

/**
 * Returns the text in the last \boxed{...} of a text; undefined if there is none, or if it is not
 * closed.
 */
export function lastBoxed(text: string): string | undefined {
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

/** Returns a text between marks, with the marks removed from the text itself. */
function between(open: string, close: string, text: string): string {
  return `${open}${text.replaceAll(open, '').replaceAll(close, '')}${close}`;
}

function docs(passages: readonly Passage[], line: (passage: Passage, number: number) => string) {
  return passages.map((passage, i) => line(passage, i + 1));
}

const SEARCH = ['<search>', '</search>'] as const;
const ANSWER = ['<answer>', '</answer>'] as const;

/**
 * Protocol of Search-R1 (Jin et al., 2025), with the tags of its training. After a turn without an
 * action the model receives a notice and continues. As in the authors' script, an action begins at
 * its first opening tag.
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

/** The form of an answer that counts only if its turn does not search. */
interface AnswerForm {
  form: string;
  write(answer: string): string;
  /** Returns the answer in a text; undefined without one. */
  in(text: string): string | undefined;
}

/** Returns the form of turns that either search or answer. */
function orAnswer(query: TurnForm, answer: AnswerForm): TurnForm {
  return {
    ...query,
    actions: [...query.actions, 'answer'],
    form: `${query.form} or ${answer.form}`,
    write(thought, action) {
      if (action.name !== 'answer') return query.write(thought, action);
      return thoughtWithAction(thought, answer.write(action.argument));
    },
    read(output) {
      const turn = query.read(output);
      const argument = turn?.action === null ? answer.in(turn.thought) : undefined;
      if (!turn || argument === undefined) return turn;
      return { ...turn, action: { name: 'answer', argument } };
    },
  };
}

/**
 * Returns the content of the first answer tags, or of the box within them; undefined if there are
 * no tags.
 */
function taggedIn(text: string): string | undefined {
  const [open, close] = ANSWER;
  const [, inside] = text.split(open);
  const [argument] = inside?.split(close) ?? [];
  return argument === undefined ? undefined : (lastBoxed(argument) ?? argument);
}

/**
 * Protocol of ReSearch (Chen et al., 2025): the answer is boxed between its tags, and ends the
 * turns only if its turn does not search. A turn without an action ends them too.
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
 * Protocol of R1-Searcher (Song et al., 2025): queries are keywords, searched without quotes. A
 * turn without an action ends the turns.
 */
const r1Searcher: Protocol = {
  form: inMarks({ search: ['<|begin_of_query|>', '<|end_of_query|>'], answer: ANSWER }),
  argument: (keywords) => keywords.replace(/["']|\.{3}/g, '').replace(/\s+/g, ' '),
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

const noticeText = (notice: string) => `\n${RESULT[0]}\n${notice}\n${RESULT[1]}\n`;

/**
 * Protocol of Search-o1 (Li et al., 2025): queries between marks, and answers in boxes, of which
 * the last one counts, even of an earlier turn. A turn without a query ends the turns.
 */
const searchO1: Protocol = {
  form: orAnswer(inMarks({ search: [QUERY, QUERY_END] }, 'first'), {
    form: 'the answer as \\boxed{answer}',
    write: (answer) => `\\boxed{${answer}}`,
    in: lastBoxed,
  }),
  found: () => '',
  result: (text) => `\n\n${between(...RESULT, text)}\n\n`,
  notices: {
    limit: noticeText('No more searches are allowed: their limit is reached.'),
    repeated: noticeText('This query was searched before. See what it found above.'),
    answer: '\n\nNow I end my reasoning and give the final answer, in a few words.\n',
  },
  inPassing: lastBoxed,
};

/** Protocol of Search-o1's last call: an answer in a box, or as a short reply. */
const lastOfSearchO1: Protocol = {
  ...searchO1,
  form: {
    ...searchO1.form,
    stop: [],
    form: 'the final answer only, as \\boxed{answer}',
    read(output) {
      const argument = lastBoxed(output.text) ?? shortAnswer().read(output);
      if (argument === undefined) return undefined;
      return { thought: '', action: { name: 'answer', argument }, written: output.text };
    },
  },
};

/** Protocols by name, for models that were trained to search between tags. */
export const TAGGED_PROTOCOLS = {
  'search-r1': searchR1,
  're-search': reSearch,
  'r1-searcher': r1Searcher,
} as const;

/**
 * The name of a protocol in which models were trained to search between tags: search-r1, re-search
 * or r1-searcher.
 */
export type TaggedProtocol = keyof typeof TAGGED_PROTOCOLS;
/** The names of the protocols in which models were trained to search between tags. */
export const TAGGED_PROTOCOL_NAMES = Object.keys(TAGGED_PROTOCOLS) as TaggedProtocol[];

const PROTOCOLS = { ...TAGGED_PROTOCOLS, 'search-o1': searchO1 };

/**
 * The input of the step for models that search while they think: a question, the place in the
 * transcript, and the name of the protocol.
 */
export interface ThinkInput extends TurnInput {
  /** Name of the protocol in which the model writes searches and answers. */
  protocol: keyof typeof PROTOCOLS;
  /** Maximum number of searches, if the prompt states it. */
  maxSearches?: number;
}

/**
 * Declaration of the step that writes the next turn of a model that searches while it thinks
 * (Search-R1, ReSearch, R1-Searcher, Search-o1). Its output is the turn, with `thought` and
 * `action` (`name`, "search" or "answer", and `argument`); the action is null if none could be
 * read.
 */
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

/**
 * The input of Search-o1's Reason-in-Documents: a query with the passages found, and the reasoning
 * so far.
 */
export interface ReadInDocumentsInput extends QuestionInput {
  /** Number of the turn that searched. */
  turn: number;
  /** Key of the transcript so far, which ends in the query. */
  soFar: string | null;
  /** Additions to it that no worker has stored; left out if there are none. */
  added?: TranscriptAddition[];
}

/**
 * The information that a model extracted from retrieved passages (Search-o1, Reason-in-Documents),
 * as histories record it: its first 120 characters, and the key of the transcript that ends in the
 * whole extract, or the text to append until that is stored.
 */
export interface DocumentExtract {
  /** The extract, shortened to 120 characters; the whole text is in the stored response. */
  taken: string;
  /** Key of the transcript that ends in the extract; absent until it is stored. */
  soFar?: string | null;
  /** Text to append to the transcript; absent once it is stored. */
  written?: string;
}

/** Maximum length of an extract in a history, in characters. */
const TAKEN = 120;

const takenFrom = (information: string): DocumentExtract => ({
  taken: shortened(information, TAKEN),
  written: searchO1.result(information),
});

/**
 * Declaration of a step of Search-o1, Reason-in-Documents: extracts the information from passages
 * that helps the reasoning so far. Its output is the beginning of the extract (`taken`), and the
 * key of the transcript that ends in it (`soFar`), or the text for the transcript until that is
 * stored (`written`). The extract is "No helpful information found." if the model's reply stayed
 * unreadable. Of each passage, the first 3,000 characters are shown as in the authors' script.
 */
export const readInDocuments = readingStep<ReadInDocumentsInput, DocumentExtract>({
  name: 'readInDocuments',
  label: ({ turn }) => `turn ${turn}`,
  prompt: 'read-in-documents',
  maxTokens: 512,
  passageLength: 3000,
  transcript: {
    of: ({ soFar }) => soFar,
    added: ({ added = [] }, passages) => addedText(searchO1, added, passages),
    shown: (soFar) => escapeTags(shortenedReasoning(soFar), 'reasoning'),
  },
  output: {
    schema: objectSchema({ information: { type: 'string' } }),
    form: 'a line "Final Information" and behind it the information',
    read(output) {
      const [information] = jsonMembers(output, ['information']) ?? [];
      const said = typeof information === 'string' ? information : behindMarker(output);
      return said !== undefined && hasWords(said) ? takenFrom(said) : undefined;
    },
    longest: takenFrom,
  },
  fallback: () => takenFrom('No helpful information found.'),
  oracle: (_, gold) => fromShownAnswer(gold, takenFrom),
});

/** Returns the text after the last line "Final Information"; undefined if there is none. */
function behindMarker({ text }: ModelOutput): string | undefined {
  const parts = text.split(
    /^[^\p{L}\n]{0,6}final information[^\p{L}\n]{0,6}$|\bfinal information\*{0,2}:\*{0,2}/imu,
  );
  return parts.length > 1 ? parts.at(-1)?.trim() : undefined;
}

/** Number of last lines of a longer reasoning that are shown. */
const LAST_LINES = 4;
/** Number of lines up to which a reasoning is shown whole. */
const MOST_LINES = 5;

/**
 * Returns a reasoning shortened as in Search-o1's script, with the lines numbered: of more than
 * five lines, only the first, the last four and those with searches or results remain, with "..."
 * for others.
 */
export function shortenedReasoning(text: string): string {
  const lines = text.split(/\n+/).filter(hasWords);
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
