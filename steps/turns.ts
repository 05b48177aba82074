/**
 * The turns of a model that thinks and acts: how a turn is asked for, written and read. A turn ends
 * in an action, whose result is appended to the transcript, or in an answer. Pure.
 */
import { shortened } from '../core/shortened.js';
import type { Passage } from '../core/vocabulary.js';
import { asksForTurn, defineStep, LONGEST_LABEL, type ModelStep } from './define.js';
import { fromShownAnswer } from './oracles.js';
import { type ModelOutput, type Output, objectSchema } from './outputs/output.js';
import { hasWords, jsonMembers, unwrapLine } from './outputs/plain.js';
import { answerFromLine } from './outputs/short-answer.js';

/**
 * The action of a turn: its name, such as "search", and its argument, such as the query. The
 * action "answer" ends the turns.
 */
export interface TurnAction {
  /** Name of the action: "search", "answer", or another one of the protocol. */
  name: string;
  /**
   * Argument of the action, such as the query or the answer; an answer is one line, others may have
   * several.
   */
  argument: string;
}

/** One turn of a model as read from its output: its thought and its action. */
export interface Turn {
  /**
   * The thought before the action, as one line, shortened; the whole text is in the stored
   * response.
   */
  thought: string;
  /** The action; null if none could be read. */
  action: TurnAction | null;
  /** Key of the transcript that ends in this turn; absent until it is stored. */
  soFar?: string | null;
  /** Text of the turn; absent once it is stored as a piece of the transcript. */
  written?: string;
  /** An answer that the thought mentions although the action is another one. */
  answerInPassing?: string;
  /** Set if the model wrote more after its action; the rest is ignored. */
  wroteOn?: true;
}

/**
 * A lookup of a word in a passage: the word, and which of the sentences that contain it is wanted,
 * from 0.
 */
export interface Lookup {
  word: string;
  /** Position of the wanted sentence among these, from 0. */
  nth: number;
}

/**
 * The content to append to the transcript before the next turn, as `addedText` writes it: passages
 * by their ids, the result of an action, a notice by its name, or the text of a turn that is not
 * stored yet.
 */
export type TranscriptAddition =
  /** Ids of passages that a search found, or in which a word is looked up. */
  | { found: string[]; lookup?: Lookup }
  /** Result of an action, such as a calculation. */
  | { result: string }
  /** Name of a notice that the protocol declares. */
  | { notice: string }
  /** Text of a turn that is not stored yet. */
  | { written: string };

/**
 * The place of a turn in its transcript: the key of the transcript so far, what is added before
 * the turn, and the number of the turn.
 */
export interface TurnPlace {
  /** Key of the transcript's last piece; null at the beginning. */
  soFar: string | null;
  /** Additions to the transcript before the turn. */
  added: TranscriptAddition[];
  /** Number of the turn, from 1. */
  turn: number;
  /** Set if no turn may follow. */
  last?: true;
}

/** The input of a step that asks for a turn: the question, and the place in the transcript. */
export interface TurnInput extends TurnPlace {
  question: string;
}

/** A turn as read from a model's output. */
interface ReadTurn {
  thought: string;
  action: TurnAction | null;
  /** Text of the turn up to the end of its action. */
  written: string;
  /** Whether there is text after the action. */
  wroteOn?: boolean;
}

/**
 * A notation for turns: its actions, how they are marked, where the model stops, and functions that
 * read and write turns in it.
 */
export interface TurnForm {
  /** Names of the actions. "answer" is one of them if the model can answer in this form. */
  actions: readonly string[];
  /** Stop texts. */
  stop: readonly string[];
  /** Description of the form in one line. */
  form: string;
  /** Reads a turn; returns undefined if the output was cut before the turn's end. */
  read(output: ModelOutput): ReadTurn | undefined;
  /** Returns the text of a turn in this form. */
  write(thought: string, action: TurnAction): string;
}

/**
 * A protocol of turns: their form, and the texts that are appended to the transcript after each
 * turn.
 */
