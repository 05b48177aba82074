import type { Completion } from './language-model.js';

/** Marks in which models enclose their thinking before the answer. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
];

/** The channels of the harmony format, if a server leaves them in the text. */
interface Channels {
  /** Matches the beginning of a text with channels. */
  begins: RegExp;
  /** Matches the beginning of the answer. */
  final: RegExp;
}

const MARKED: Channels = {
  begins: /^\s*(?:<\|start\|>\s*assistant\s*)?<\|channel\|>/,
  final: /<\|channel\|>\s*final\b(?:(?!<\|message\|>)[\s\S])*<\|message\|>/,
};

/**
 * Channels without their marks: some servers remove those but leave the names, as in "analysisWe
 * need a city.assistantfinalOslo". No English word continues "analysis".
 */
const UNMARKED: Channels = {
  begins:
    /^\s*(?:(?=assistantfinal)|(?:assistant)?(?:analysis(?=\p{L})|(?:analysis|commentary)(?=[\s\S]*assistantfinal)))/u,
  final: /assistantfinal/,
};

/** Matches the mark at the end of a channel. */
const END = /<\|(?:return|end|start|call)\|>/;

/**
 * Returns the completion without the thinking at the beginning of its text. `thinking` is then
 * "some", or "all" if no text is left after the thinking or at the token limit. If a thinking
 * block was removed, `logprob` is removed too.
 *
 * If the thinking has no end mark, the text is empty and counts as cut. Applying this twice
 * changes nothing.
 */
export function withoutThinking(completion: Completion): Completion {
  const { logprob, ...rest } = completion;
  const { text, isOpen, thought } = answerIn(completion.text);
  // Tokens of thoughts in the text would count as the answer's.
  const probability = text === completion.text && logprob !== undefined ? { logprob } : {};
  const isAll = isOpen || thought || rest.thinking !== undefined || rest.end === 'cut';
  if (text.trim() === '' && isAll) {
    const end = isOpen ? 'cut' : rest.end;
    return { ...rest, ...probability, text: '', end, thinking: 'all' };
  }
  return { ...rest, ...probability, text, ...(thought && { thinking: 'some' as const }) };
}

interface Answer {
  text: string;
  /** Whether the thinking has no end. */
  isOpen: boolean;
  /**
   * Whether the model was thinking. False for an empty block, which models write if thinking is
   * off.
   */
  thought: boolean;
}

function answerIn(content: string): Answer {
  const channels = [MARKED, UNMARKED].find(({ begins }) => begins.test(content));
  if (channels) return finalChannel(content, channels);
  let text = content;
  let thought = false;
  for (let found = opened(text); found; found = opened(text)) {
    const [open, close] = found;
    const start = text.indexOf(open) + open.length;
    const end = text.indexOf(close, start);
    if (end < 0) return { text: '', isOpen: true, thought: true };
    thought ||= text.slice(start, end).trim() !== '';
    text = text.slice(end + close.length).trimStart();
  }
  // If the chat template puts the opening mark into the prompt, the text has only the closing one.
  for (const [open, close] of MARKS) {
    const end = text.indexOf(close);
    if (end < 0 || text.slice(0, end).includes(open)) continue;
    thought ||= text.slice(0, end).trim() !== '';
    text = text.slice(end + close.length).trimStart();
  }
  return { text, isOpen: false, thought };
}

function opened(text: string) {
  const start = text.trimStart();
  return MARKS.find(([open]) => start.startsWith(open));
}

function finalChannel(content: string, { begins, final: isFinal }: Channels): Answer {
  const final = isFinal.exec(content);
  if (!final) return { text: '', isOpen: true, thought: true };
  const [text = ''] = content.slice(final.index + final[0].length).split(END, 1);
  const before = content.slice(0, final.index).replace(begins, '');
  return { text: text.trim(), isOpen: false, thought: before.trim() !== '' };
}
