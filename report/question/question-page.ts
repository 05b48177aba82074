/** A question in the report, over all runs: its page, and its line in the list. */

import type { Citation } from '../../core/citations.js';
import { Failure } from '../../core/failure.js';
import type { MethodRegistry } from '../../core/method-registry.js';
import { hasAnswer } from '../../core/normalize-answer.js';
import type { Section } from '../../core/section.js';
import { shortened } from '../../core/shortened.js';
import { goldAnswers } from '../../evaluation/gold-answers.js';
import { callFigures } from '../../evaluation/runs/call-figures.js';
import { forkPairs, isChanged } from '../../evaluation/runs/fork-accounts.js';
import { type ShownMark, shownMark } from '../../evaluation/runs/marked.js';
import { outcomeOf, stateOf } from '../../evaluation/runs/question-state.js';
import { failureOf } from '../../evaluation/runs/run-figures.js';
import type { JoinedQuestion } from '../../evaluation/runs/run-source.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { Mark, RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import type { IndexCell, IndexRow } from '../page-data.js';
import { sectionsOf } from '../views/default.js';
import { accountSections, type Fact, factsOf, failureSections } from './account.js';
import { callSections } from './call-sections.js';
import { type Passages, passagesIn, type ReadTexts, readShownPassages } from './passage-texts.js';
import { type SideBySide, sideBySide } from './side-by-side.js';

/**
 * The contents of the page of a question: the question with its accepted answers, its passages, a
 * panel for each run, and each fork beside its parent run.
 */
export interface QuestionPage extends Passages {
  id: string;
  question: string;
  answers: string[];
  /** Panels by run; null if the run has no answer to it (yet). */
  runs: (RunPanel | null)[];
  /** Each fork beside its parent run, if they differ. */
  sides: SideBySide[];
}

/**
 * The part of a question's page about one run: its answer, the answer's figures and sections, and
 * a person's verdict.
 */
export interface RunPanel {
  /** right, wrong, unknown, unreadable or failed. */
  state: string;
  answer: CitedText;
  /**
   * Time at which the question ended (ISO 8601), which identifies the answer that a mark is about.
   */
  endedAt: string;
  /** A person's verdict; absent if there is none. */
  mark?: ShownMark;
  /** Scores, calls, tokens and the like. */
  facts: Fact[];
  sections: Section[];
}

/**
 * The text of an answer, in which [1], [2], ... cite passages, and `cites`: each cited number with
 * the id of its passage; left out if nothing is cited.
 */
export interface CitedText {
  text: string;
  /** The passages that [1], [2], ... refer to. */
  cites?: Citation[];
}

/** Options of `questionPage`: people's verdicts, and whether the calls are listed. */
export interface PageParts {
  /** Verdicts of people by question id, one map for each run. */
  marks?: readonly ReadonlyMap<string, Mark>[];
  /** Whether the calls are listed. @default false */
  hasCalls?: boolean;
}

/** Returns the contents of a question's page, with the texts of its passages. */
export async function questionPage(
  manifests: readonly RunManifest[],
  { question, answers }: Pick<JoinedQuestion, 'question' | 'answers'>,
  readTexts: ReadTexts,
  methods: MethodRegistry,
  { marks = [], hasCalls = false }: PageParts = {},
): Promise<QuestionPage> {
  const panels = answers.map((answer, run) =>
    answer && manifests[run]
      ? panelOf(answer, marks[run]?.get(question.id), manifests[run], methods, hasCalls)
      : null,
  );
  const accepted = question.answers;
  const isContained = CONTAINED.has(question.answerKind) && accepted.length > 0;
  const named = panels.map((panel) => [
    ...passagesIn(panel?.run.sections.flatMap(({ blocks }) => blocks)),
    ...(panel?.run.answer.cites ?? []).map(({ passage: id }) => ({
      id,
      title: '',
      wantsText: true,
    })),
  ]);
  const isHit = (text: string) => isContained && hasAnswer(text, accepted);
  return {
    id: question.id,
    question: question.question,
    answers: goldAnswers(question),
    ...(await readShownPassages(manifests, named, readTexts, isHit)),
    runs: panels.map((panel) => panel?.run ?? null),
    sides: forkPairs(manifests).flatMap((pair) => {
      const [before, after] = [panels[pair.parent], panels[pair.fork]];
      return (before && after && sideBySide(pair, before.story, after.story)) || [];
    }),
  };
}