export interface Protocol {
  form: TurnForm;
  /** Returns the text to append after a search: the passages found, or a sentence of a lookup. */
  found(passages: readonly Passage[], lookup?: Lookup): string;
  /** Returns the text to append after another action: its result. */
  result(text: string): string;
  /** Texts to append instead of a result, by the name of the notice. */
  notices: Readonly<Record<string, string>>;
  /**
   * Returns the answer in the argument of "answer"; undefined if there is none. @default the
   * argument
   */
  answer?(argument: string): string | undefined;
  /** Returns the argument of another action as it is to be used. @default the argument */
  argument?(argument: string): string;
  /**
   * Returns an answer that a thought mentions before another action; undefined if there is none.
   */
  inPassing?(thought: string): string | undefined;
}

/**
 * Returns the number of the turn that a call of a step asks for, from 1; undefined if the step is
 * undefined or asks for no turns.
 */
export function turnOf(
  step: Pick<ModelStep<never, unknown>, 'transcript'> | undefined,
  input: unknown,
): number | undefined {
  return step && asksForTurn(step) ? (input as TurnPlace).turn : undefined;
}

/** The declaration of a step that asks for a turn. */
interface DeclaredTurn<I extends TurnInput>
  extends Pick<ModelStep<I, Turn>, 'name' | 'prompt' | 'maxTokens'>,
    Partial<Pick<ModelStep<I, Turn>, 'keepsThinking' | 'sampling' | 'variables'>> {
  protocol: Protocol | ((input: I) => Protocol);
}

/**
 * Returns the declaration of a step that asks a model for the next turn. Its prompt must end in
 * {{soFar}}, and may contain {{form}} on a line of its own, which becomes a description of the
 * JSON if the output form is "schema". If the output stays unreadable, the turn has no action.
 *
 * @param declared The first action of the protocol's form must be the one after which a question
 * costs the most, for dry runs.
 */
export function turnStep<I extends TurnInput>({
  protocol,
  ...declared
}: DeclaredTurn<I>): ModelStep<I, Turn> {
  const of = (input: I) => (typeof protocol === 'function' ? protocol(input) : protocol);
  return defineStep<I, Turn>({
    ...declared,
    label: ({ turn, added }) => `turn ${turn}${behind(added)}`,
    passages: ({ added }) => added.flatMap((one) => ('found' in one ? one.found : [])),
    transcript: {
      of: ({ soFar }) => soFar,
      added: (input, passages) => addedText(of(input), input.added, passages),
    },
    stop: (input) => of(input).form.stop,
    output: (input) => turnOutput(of(input)),
    fallback: ({ text }) => ({ thought: thoughtOf(text), action: null, written: text.trimEnd() }),
    costliest(longest, input) {
      const [first = 'answer'] = of(input).form.actions;
      const action = { name: input.last ? 'answer' : first, argument: longest };
      return { thought: '', action, written: longest };
    },
    oracle(input, gold) {
      const results = input.added.flatMap((one) => ('result' in one ? [one.result] : []));
      return fromShownAnswer(gold, (answer) => answering(of(input), answer), results);
    },
  });
}

function answering({ form }: Protocol, answer: string): Turn {
  const action = { name: 'answer', argument: answer };
  return { thought: '', action, written: form.write('', action) };
}

/**
 * Returns the additions before a turn in a few words for its label; a search has a row of its own.
 */
function behind(added: readonly TranscriptAddition[]): string {
  const parts = added.flatMap((one) => {
    if ('found' in one) return one.found.length === 0 ? ['nothing found'] : [];
    return 'notice' in one ? [one.notice] : ['a result'];
  });
  return parts.length === 0 ? '' : `, behind ${shortened(parts.join(', '), LONGEST_LABEL)}`;
}

/**
 * Returns the text that additions append to a transcript, as a protocol formats them.
 *
 * @param passages Passages by which ids in the additions are replaced. An id without a passage here
 * is skipped.
 */
