import type { Completion } from './language-model.js';

/** How models mark what they think before they answer. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
];

/** The channels of the harmony format, where a server leaves them in the text. */
const CHANNEL = /^\s*(?:<\|start\|>\s*assistant\s*)?<\|channel\|>/;
const FINAL = /<\|channel\|>\s*final\b(?:(?!<\|message\|>)[\s\S])*<\|message\|>/;
const END = /<\|(?:return|end|start|call)\|>/;

/**
 * Returns the completion without the thinking before the answer, and with how much of it was
 * thinking.
 *
 * Thinking without an end leaves no answer: the text is empty, and cut. Where there is no text at
 * the token limit, all tokens went into thoughts, shown or not. Doing it twice changes nothing.
 */
export function withoutThinking(completion: Completion): Completion {
  const { logprob, ...rest } = completion;
  const { text, isOpen, thought } = answerIn(completion.text);
  // Tokens of thoughts in the text would count as the answer's.
  const probability = text === completion.text && logprob !== undefined ? { logprob } : {};
  if (text === '' && (isOpen || rest.cut)) {
    return { ...rest, ...probability, text, cut: true, thinking: 'all' };
  }
  return { ...rest, ...probability, text, ...(thought && { thinking: 'some' as const }) };
}

interface Answer {
  text: string;
  /** The thinking has no end. */
  isOpen: boolean;
  /** Not for an empty block, which models write whose thinking is off. */
  thought: boolean;
}

function answerIn(content: string): Answer {
  if (CHANNEL.test(content)) return finalChannel(content);
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
  // Chat templates that write the opening mark into the prompt leave only the closing one.
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

function finalChannel(content: string): Answer {
  const final = FINAL.exec(content);
  if (!final) return { text: '', isOpen: true, thought: true };
  const [text = ''] = content.slice(final.index + final[0].length).split(END, 1);
  const before = content.slice(0, final.index).replace(CHANNEL, '');
  return { text: text.trim(), isOpen: false, thought: before.trim() !== '' };
}
