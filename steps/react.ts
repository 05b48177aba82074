/** The step of ReAct (Yao et al., ICLR 2023), which writes the next thought with its action. */
import { splitSentences } from '../core/sentences.js';
import type { Passage } from '../core/vocabulary.js';
import {
  type Lookup,
  type Protocol,
  type TurnAction,
  type TurnForm,
  type TurnInput,
  turnStep,
  upToAction,
} from './turns.js';

/** A turn of a demonstration. */
interface DemonstratedTurn {
  thought: string;
  /** Action of the turn, such as "search[Milhouse]". */
  action: string;
  /** Result of the action; left out for the last one. */
  observation?: string | undefined;
}

/** A question with the turns that led to its answer. */
interface ReactDemonstration {
  question: string;
  turns: DemonstratedTurn[];
}

/**
 * The input of ReAct's step: a question, the place in the transcript, the number of the thought,
 * and demonstrations.
 */
export interface ReactInput extends TurnInput {
  /** Number of the thought, from 1. */
  number: number;
  demonstrations: ReactDemonstration[];
}

/** Number of sentences of a passage that a search shows, as in the authors' environment. */
const SENTENCES = 5;

/**
 * Pattern of an action: "Action 2: search[Milhouse]", or without the label if the prompt ends with
 * it.
 */
const ACTION = /^\s*(?:action(?: ?\d+)? ?: *)?(search|lookup|finish)\[(.*)\]\s*\.?\s*$/i;
/** Pattern of a line that is labelled as an action but is none of the three. */
const LABELLED = /^\s*action(?: ?\d+)? ?: *(.*)$/i;

function actionIn(line: string): TurnAction | undefined {
  const [, said, argument = ''] = ACTION.exec(line) ?? [];
  if (said !== undefined) {
    const name = said.toLowerCase();
    return { name: name === 'finish' ? 'answer' : name, argument };
  }
  const [, other] = LABELLED.exec(line) ?? [];
  return other === undefined ? undefined : { name: 'invalid', argument: other };
}

const inLines = (number: number): TurnForm => ({
  actions: ['search', 'lookup', 'answer'],
  stop: ['\nObservation'],
  form: 'a thought, and a line "Action: search[...]", "Action: lookup[...]" or "Action: finish[...]"',
  write: (thought, { name, argument }) =>
    ` ${thought}\nAction ${number}: ${name === 'answer' ? 'finish' : name}[${argument}]`,
  read({ text, ...output }) {
    const unlabelled = text.replace(/^\s*thought(?: ?\d+)? ?: ?/i, '');
    const turn = upToAction({ ...output, text: unlabelled }, actionIn);
    if (!turn) return undefined;
    const { line, action, wroteOn } = turn;
    const thought = turn.thought.trim();
    if (!action) return { thought, action, written: ` ${thought}` };
    const label = thought === '' ? '' : ` ${thought}\nAction ${number}:`;
    const said = line.trim().replace(/^action(?: ?\d+)? ?: */i, '');
    return { thought, action, written: `${label} ${said}`, wroteOn };
  },
});

/** Returns an observation as one line, so that it cannot be mistaken for a thought or an action. */
function observed(number: number, text: string): string {
  return `\nObservation ${number - 1}: ${text.replace(/\s+/g, ' ').trim()}\nThought ${number}:`;
}

function found(passages: readonly Passage[], lookup?: Lookup): string {
  const [first, ...others] = passages;
  const sentences = first ? splitSentences(first.text) : [];
  if (lookup) {
    const word = lookup.word.toLowerCase();
    const all = sentences.filter((sentence) => sentence.toLowerCase().includes(word));
    const sentence = all[lookup.nth];
    return sentence === undefined
      ? 'No more results.'
      : `(Result ${lookup.nth + 1} / ${all.length}) ${sentence}`;
  }
  if (!first) return 'Could not find it.';
  const similar = others.map(({ title }) => title).filter((title) => title !== '');
  const shown = `${first.title === '' ? '' : `${first.title}: `}${sentences.slice(0, SENTENCES).join(' ')}`;
  return similar.length === 0 ? shown : `${shown} Similar titles: ${similar.join('; ')}.`;
}

const protocolOf = (number: number): Protocol => ({
  form: inLines(number),
  found: (passages, lookup) => observed(number, found(passages, lookup)),
  result: (text) => observed(number, text),
  notices: {
    thought: `Thought ${number}:`,
    action: `\nAction ${number}:`,
    invalid: observed(
      number,
      'This is no action. An action is search[title], lookup[word] or finish[answer].',
    ),
  },
});

/**
 * Declaration of a step of ReAct: writes the next thought with its action, or the answer. Its
 * output is the turn, with `thought` and `action` (`name`, such as "search" or "answer", and
 * `argument`); the action is null if none could be read.
 */
export const act = turnStep<ReactInput>({
  name: 'act',
  prompt: 'react',
  maxTokens: 256,
  protocol: ({ number }) => protocolOf(number),
  variables: ({ demonstrations }) => ({
    demonstrations: demonstrations.map(renderDemonstration).join('\n\n'),
  }),
});

function renderDemonstration({ question, turns }: ReactDemonstration): string {
  const lines = turns.flatMap(({ thought, action, observation }, i) => [
    `Thought ${i + 1}: ${thought}`,
    `Action ${i + 1}: ${action}`,
    ...(observation === undefined ? [] : [`Observation ${i + 1}: ${observation}`]),
  ]);
  return [`Question: ${question}`, ...lines].join('\n');
}
