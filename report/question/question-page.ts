/** A question in the report, over all runs: its page, and its line in the list. */

import type { Citation } from '../../core/citations.js';
import { hasAnswer } from '../../core/has-answer.js';
import type { MethodRegistry } from '../../core/registry.js';
import type { Section } from '../../core/section.js';
import { goldAnswers } from '../../evaluation/gold-answers.js';
import { forkPairs, isChanged } from '../../evaluation/runs/fork-accounts.js';
import { outcomeOf, stateOf } from '../../evaluation/runs/question-state.js';
import { failureOf } from '../../evaluation/runs/run-figures.js';
import type { JoinedQuestion } from '../../evaluation/runs/run-source.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import type { CitedText, IndexCell, IndexRow, QuestionPage, RunPanel } from '../page-data.js';
import { mapPassages } from '../views/map-passages.js';
import { sectionsOf } from '../views/sections-of.js';
import { accountSections, factsOf, failureSections } from './account.js';
import { PassageIndex, type PlacePassage, type ReadTexts } from './passage-texts.js';
import { sideBySide } from './side-by-side.js';

export async function questionPage(
  manifests: readonly RunManifest[],
  { question, answers }: Pick<JoinedQuestion, 'question' | 'answers'>,
  readTexts: ReadTexts,
  methods: MethodRegistry,
): Promise<QuestionPage> {
  const index = new PassageIndex(manifests);
  const panels = answers.map((answer, run) =>
    answer && manifests[run]
      ? panelOf(answer, manifests[run].metrics, index.forRun(run), methods)
      : null,
  );
  const accepted = question.answers;
  const isContained = CONTAINED.has(question.answerKind) && accepted.length > 0;
  return {
    id: question.id,
    question: question.question,
    answers: goldAnswers(question),
    passages: await index.read(readTexts, (text) => isContained && hasAnswer(text, accepted)),
    runs: panels.map((panel) => panel?.run ?? null),
    sides: forkPairs(manifests).flatMap((pair) => {
      const [before, after] = [panels[pair.parent], panels[pair.fork]];
      return (before && after && sideBySide(pair, before.story, after.story)) || [];
    }),
  };
}

/** Kinds of answers that a passage can hold. */
const CONTAINED: ReadonlySet<RunQuestion['answerKind']> = new Set(['span', 'list', 'long']);

function panelOf(
  answer: RunAnswer,
  own: RunManifest['metrics'],
  place: PlacePassage,
  methods: MethodRegistry,
): { run: RunPanel; story: Section<number>[] } {
  const { result } = answer;
  const story = placed(
    [...failureSections(answer), ...(result ? sectionsOf(result, methods) : [])],
    place,
  );
  const run = {
    state: stateOf(answer, own),
    answer: answerOf(answer, place, methods),
    facts: factsOf(answer, own),
    sections: [...story, ...placed(accountSections(answer, own), place)],
  };
  return { run, story };
}

/** Of longer lists only the first have their texts. */
const TEXTS = 20;

function placed(sections: readonly Section[], place: PlacePassage): Section<number>[] {
  return mapPassages(sections, ({ passage, titleOnly = false }, rank) =>
    place(passage, !titleOnly && rank < TEXTS),
  );
}

/** Returns the answer with what it cites, or what stands in its place. */
function answerOf(answer: RunAnswer, place: PlacePassage, methods: MethodRegistry): CitedText {
  if (outcomeOf(answer) !== 'answered') return { text: withoutAnswer(answer) };
  const text = answer.result?.answer ?? '';
  const { method = '', chain = null } = answer.result ?? {};
  const cites = methods.get(method)?.cites !== undefined;
  const { citations = [] }: { citations?: Citation[] } = cites ? Object(chain) : {};
  if (citations.length === 0) return { text };
  const cited = citations.map(({ number, passage }) => ({ number, at: place({ id: passage }) }));
  return { text, cites: cited };
}

/** Returns what stands where there is no answer. */
function withoutAnswer(answer: RunAnswer): string {
  const outcome = outcomeOf(answer);
  if (outcome === 'unknown') return 'does not know';
  return outcome === 'unreadable' ? 'could not be read' : failureOf(answer).type;
}

/** The most of a text that a list shows. */
const SHOWN = 160;

/**
 * Returns the question's line in the list.
 *
 * @param dataSets contents of the data sets, in the order shown.
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
    ...{ id, key: dataSets.length > 1 ? `${data + 1}:${id}` : id, data },
    split: Math.min(right, ended - right),
    question: shortened(question.question),
    answers: goldAnswers(question).slice(0, 5).map(shortened),
    runs: answers.map((answer, run): IndexCell | null => {
      if (!answer) return null;
      const text = outcomeOf(answer) === 'answered' ? answer.result?.answer : undefined;
      return {
        state: states[run] ?? 'failed',
        answer: shortened(text ?? withoutAnswer(answer)),
      };
    }),
  };
}

function shortened(text: string): string {
  return text.length <= SHOWN
    ? text
    : `${text.slice(0, SHOWN - 1).replace(/[\s\uD800-\uDBFF]+$/, '')}…`;
}
