/**
 * Finds the questions of half A whose right answer was lost at a step of the start, to show them to
 * the writer of new prompts.
 */
import { hasAnswer } from '../../core/normalize-answer.js';
import { shortened } from '../../core/shortened.js';
import type { LostQuestion } from '../../core/tune/proposals.js';
import { runOfStart } from '../../core/tune/tune-runs.js';
import { isRightBy } from '../../evaluation/runs/question-state.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { findAnswerLoss } from '../../interpreters/blame.js';
import { type ReplaySources, reconstructQuestion } from '../../interpreters/explained.js';
import { answerWithPerfectSteps, type ReplayedQuestion } from '../../interpreters/replay.js';
import { variablesOf } from '../../steps/define.js';
import { isImperfect, passagesShown } from '../../steps/perfect.js';
import { stepNamed } from '../../steps/table.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import type { FinishedCall } from '../../workflows/algorithm.js';
import { passageTexts } from '../run/passage-texts.js';
import type { Ports } from '../runtime/ports.js';
import type { OpenedTune, TunePorts } from './opened-tune.js';

/**
 * Largest number of questions lost at a step that the model or action that writes prompts is
 * shown. A question is lost at a step if its right answer is.
 */
export const MOST_LOST = 5;

/**
 * Maximum number of characters of the input of a step, and of its output, in the text about a
 * question.
 */
const [MOST_SHOWN, MOST_WROTE] = [2000, 600];

/** Assumed largest length of the text about one lost question, in characters. */
export const LOST_QUESTION_CHARACTERS = MOST_SHOWN + MOST_WROTE + 1000;

/** A question whose right answer was lost at a step, with the call of that step that lost it. */
export interface LostWithCall {
  call: FinishedCall;
  question: LostQuestion;
}

/**
 * Returns, by step, the questions of half A whose right answer was lost at it: the first
 * `MOST_LOST` for each of the wanted steps, in the order in which they are asked. Only questions
 * with a known reason count; see `explain`. Makes no model call.
 *
 * @param ids Ids of the questions of half A, in the order in which they are asked.
 */
export async function lostQuestions(
  opened: OpenedTune,
  ids: readonly string[],
  wanted: readonly string[],
  ports: TunePorts & Pick<Ports, 'corpora' | 'metrics' | 'passages' | 'transcripts'>,
): Promise<ReadonlyMap<string, readonly LostWithCall[]>> {
  const { manifest, questions, answer } = await openRun(ports.runs, runOfStart(opened, 'A').run);
  const { texts } = passageTexts(ports.corpora, ports.passages);
  const known: ReplaySources = { ...ports, texts };
  const lost = new Map<string, LostWithCall[]>(wanted.map((step) => [step, []]));
  const all = new Map<string, RunQuestion>();
  for await (const question of questions()) all.set(question.id, question);
  for (const id of ids) {
    if ([...lost.values()].every(({ length }) => length >= MOST_LOST)) break;
    const question = all.get(id);
    if (!question) continue;
    const found = await reconstructQuestion(question, await answer(id), manifest, known);
    if (typeof found === 'string' || isRightBy(await found.scoreOf(found.conclusion))) continue;
    const { answered } = found;
    const place = await findAnswerLoss(answered, async (steps) => {
      const ended = await answerWithPerfectSteps(answered, steps);
      return 'calls' in ended ? undefined : isRightBy(await found.scoreOf(ended.conclusion));
    });
    const there = 'step' in place ? lost.get(place.step) : undefined;
    if (there === undefined || !('step' in place) || there.length >= MOST_LOST) continue;
    const call = callToBlame(place.step, answered);
    if (call) there.push({ call, question: toldOf(call, answered) });
  }
  return lost;
}

/** Returns the call of a step that read wrongly, else the first that was shown an answer. */
function callToBlame(
  step: string,
  { calls, texts, steps, ...gold }: ReplayedQuestion,
): FinishedCall | undefined {
  const own = calls.filter((call) => call.step === step);
  const misread = own.find((call) => isImperfect(call, gold, texts, steps));
  const holds = (call: FinishedCall) =>
    passagesShown(call, texts, steps).some(({ text }) => hasAnswer(text, gold.answers));
  return misread ?? own.find(holds) ?? own[0];
}

function toldOf(
  call: FinishedCall,
  { question, answers, texts, steps }: ReplayedQuestion,
): LostQuestion {
  const step = stepNamed(call.step, steps);
  const values = step ? Object.entries(variablesOf(step, call.input as object)) : [];
  const shown = [
    ...values
      .filter(([, value]) => value !== '' && value !== question)
      .map((one) => one.join(': ')),
    ...passagesShown(call, texts, steps).map(({ title, text }) =>
      title ? `${title}: ${text}` : text,
    ),
  ];
  const { output } = call;
  const wrote = typeof output === 'string' ? output : JSON.stringify(output);
  return {
    question,
    shown: shortened(shown.join(' | '), MOST_SHOWN),
    wrote: shortened(wrote ?? '', MOST_WROTE),
    answers,
  };
}
