/** A model whose outputs are as long as each step allows, and which never ends a method early. */
import type { LanguageModel } from '../../llm/language-model.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import { modelThatSays } from './saying.js';

interface Sent {
  step: ScriptedStep;
  prompt: string;
  maxTokens: number;
}

export interface LongestModel extends LanguageModel {
  readonly sent: Sent[];
}

/** Begins the longest of several queries. */
const LONGEST = 'Longest';

/** Four characters a token, as estimates count them. */
const CHARACTERS = 4;

export function longestModel(): LongestModel {
  const sent: Sent[] = [];
  const model = modelThatSays(({ step, prompt, request: { maxTokens } }) => {
    sent.push({ step, prompt, maxTokens });
    const text = replyOf(step, prompt, CHARACTERS * maxTokens, sent.length);
    if (text.length > CHARACTERS * maxTokens) throw new Error(`${step} says too much`);
    return text;
  });
  return { ...model, sent };
}

/** What a reply is made of: its prompt, its room, and a number that makes texts differ. */
type Reply = (prompt: string, room: number, call: number) => string;

const numberIn = (prompt: string, pattern: RegExp) => Number(pattern.exec(prompt)?.[1] ?? 1);
const behind =
  (label: string): Reply =>
  (_, room, call) =>
    `${label}: ${words(room - 10, call)}`;
const MARKS = [
  ['<search>', '</search>'],
  ['<|begin_of_query|>', '<|end_of_query|>'],
  ['<|begin_search_query|>', '<|end_search_query|>'],
];

/** A thought and a search for a title, in lines. */
const action: Reply = (_, room, call) =>
  `${words(room - 120, call)}\nAction 1: search[${words(80, call)}]`;

/** Asks for a search in the form that the prompt asks for, whatever turn it is. */
function search(prompt: string, room: number, call: number): string {
  if (prompt.endsWith('in a few words.\n')) return words(room / 2, call);
  const [open = '', close = ''] =
    MARKS.find(([mark = '']) => prompt.split('\nQuestion: ')[0]?.includes(mark)) ?? [];
  const query = words(60, call);
  const thought = words(room - query.length - open.length - close.length, call);
  return `${thought}${open}${query}${close}`;
}
/** The answer has as many words as are not asked again, and the thoughts before it take the rest. */
const thoughts: Reply = (_, room, call) => {
  const answer = words(Math.min(room / 2, 480), call);
  return `${words(room - answer.length - 20, call)}.\nAnswer: ${answer}`;
};
const summary: Reply = (_, room, call) => `${words(room - 7, call)} [DONE]`;

