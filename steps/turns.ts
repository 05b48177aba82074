/**
 * Turns of a model that thinks, and searches or uses other tools in between: how a turn is asked,
 * written and read. A turn ends in an action, whose result is put behind it, or in an answer. Pure.
 */
import { shortened } from '../core/shortened.js';
import type { Passage } from '../core/vocabulary.js';
import { defineStep, LABEL, type ModelStep } from './define.js';
import { ifShown } from './oracles.js';
import { type ModelOutput, type Output, objectSchema } from './outputs/output.js';
import { membersOf, says } from './outputs/plain.js';
import { answerIn } from './outputs/short-answer.js';

/** What a turn asks for. The action "answer" ends the turns. */
export interface TurnAction {
  name: string;
  /** The query, the expression, the answer. */
  argument: string;
}

/** One turn of a model that acts: its thought and its action. */
export interface Turn {
  /**
   * What the model thought before its action, as one line, shortened: all of it is in the reply.
   */
  thought: string;
  /** The action; null if none could be read. */
  action: TurnAction | null;
  /** The key of the text so far, which ends in this turn; null while nothing is written. */
  soFar?: string | null;
  /** What the turn wrote, in an output that no worker has kept: what somebody says it gave. */
  written?: string;
  /** An answer that it named, though it asked for something else. */
  answerInPassing?: string;
  /** Set if the model wrote on behind its action: that is left out. */
  wroteOn?: true;
}

/** A lookup of a word in a passage: which of the sentences with the word is wanted. */
export interface Lookup {
  word: string;
  /** Position of the sentence among those with the word, from 0. */
  nth: number;
}

/** Addition to the text so far, before the next turn. */
export type Added =
  /** Passages that a search found, by id; or where a word is looked up in them. */
  | { found: string[]; lookup?: Lookup }
  /** What a step gave: an extract, the result of a calculation. */
  | { result: string }
  /** One of the notices that the protocol declares. */
  | { notice: string }
  /** A turn that no worker has kept. */
  | { written: string };

/** Position of a turn: the input of every turn besides the question. */
export interface TurnPlace {
  /** Key of the text so far; null at the beginning. */
  soFar: string | null;
  /** Additions to that text before the turn. */
  added: Added[];
  /** Number of the turn, from 1. */
  turn: number;
  /** Set if no turn follows. */
  last?: true;
}

/** What a step that asks for a turn is given. */
export interface TurnInput extends TurnPlace {
  question: string;
}

/** A turn as it was read. */
interface ReadTurn {
  thought: string;
  action: TurnAction | null;
  /** What is kept of it, up to the end of its action. */
  written: string;
  /** Whether something stands behind its action, though no stop text does. */
  wroteOn?: boolean;
}

/** The form of a turn: how its action is marked. */
export interface TurnForm {
  /** The names of the actions; one of them is "answer". */
  actions: readonly string[];
  /** Texts at which the model stops. */
  stop: readonly string[];
  /** Description of the form in one line, for people. */
  form: string;
  /** Reads a text up to the first stop text; undefined if it was cut off before its end. */
  read(output: ModelOutput): ReadTurn | undefined;
  /** Writes a turn in this form. */
  write(thought: string, action: TurnAction): string;
}

/** How turns are written, and what is put behind them. */
export interface Protocol {
  form: TurnForm;
  /** Returns passages as they are put behind the search that found them. */
  found(passages: readonly Passage[], lookup?: Lookup): string;
  /** Returns a result as it is put behind the action that gave it. */
  result(text: string): string;
  /** What is told in place of a result, by name. */
  notices: Readonly<Record<string, string>>;
  /** Returns the answer in the argument of "answer"; the argument itself when left out. */
  answer?(argument: string): string | undefined;
  /** Returns the argument of another action, as it is carried out; unchanged when left out. */
  argument?(argument: string): string;
  /** Returns an answer that a turn names before its action, if there may be one. */
  inPassing?(thought: string): string | undefined;
}

/** Returns the number of the turn that a call of a step asks for; undefined if it asks for none. */
export function turnOf(
  step: Pick<ModelStep<never, unknown>, 'transcript'> | undefined,
  input: unknown,
): number | undefined {
  return step?.transcript?.added ? (input as TurnPlace).turn : undefined;
}

/** What is declared of a step that asks for a turn. */
interface DeclaredTurn<I extends TurnInput>
  extends Pick<ModelStep<I, Turn>, 'name' | 'prompt' | 'maxTokens'>,
    Partial<Pick<ModelStep<I, Turn>, 'keepsThinking' | 'sampling' | 'variables'>> {
  protocol: Protocol | ((input: I) => Protocol);
}

