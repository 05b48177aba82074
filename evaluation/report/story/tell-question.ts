/** The story of a question over all runs: what its page in the report shows. */

import type { RunAnswer, RunManifest, RunQuestion } from '../../../results/run-store.js';
import { hasAnswer } from '../../has-answer.js';
import { outcomeOf, stateOf } from '../../runs/question-state.js';
import { failureOf } from '../../runs/run-figures.js';
import type { JoinedQuestion } from '../../runs/run-source.js';
import type {
  CitedText,
  IndexCell,
  IndexRow,
  PassageText,
  QuestionStory,
  RunStory,
} from '../page-data.js';
import { accountSections, factsOf, failureSections } from './account.js';
import { methodStory } from './method-stories.js';
import type { Teller } from './parts.js';
import { citedAnswerOf } from './reading.js';
import { type PlacePassage, Shelf } from './shelf.js';

/**
 * Texts of passages by id, of those there are; a passage without one is shown by its title.
 *
 * @param run whose corpus the ids are of, or which stored them.
 */
export type ReadTexts = (
  run: RunManifest,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

export async function tellQuestion(
  manifests: readonly RunManifest[],
  { question, answers }: JoinedQuestion,
  readTexts: ReadTexts,
): Promise<QuestionStory> {
  const shelf = new Shelf();
  const runs = answers.map((answer, run) => {
    const manifest = manifests[run];
    return answer && manifest ? tellRun(answer, shelf.forRun(manifest, run)) : null;
  });
  const passages = await withTexts(manifests, shelf, question, readTexts);
  return {
    id: question.id,
    question: question.question,
    answers: namesOf(question),
    passages,
    runs,
  };
}

function tellRun(answer: RunAnswer, place: PlacePassage): RunStory {
  const { result } = answer;
  const teller: Teller = { answer: result?.answer ?? null, place };
  return {
    state: stateOf(answer),
    answer: answerOf(answer, teller),
    facts: factsOf(answer),
    sections: [
      ...failureSections(answer),
      ...(result ? methodStory(result.method, result.chain, teller) : []),
      ...accountSections(answer),
    ],
  };
}

function answerOf(answer: RunAnswer, teller: Teller): CitedText {
  return outcomeOf(answer) === 'answered'
    ? citedAnswerOf(answer.result?.chain, teller)
    : { text: withoutAnswer(answer) };
}

/** What stands where there is no answer. */
function withoutAnswer(answer: RunAnswer): string {
  const outcome = outcomeOf(answer);
  if (outcome === 'unknown') return 'does not know';
  return outcome === 'unreadable' ? 'could not be read' : failureOf(answer).type;
}

async function withTexts(
  manifests: readonly RunManifest[],
  { placed }: Shelf,
  { answers, answerKind }: RunQuestion,
  readTexts: ReadTexts,
): Promise<PassageText[]> {
  const texts = await Promise.all(
    manifests.map((manifest, run) => {
      const ids = placed.filter((passage) => passage.run === run && passage.wantsText);
      return ids.length === 0
        ? new Map<string, string>()
        : readTexts(
            manifest,
            ids.map(({ id }) => id),
          );
    }),
  );
  const isContained = answerKind === 'span' || answerKind === 'list' || answerKind === 'long';
  return placed.map(({ id, title, run, wantsText }) => {
    const text = wantsText ? (texts[run]?.get(id) ?? null) : null;
    const hit = isContained && text !== null && answers.length > 0 && hasAnswer(text, answers);
    return { id, title, text, hit };
  });
}

/** Accepted answers, or what a long answer should say. */
function namesOf({ answers, answerGroups, longAnswers, claims }: RunQuestion): string[] {
  if (answerGroups) return answerGroups.map((names) => names.join(' / '));
  return answers.length > 0 ? answers : (longAnswers ?? claims ?? []);
}

/** A list shows no more of a text than this. */
const SHOWN = 160;

/** The question's line in the list. */
export function indexRow({ question, answers }: JoinedQuestion): IndexRow {
  return {
    // Half a character cannot stand in an address.
    id: question.id.replace(/\p{Surrogate}/gu, '�'),
    question: shortened(question.question),
    answers: namesOf(question).slice(0, 5).map(shortened),
    runs: answers.map((answer): IndexCell | null => {
      if (!answer) return null;
      const text = outcomeOf(answer) === 'answered' ? answer.result?.answer : undefined;
      return { state: stateOf(answer), answer: shortened(text ?? withoutAnswer(answer)) };
    }),
  };
}

function shortened(text: string): string {
  return text.length <= SHOWN
    ? text
    : `${text.slice(0, SHOWN - 1).replace(/[\s\uD800-\uDBFF]+$/, '')}…`;
}