/** Answer kinds that can be found in a passage. */
const CONTAINED: ReadonlySet<RunQuestion['answerKind']> = new Set(['span', 'list', 'long']);

function panelOf(
  answer: RunAnswer,
  said: Mark | undefined,
  manifest: RunManifest,
  methods: MethodRegistry,
  hasCalls: boolean,
): { run: RunPanel; story: Section[] } {
  const { result } = answer;
  const { metrics: own } = manifest;
  const mark = shownMark(answer, said, own);
  const story = [...failureSections(answer), ...(result ? sectionsOf(result, methods) : [])];
  const run = {
    state: stateOf(answer, own),
    endedAt: answer.endedAt,
    ...(mark && { mark }),
    answer: answerOf(answer, methods),
    facts: factsOf(answer, manifest),
    sections: [...story, ...(hasCalls ? keptCalls(answer) : []), ...accountSections(answer, own)],
  };
  return { run, story };
}

/** Returns a folded section with the calls of an answer; empty if their records are damaged. */
function keptCalls(answer: RunAnswer): Section[] {
  try {
    const calls = callSections(callFigures(callsOf(answer) ?? []));
    return calls.map((one) => ({ ...one, closed: true }));
  } catch (error) {
    if (error instanceof Failure && error.type === 'Damaged') return [];
    throw error;
  }
}

/** Returns the answer with its citations, or a text that says why there is none. */
function answerOf(answer: RunAnswer, methods: MethodRegistry): CitedText {
  if (outcomeOf(answer) !== 'answered') return { text: withoutAnswer(answer) };
  const text = answer.result?.answer ?? '';
  const { method = '', chain = null } = answer.result ?? {};
  const cites = methods.get(method)?.cites !== undefined;
  const { citations = [] }: { citations?: Citation[] } = cites ? Object(chain) : {};
  return citations.length === 0 ? { text } : { text, cites: citations };
}

function withoutAnswer(answer: RunAnswer): string {
  const outcome = outcomeOf(answer);
  if (outcome === 'unknown') return 'does not know';
  return outcome === 'unreadable' ? 'could not be read' : failureOf(answer).type;
}

/** Maximum number of characters of a text in the list. */
const SHOWN = 160;

/**
 * Returns the row of a question in the list of questions, with shortened texts and at most five
 * accepted answers.
 *
 * @param dataSets Hashes of the data sets, in the order in which they are shown.
 */
export function indexRow(
  manifests: readonly RunManifest[],
  { question, answers, data: content }: JoinedQuestion,
  dataSets: readonly string[],
): IndexRow {
  const data = Math.max(0, dataSets.indexOf(content));
  const isOther = forkPairs(manifests).some(({ fork, parent }) => {
    const [before, after] = [answers[parent], answers[fork]];
    return before && after && isChanged(before, after);
  });
  const states = answers.map((answer, run) => answer && stateOf(answer, manifests[run]?.metrics));
  const right = states.filter((state) => state === 'right').length;
  const ended = states.filter((state) => state !== undefined).length;
  // Half a character is not allowed in an address.
  const id = question.id.replace(/\p{Surrogate}/gu, '�');
  return {
    ...(isOther && { changed: true }),
    id,
    key: dataSets.length > 1 ? `${data + 1}:${id}` : id,
    data,
    split: Math.min(right, ended - right),
    question: shortened(question.question, SHOWN),
    answers: goldAnswers(question)
      .slice(0, 5)
      .map((one) => shortened(one, SHOWN)),
    runs: answers.map((answer, run): IndexCell | null => {
      if (!answer) return null;
      const text = outcomeOf(answer) === 'answered' ? answer.result?.answer : undefined;
      return {
        state: states[run] ?? 'failed',
        answer: shortened(text ?? withoutAnswer(answer), SHOWN),
      };
    }),
  };
}
