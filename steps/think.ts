/** The next turn of a model that searches as it thinks, in the forms of several papers. */
import type { Passage } from '../core/vocabulary.js';
import { inMarks, type Protocol, type TurnInput, turnStep } from './turns.js';

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

/**
 * Search-R1 (Jin et al., 2025): the tags and the form of results of its training. A turn without an
 * action is told so, and the model goes on.
 */
const searchR1: Protocol = {
  form: inMarks({
    search: ['<search>', '</search>'],
    answer: ['<answer>', '</answer>'],
  }),
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

/** ReSearch (Chen et al., 2025): the answer is boxed between its tags; a turn without an action is the end. */
const reSearch: Protocol = {
  form: searchR1.form,
  found(passages) {
    const lines = docs(passages, ({ title, text }) => `${title}\n${text}`);
    return `\n${between('<result>', '</result>', `\n${lines.join('\n\n')}\n`)}\n`;
  },
  result: (text) => `\n${between('<result>', '</result>', `\n${text}\n`)}\n`,
  notices: {},
  answer: (argument) => boxedIn(argument) ?? argument,
};

const DOCUMENTS = ['<|begin_of_documents|>', '<|end_of_documents|>'] as const;

/** R1-Searcher (Song et al., 2025): queries of keywords; a turn without an action is the end. */
const r1Searcher: Protocol = {
  form: inMarks({
    search: ['<|begin_of_query|>', '<|end_of_query|>'],
    answer: ['<answer>', '</answer>'],
  }),
  found(passages) {
    const lines = docs(passages, ({ title, text }, n) => `(${n})${title} ${text}\n`);
    const listed = lines.length === 0 ? 'None\n' : lines.join('');
    return `\n\n${between(...DOCUMENTS, `\n${listed}`)}\n\n`;
  },
  result: (text) => `\n\n${between(...DOCUMENTS, `\n${text}\n`)}\n\n`,
  notices: {},
};

/** The protocols of models that were trained to search, by name. */
export const TAGGED = {
  'search-r1': searchR1,
  're-search': reSearch,
  'r1-searcher': r1Searcher,
} as const;

export type TaggedProtocol = keyof typeof TAGGED;
export const TAGGED_NAMES = Object.keys(TAGGED) as TaggedProtocol[];

export interface ThinkInput extends TurnInput {
  protocol: TaggedProtocol;
}

/** The next turn of a model that thinks and searches between tags (Search-R1 and its kin). */
export const think = turnStep<ThinkInput>({
  name: 'think',
  prompt: { among: TAGGED_NAMES, of: ({ protocol }) => protocol },
  maxTokens: 1024,
  protocol: ({ protocol }) => TAGGED[protocol],
  keepsThinking: () => true,
});