const REPLIES: Partial<Record<ScriptedStep, string | Reply>> = {
  generateCandidates: (prompt, room, call) => {
    const candidate = (i: number, length: number) =>
      `(${letter(i)}) ${words(length - 6, call + i)}`;
    return items(numberIn(prompt, /(?:name|write) (\d+) different/), room, candidate, ', ');
  },
  summarize: summary,
  summarizeGeneric: summary,
  validate: 'True',
  rankPair: 'Passage 1',
  choose: '(a)',
  rankPassages: '[2] > [1]',
  infer: 'INSUFFICIENT',
  reason: thoughts,
  thinkAndAnswer: thoughts,
  metaReason: thoughts,
  nameConditions: 'patent\ntelephone\nfirst',
  nextThought: behind('Thought'),
  think: search,
  readInDocuments: (_, room, call) => `Final Information\n${words(room - 20, call)}`,
  act: action,
  followUp: (_, room, call) =>
    `Follow up: ${words(room - 90, call)}?\nSo the final answer is: ${words(40, call)}`,
  selfAsk: (prompt, room, call) => {
    const pair = (i: number, length: number) =>
      `Follow up: ${words(length / 2 - 14, call + i)}?\nIntermediate answer: ${words(length / 2 - 24, i)}`;
    const pairs = items(numberIn(prompt, /at most (\d+)/), room - 80, pair, '\n');
    return `${pairs}\nSo the final answer is: ${words(40, call)}`;
  },
  takeNotes: (prompt, room) => {
    const note = (i: number, length: number) =>
      `Note ${i + 1} (contextual): ${words(length - 26, i)}`;
    const passages = prompt.match(/^<passage number/gm)?.length ?? 1;
    return `${items(passages, room - 20, note, '\n')}\nAnswer: Bell`;
  },
  takeNote: (_, room, call) => `(contextual) ${words(room - 13, call)}`,
  scoreAnswer: (prompt) =>
    prompt.slice(prompt.lastIndexOf('Query: ')).includes(LONGEST) ? '0.6' : '0.1',
  askSubQueries: (prompt, room, call) => {
    // The first is as long as it can be, and what comes of it is kept.
    const count = numberIn(prompt, /write at most (\d+)/) - 1;
    const others = Array.from({ length: count }, (_, i) => `${i + 2}. Who is n${call}${i}?`);
    const length = others.join('\n').length;
    return [`1. ${LONGEST} ${words(room - length - 18, call)}?`, ...others].join('\n');
  },
  // The same again, as long as there are calls for it.
  nextSubQuery: (prompt, room, call) => {
    const [, ...asked] = prompt.split('\nQuery: ');
    const [first = ''] = asked[1] ? asked : [];
    return first.split('\n')[0] || words(room, call);
  },
  answerFromPath: (_, room, call) => words(Math.min(room, 480), call),
  ratePath: '5',
  classifyQuestion: 'Multi',
  rewriteQuestion: (prompt, room, call) => {
    const query = (i: number, length: number) => `${i + 1}. ${words(length - 6, call + i)}`;
    return items(numberIn(prompt, /at most (\d+)/), room, query, '\n');
  },
  decomposeQuestion: (prompt, room, call) => {
    const subQuestion = (i: number, length: number) => {
      const named = Array.from({ length: i }, (_, k) => ` #${k + 1}`).join('');
      return `${i + 1}. ${words(length - 6 - named.length, call + i)}${named}?`;
    };
    return items(numberIn(prompt, /at most (\d+)/), room, subQuestion, '\n');
  },
  selectDocuments: 'Selected passages: 1 2 3 4 5',
  verifyClassify: '[NO]',
  verifyScore: '[1]',
  checkClaim: 'True',
  answerWithCitations: (prompt, room, call) => {
    const isList = /separate|list/i.test(prompt) && !/sentences/i.test(prompt);
    const item = (i: number) => `${words(26, 100 * call + i)} [1]`;
    const sentence = (i: number) => `W${words(65, 100 * call + i)} [1][2][3].`;
    return isList
      ? items(Math.floor(room / 40), room, item, ', ')
      : items(Math.floor(room / 84), room, sentence, ' ');
  },
  judgeClaim: (prompt) => (/<passage number="3">/.test(prompt) ? 'Yes' : 'No'),
};

function replyOf(step: ScriptedStep, prompt: string, room: number, call: number): string {
  const reply = REPLIES[step] ?? words(room, call);
  return typeof reply === 'string' ? reply : reply(prompt, room, call);
}

function items(
  count: number,
  room: number,
  make: (i: number, length: number) => string,
  between: string,
): string {
  const length = Math.floor(room / count) - between.length;
  return Array.from({ length: count }, (_, i) => make(i, length)).join(between);
}

function letter(i: number): string {
  return String.fromCharCode(97 + i);
}

/**
 * Words of together so many characters, which begin with a number of their own. Long ones: an answer
 * of many words is none.
 */
function words(length: number, number: number): string {
  const word = `${'word'.repeat(15)} `;
  const text = `n${number} word ${word.repeat(Math.ceil(Math.max(0, length) / word.length))}`;
  return `${text.slice(0, Math.max(2, Math.floor(length) - 1))}s`.replace(/ s$/, 'ws');
}