export function addedText(
  { found, result, notices }: Protocol,
  added: readonly TranscriptAddition[],
  passages: readonly Passage[],
): string {
  const texts = new Map(passages.map((passage) => [passage.id, passage]));
  return added
    .map((one) => {
      if ('found' in one) {
        return found(
          one.found.flatMap((id) => texts.get(id) ?? []),
          one.lookup,
        );
      }
      if ('result' in one) return result(one.result);
      return 'notice' in one ? (notices[one.notice] ?? '') : one.written;
    })
    .join('');
}

/** Maximum length of a thought in a history, in characters. */
const THOUGHT = 80;

function thoughtOf(text: string): string {
  return shortened(text.replace(/<\/?think>/g, ' '), THOUGHT);
}

function turnOutput(protocol: Protocol): Output<Turn> {
  const { form, inPassing } = protocol;
  return {
    schema: objectSchema({
      thought: { type: 'string' },
      action: { type: 'string', enum: [...form.actions] },
      argument: { type: 'string' },
    }),
    form: form.form,
    read(output) {
      // A reply without a word is a fault of the endpoint, not the end of the turns.
      if (!hasWords(output.text) && output.behind === undefined) return undefined;
      const turn = inMembers(form, output) ?? form.read(output);
      if (!turn) return undefined;
      const action = actionOf(protocol, turn.action, output);
      const boxed = action?.name === 'answer' ? undefined : inPassing?.(turn.thought);
      const named = boxed && answerFromLine(boxed, output);
      return {
        thought: thoughtOf(turn.thought),
        action,
        written: turn.written,
        ...(named && { answerInPassing: named }),
        ...((turn.wroteOn || hasWords(output.behind ?? '')) && { wroteOn: true }),
      };
    },
  };
}

/**
 * Returns the action as it is carried out: an answer as one line, another argument as it was
 * written. Null if the argument has neither letters nor digits.
 */
function actionOf(
  { answer, argument: cleaned }: Protocol,
  action: TurnAction | null,
  output: ModelOutput,
): TurnAction | null {
  if (!action) return null;
  const { name, argument: written } = action;
  if (name !== 'answer') {
    const argument = (cleaned ? cleaned(written) : written).trim();
    return hasWords(argument) ? { name, argument } : null;
  }
  const line = ((answer ? answer(written) : written) ?? '').replace(/\s+/g, ' ').trim();
  const argument = answerFromLine(line, output);
  return argument !== undefined && hasWords(argument) ? { name, argument } : null;
}

/** Reads a turn from JSON; returns undefined if the output is not JSON of the schema. */
function inMembers(form: TurnForm, output: ModelOutput): ReadTurn | undefined {
  const [thought, name, argument] = jsonMembers(output, ['thought', 'action', 'argument']) ?? [];
  if (!form.actions.some((one) => one === name)) return undefined;
  const text = typeof argument === 'string' ? argument : JSON.stringify(argument ?? '');
  const said = { name: String(name), argument: text };
  const words = String(thought ?? '');
  return { thought: words, action: said, written: form.write(words, said) };
}

/**
 * Returns a thought followed by its action on the next line; only the action if the thought is
 * empty.
 */
export function thoughtWithAction(thought: string, action: string): string {
  return thought === '' ? action : `${thought}\n${action}`;
}

/** The texts before and after an action in an output, such as `<search>` and `</search>`. */
export type Marks = readonly [open: string, close: string];

/**
 * Returns the form of turns whose actions are between marks, such as `<search> query </search>`.
 * The last action that is open at the end of the text is read, since its closing mark is a stop
 * text.
 *
 * @param marks Opening and closing mark by the name of the action.
 * @param opens Whether the argument begins after the first or the last opening mark of the action.
 */
