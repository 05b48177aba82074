/** `durable-rag show`: shows how a question of a stored run was answered. Needs no worker. */
import { Failure } from '../../core/failure.js';
import { suggestion } from '../../core/options/nearest.js';
import { goldAnswers } from '../../evaluation/gold-answers.js';
import { type CallFigures, callFigures } from '../../evaluation/runs/call-figures.js';
import { callAt } from '../../evaluation/runs/call-names.js';
import { stateOf } from '../../evaluation/runs/question-state.js';
import { secondsOf } from '../../evaluation/runs/run-figures.js';
import { openRun, type RunSource } from '../../evaluation/runs/run-source.js';
import { type RawCall, rawCalls } from '../../interpreters/raw-calls.js';
import { failureSections } from '../../report/question/account.js';
import { callSections } from '../../report/question/call-sections.js';
import { wrap } from '../../report/views/layout.js';
import { drawSections } from '../../report/views/terminal.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunAnswer, RunManifest, RunQuestion, RunStore } from '../../stores/runs/run-store.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import type { CliContext } from '../context.js';
import { methodsOf } from '../own-methods.js';
import type { CommandOutput } from '../print-output.js';
import { renderResult } from '../render-result.js';
import { withPlanPorts } from './plan-ports.js';
import { withRuns } from './with-runs.js';

/**
 * Returns the output of `show`: a question of a stored run with its answer, its scores and its
 * calls. The JSON has `run`, `question`, `state`, the fields of the answer, and `calls`.
 *
 * @param id Id of the question in the data set.
 * @throws Failure UnknownRun; BadInput if the run has no such question, or no answer to it yet.
 */
export async function showQuestion(
  run: string,
  id: string,
  context: CliContext,
): Promise<CommandOutput> {
  return withRuns(context, async (runs) => {
    const source = await openRun(runs, run);
    const question = await questionOf(source, id);
    const answer = await source.answer(id);
    if (!answer) {
      throw new Failure('BadInput', `The run ${run} has no answer to ${JSON.stringify(id)} yet.`);
    }
    const { calls, missing } = keptCalls(answer);
    const { calls: _, ...shown } = answer;
    const state = stateOf(answer, source.manifest.metrics);
    if (missing !== undefined) context.reporter.warn(missing);
    return {
      value: { run, question, state, ...shown, calls },
      text: questionText(source.manifest, question, answer, calls ?? [], methodsOf(context)),
    };
  });
}

/**
 * Returns the output of `show --raw`, as JSON and as text: the prompts and replies of one call of
 * a question, or of all. In the JSON a prompt is null if its file, passages or settings have
 * changed, and a reply if the response cache no longer has it.
 *
 * @param id Id of the question in the data set.
 * @param at Name or address of the call; undefined for all calls.
 * @throws Failure UnknownRun; BadInput if the run has no such question, or the question no such
 * call.
 */
export async function showRaw(
  run: string,
  id: string,
  at: string | undefined,
  context: CliContext,
): Promise<CommandOutput> {
  const calls = await rawCallsOf(run, id, at, context);
  return { value: { run, question: id, calls }, text: calls.map(rawText).join('\n\n') };
}

/**
 * Returns an array of the calls of a question, or of one of them, each with `asked`: its attempts
 * in order, as objects with `prompt` and `reply`. A prompt is null if its file, passages or
 * settings have changed, and a reply if the response cache no longer has it.
 *
 * @param at Name or address of the call; undefined for all calls.
 * @throws As `showRaw`.
 */
export async function rawCallsOf(
  run: string,
  id: string,
  at: string | undefined,
  context: CliContext,
): Promise<RawCall[]> {
  const { manifest, question, records } = await withRuns(context, (runs) =>
    recordedQuestion(runs, run, id),
  );
  const meant = at === undefined ? records : [callAt(records, at, '--raw')];
  const shown = new Set(meant.map(({ address }) => address));
  const all = await withPlanPorts(context, manifest, (ports) =>
    rawCalls(manifest, question, records, ports),
  );
  return all.filter(({ address }) => shown.has(address));
}

function rawText({ name, label, asked }: RawCall): string {
  return asked
    .flatMap(({ prompt, reply }, attempt) => [
      `== ${name}  ${label}${attempt === 0 ? '' : ` (asked again, ${attempt})`}: prompt`,
      prompt ?? GONE_PROMPT,
      `== ${name}: reply`,
      reply ?? GONE_REPLY,
    ])
    .join('\n');
}

const GONE_PROMPT = '(gone: its file, its passages or the settings are not as they were)';
const GONE_REPLY = '(gone: the store no longer has it)';

/**
 * Returns a question of a stored run (`question`), with the run's manifest (`manifest`) and the
 * records of the question's calls (`records`, empty without an answer).
 *
 * @throws Failure UnknownRun; BadInput if the run has no question with that id.
 */
export async function recordedQuestion(runs: RunStore, run: string, id: string) {
  const source = await openRun(runs, run);
  const question = await questionOf(source, id);
  const kept = await source.answer(id);
  return { manifest: source.manifest, question, records: (kept && callsOf(kept)) ?? [] };
}

/** Returns the question with an id. @throws Failure BadInput if the run has none. */
async function questionOf(
  { manifest, questions }: Pick<RunSource, 'manifest' | 'questions'>,
  id: string,
): Promise<RunQuestion> {
  const ids: string[] = [];
  for await (const question of questions()) {
    if (question.id === id) return question;
    ids.push(question.id);
  }
  throw new Failure(
    'BadInput',
    `The run ${manifest.run} has no question ${JSON.stringify(id)}${suggestion(id, ids)}`,
  );
}

/** Returns the calls of an answer; null, with the reason, if they are missing or damaged. */
function keptCalls(answer: RunAnswer): { calls: CallFigures[] | null; missing?: string } {
  try {
    const calls = callsOf(answer);
    if (calls) return { calls: callFigures(calls) };
    return { calls: null, missing: 'No calls were kept of this question.' };
  } catch (error) {
    if (!(error instanceof Failure && error.type === 'Damaged')) throw error;
    return { calls: null, missing: error.message };
  }
}

/** Returns the text of a question: its wording, its result, and each call by name. Pure. */
function questionText(
  { metrics }: Pick<RunManifest, 'metrics'>,
  question: RunQuestion,
  answer: RunAnswer,
  calls: readonly CallFigures[],
  methods: OwnMethods,
): string {
  const accepted = goldAnswers(question).join('; ');
  const { result } = answer;
  return [
    ...wrap(question.question),
    ...(accepted ? wrap(`Accepted: ${accepted}`) : []),
    `Counted as ${stateOf(answer, metrics)}`,
    ...(result
      ? [
          renderResult(result, {
            seconds: secondsOf(answer),
            historyUrl: undefined,
            methods,
            more: callSections(calls),
          }),
        ]
      : ['', ...drawSections([...failureSections(answer), ...callSections(calls)])]),
  ].join('\n');
}