/**
 * Declares a step that asks for the next turn. Its prompt ends in {{soFar}}, and may have {{form}}
 * on a line of its own, where an output held to a schema is asked for.
 *
 * @param declared The first action of the protocol's form is the one after which a question takes
 * the most.
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
      return ifShown(gold, (answer) => answering(of(input), answer), results);
    },
  });
}

function answering({ form }: Protocol, answer: string): Turn {
  const action = { name: 'answer', argument: answer };
  return { thought: '', action, written: form.write('', action) };
}

/** Returns what stands behind the turn before, in a few words; a search has a row of its own. */
function behind(added: readonly Added[]): string {
  const parts = added.flatMap((one) => {
    if ('found' in one) return one.found.length === 0 ? ['nothing found'] : [];
    return 'notice' in one ? [one.notice] : ['a result'];
  });
  return parts.length === 0 ? '' : `, behind ${shortened(parts.join(', '), LABEL)}`;
}

function addedText(
  { found, result, notices }: Protocol,
  added: readonly Added[],
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

/** The longest thought that stands in a history. */
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
      if (!says(output.text) && output.behind === undefined) return undefined;
      const turn = inMembers(form, output) ?? form.read(output);
      if (!turn) return undefined;
      const action = actionOf(protocol, turn.action, output);
      const boxed = action?.name === 'answer' ? undefined : inPassing?.(turn.thought);
      const named = boxed && answerIn(boxed, output);
      return {
        thought: thoughtOf(turn.thought),
        action,
        written: turn.written,
        ...(named && { answerInPassing: named }),
        ...((turn.wroteOn || says(output.behind ?? '')) && { wroteOn: true }),
      };
    },
  };
}

/** Returns the action with its argument as one line; null where it says nothing. */
function actionOf(
  { answer, argument: cleaned }: Protocol,
  action: TurnAction | null,
  output: ModelOutput,
): TurnAction | null {
  if (!action) return null;
  const { name } = action;
  const reader = name === 'answer' ? answer : cleaned;
  const said = reader ? reader(action.argument) : action.argument;
  const line = (said ?? '').replace(/\s+/g, ' ').trim();
  const argument = name === 'answer' ? answerIn(line, output) : line;
  return argument !== undefined && says(argument) ? { name, argument } : null;
}

/** Reads a turn that is held to the schema. */
function inMembers(form: TurnForm, output: ModelOutput): ReadTurn | undefined {
  const [thought, name, argument] = membersOf(output, ['thought', 'action', 'argument']) ?? [];
  if (!form.actions.some((one) => one === name)) return undefined;
  const said = { name: String(name), argument: String(argument ?? '') };
  const words = String(thought ?? '');
  return { thought: words, action: said, written: form.write(words, said) };
}

/** The texts that open and close an action in an output. */
export type Marks = readonly [open: string, close: string];

/**
 * Actions between marks, as `<search> query </search>`. Of a text with several the one counts that
 * is open where the first is closed; one that is still open at the end counts as closed, since
 * endpoints take a stop text off.
 *
 * @param marks By the name of the action.
 * @param opens Which of the marks that open this action its argument begins behind.
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
      return `${thought}${thought === '' ? '' : '\n'}${open} ${argument} ${close}`;
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

/** A text whose action stands in a line of its own. */
interface InLine {
  thought: string;
  /** The line of the action; empty without one. */
  line: string;
  action: TurnAction | null;
  wroteOn: boolean;
}

/**
 * Returns a text up to its first line with an action; undefined if it was cut off before the end of
 * that line.
 *
 * @param actionIn Returns the action of a line; undefined for a line of the thought.
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
    wroteOn: at >= 0 && says(lines.slice(at + 1).join('\n')),
  };
}

/**
 * Actions in lines that begin with a label, as "Search: the query". The first such line counts.
 *
 * @param labels By the name of the action.
 */
export function inLines(labels: Readonly<Record<string, string>>): TurnForm {
  const all = Object.entries(labels);
  const actionIn = (line: string): TurnAction | undefined => {
    const said = line.trim();
    const labelled = all.find(([, label]) =>
      said.toLowerCase().startsWith(`${label.toLowerCase()}:`),
    );
    if (!labelled) return undefined;
    const [name, label] = labelled;
    return { name, argument: said.slice(label.length + 1) };
  };
  return {
    actions: all.map(([name]) => name),
    stop: [],
    form: `a line that begins with ${all.map(([, label]) => `"${label}:"`).join(' or ')}`,
    write: (thought, { name, argument }) => `${thought}\n${labels[name]}: ${argument}`,
    read(output) {
      const turn = upToAction(output, actionIn);
      if (!turn) return undefined;
      const { thought, line, action, wroteOn } = turn;
      const written = [thought, ...(action ? [line] : [])].join('\n');
      return { thought, action, written: written.trimEnd(), wroteOn };
    },
  };
}

/**
 * Returns a protocol that puts passages and results between `<result>` tags, which none of them can
 * close, and says where an action could not be read (the notice "unread").
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