export function inMarks(
  marks: Readonly<Record<string, Marks>>,
  opens: 'first' | 'last' = 'last',
): TurnForm {
  const all = Object.entries(marks).map(([name, [open, close]]) => ({ name, open, close }));
  return {
    actions: all.map(({ name }) => name),
    stop: all.map(({ close }) => close),
    form: all.map(({ name, open, close }) => `${open} ${name} ${close}`).join(' or '),
    write(thought, { name, argument }) {
      const [open, close] = marks[name] ?? ['', ''];
      return thoughtWithAction(thought, `${open} ${argument} ${close}`);
    },
    read({ text, cut }) {
      if (cut) return undefined;
      const lastOf = ({ open }: { open: string }) => text.lastIndexOf(open);
      const [opened] = all
        .filter((one) => lastOf(one) >= 0)
        .sort((one, other) => lastOf(other) - lastOf(one));
      const kept = text.trimEnd();
      if (!opened) return { thought: text, action: null, written: kept };
      const { name, open, close } = opened;
      const at = opens === 'first' ? text.indexOf(open) : lastOf(opened);
      const argument = text.slice(at + open.length).trim();
      return {
        thought: text.slice(0, at),
        action: { name, argument },
        written: `${kept}${close}`,
      };
    },
  };
}

/** A turn whose action is on a line of its own. */
interface InLine {
  thought: string;
  /** The line of the action; empty if there is none. */
  line: string;
  action: TurnAction | null;
  wroteOn: boolean;
}

/**
 * Returns the turn in an output up to its first line with an action: the text before that line
 * (`thought`), the `line`, its `action`, and whether text follows (`wroteOn`). If no line has an
 * action, the thought is the whole text and the action null. Undefined if the output was cut
 * before the end of that line.
 *
 * @param actionIn Returns the action on a line; undefined if there is none.
 */
export function upToAction(
  { text, cut }: ModelOutput,
  actionIn: (line: string) => TurnAction | undefined,
): InLine | undefined {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => actionIn(line) !== undefined);
  // The last line of a cut text may be unfinished.
  if (cut && (at < 0 || at === lines.length - 1)) return undefined;
  const before = at < 0 ? lines : lines.slice(0, at);
  const line = lines[at] ?? '';
  return {
    thought: before.join('\n'),
    line,
    action: actionIn(line) ?? null,
    wroteOn: at >= 0 && hasWords(lines.slice(at + 1).join('\n')),
  };
}

/**
 * Returns the form of turns whose actions are lines with a label, such as "Search: the query". The
 * first such line is read.
 *
 * @param labels Label by the name of the action.
 */
export function inLines(labels: Readonly<Record<string, string>>): TurnForm {
  const all = Object.entries(labels);
  const patterns = all.map(([name, label]) => {
    const said = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // A label may be in a list, and in bold print: "- **Search:** the query".
    return { name, label: new RegExp(`^[^\\p{L}\\p{N}]{0,6}${said} ?:[*_]{0,3} *`, 'iu') };
  });
  const actionIn = (line: string): TurnAction | undefined => {
    const text = unwrapLine(line);
    for (const { name, label } of patterns) {
      const [said] = label.exec(text) ?? [];
      if (said !== undefined) return { name, argument: text.slice(said.length) };
    }
    return undefined;
  };
  return {
    actions: all.map(([name]) => name),
    stop: [],
    form: `a line that begins with ${all.map(([, label]) => `"${label}:"`).join(' or ')}`,
    write: (thought, { name, argument }) =>
      thoughtWithAction(thought, `${labels[name]}: ${argument}`),
    read(output) {
      const turn = upToAction(output, actionIn);
      if (!turn) return undefined;
      const { thought, line, action, wroteOn } = turn;
      const written = action ? thoughtWithAction(thought, line) : thought;
      return { thought, action, written: written.trimEnd(), wroteOn };
    },
  };
}

/**
 * Returns a protocol of turns in the given form, which appends passages and results to the
 * transcript in `<result>` tags, and a notice ("unread") if no action could be read.
 */
export function inResults(form: TurnForm): Protocol {
  const result = (text: string) =>
    `\n<result>\n${text.replaceAll(/<\/?result>/gi, '')}\n</result>\n`;
  return {
    form,
    found: (passages) =>
      result(
        passages.length === 0
          ? 'Nothing was found.'
          : passages.map(({ title, text }, i) => `[${i + 1}] ${title}: ${text}`).join('\n'),
      ),
    result,
    notices: { unread: `\n<result>\nNo action could be read. Write ${form.form}.\n</result>\n` },
  };
}
