/** ReAct (Yao et al., ICLR 2023): the next thought, with its action. */
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

/** The input for the next thought and action of ReAct. */
export interface ReactInput extends TurnInput {
  /** The number of the thought; an action that is asked for once more has that of its thought. */
  number: number;
  demonstrations: ReactDemonstration[];
}

/** How many sentences of a passage a search shows, as the authors' environment does. */
const SENTENCES = 5;

/** "Action 2: search[Milhouse]"; an action whose label stands in the prompt has none. */
const ACTION = /^\s*(?:action(?: ?\d+)? ?: *)?(search|lookup|finish)\[(.*)\]\s*\.?\s*$/i;
/** An action that is none of the three. */
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

/** Observations are one line each, so that none can be taken for a thought or an action. */
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

/** The next thought of a question with its action, in lines (ReAct). */
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
