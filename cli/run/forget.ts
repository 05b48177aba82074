/** `durable-rag forget`: deletes the replies to a question's calls from the response cache. */
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { addUsage, hasUsage, NO_USAGE } from '../../core/usage.js';
import { callAt } from '../../evaluation/runs/call-names.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { CallRecord } from '../../steps/call-record.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunAnswer, RunStore } from '../../stores/runs/run-store.js';
import { openNamespace, RESPONSES_NAMESPACE } from '../../workers/store-namespaces.js';
import { closing } from '../closing.js';
import { isConfirmed, isInteractive } from '../confirmed.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import type { CommandOutput } from '../print-output.js';
import { serverSession } from '../session.js';
import { type DeleteFlags, rethrowWithForceAdvice } from './keep-runs.js';
import { recordedQuestion } from './show-question.js';
import { withRuns } from './with-runs.js';

/**
 * Deletes the cached replies to the model calls of a question, or of one step, and the answer that
 * was made from them, after a confirmation (none with `yes`). First lists the other answers made
 * from the same replies, which are kept. The question counts as failed until it is asked again,
 * and then pays for these calls. Returns the output of the command: the number of deleted replies
 * (`replies`) and the other answers (`shared`), or only exit code 7 if the user declines.
 *
 * @param id Id of the question.
 * @param at A step, or the name or address of a call; undefined for all calls.
 * @throws Failure UnknownRun; BadInput if the run has no such question or call, or no terminal can
 * confirm; Conflict while the run is under way; Connection if no server answers, without `force`.
 */
export async function forgetReplies(
  run: string,
  id: string,
  at: string | undefined,
  { yes = false, force = false }: DeleteFlags,
  context: CliContext,
): Promise<CommandOutput> {
  await checkNotUnderWay(run, force, context);
  return withRuns(context, async (runs, config) => {
    const { records } = await recordedQuestion(runs, run, id);
    const answer = await runs.get(run, id);
    const keys = repliesOf(meantCalls(records, at));
    if (!answer || keys.size === 0) {
      const which = at === undefined ? '' : ` in ${at}`;
      throw new Failure(
        'BadInput',
        `No reply of a model is kept of the question ${JSON.stringify(id)} of ${run}${which}. What a fork has taken is forgotten in the run that it is of.`,
      );
    }
    const sharing = await sharingOf(keys, runs, { run, id });
    const others = Object.entries(sharing).map(
      ([other, questions]) => `${other} (${plural(questions.length, 'question')})`,
    );
    const shared = others.length > 0 ? others.join(', ') : 'no other answer';
    context.reporter.part('Shared', `${shared}; what rests on them stays as it is`);
    if (!yes && !isInteractive()) {
      throw new Failure('BadInput', '--yes: is needed without a terminal to ask on');
    }
    const what = `${plural(keys.size, 'kept reply', 'kept replies')} of ${id} in ${run}`;
    if (!yes && !(await isConfirmed(`Forget ${what}, and the answer?`, 'no', context))) {
      context.reporter.part('Kept', id);
      return { code: EXIT.refused };
    }
    // The answer first: if this ends half way, it is asked again, and forgotten by another try.
    await runs.put(run, forgottenAnswer(answer));
    await closing(
      openNamespace(config, RESPONSES_NAMESPACE, context.config?.store),
      async (store) => {
        const responses = new ResponseCache(store);
        for (const key of keys) await responses.forget(key);
      },
    );
    return {
      value: { run, question: id, replies: keys.size, shared: sharing },
      text: `${what}: forgotten`,
      next: command('retry', run),
    };
  });
}

/**
 * Throws if a run is under way.
 *
 * @throws Failure Conflict; Connection if no server answers, without `force`.
 */
async function checkNotUnderWay(run: string, force: boolean, context: CliContext): Promise<void> {
  const opening = serverSession(context).catch(force ? () => undefined : rethrowWithForceAdvice);
  const summary = await closing(opening, (session) => session?.client.describeRun(run));
  if (summary?.status !== 'RUNNING') return;
  throw new Failure(
    'Conflict',
    `The run "${run}" is under way: "${command('cancel', run)}" first, or wait until it has ended.`,
  );
}

/**
 * Returns the calls that `at` names: all, those of a step, or one.
 *
 * @throws Failure BadInput if there is no such call.
 */
function meantCalls(records: readonly CallRecord[], at: string | undefined): CallRecord[] {
  if (at === undefined) return [...records];
  const ofStep = records.filter(({ step }) => step === at);
  return ofStep.length > 0 ? ofStep : [callAt(records, at, 'step')];
}

/**
 * Returns the cache keys of the calls' replies. Replies taken from another run are left out; they
 * belong to that run.
 */
function repliesOf(calls: readonly CallRecord[]): Set<string> {
  const events = calls.flatMap(({ events, taken }) => (taken ? [] : events));
  return new Set(events.flatMap((event) => (event.kind === 'called' ? event.output.key : [])));
}

/**
 * Returns, by run, the ids of the other questions whose answers were made from one of the replies.
 */
async function sharingOf(
  keys: ReadonlySet<string>,
  runs: RunStore,
  but: { run: string; id: string },
): Promise<Record<string, string[]>> {
  const sharing: Record<string, string[]> = {};
  for (const { run } of await runs.list()) {
    for await (const { question } of runs.questions(run)) {
      if (run === but.run && question.id === but.id) continue;
      const calls = await keptCalls(runs, run, question.id);
      const isShared = calls.some(({ events }) =>
        events.some((event) => event.kind === 'called' && keys.has(event.output.key)),
      );
      if (isShared) sharing[run] = [...(sharing[run] ?? []), question.id];
    }
  }
  return sharing;
}

/** Returns the calls of a stored answer; none for a damaged answer. */
async function keptCalls(runs: RunStore, run: string, id: string): Promise<CallRecord[]> {
  try {
    const answer = await runs.get(run, id);
    return (answer && callsOf(answer)) ?? [];
  } catch (error) {
    if (error instanceof Failure && error.type === 'Damaged') return [];
    throw error;
  }
}

/** Returns the failed answer that replaces a forgotten one. It keeps the usage. */
function forgottenAnswer(answer: RunAnswer): RunAnswer {
  const {
    id,
    result,
    scores,
    judgement,
    earlier = NO_USAGE,
    resample,
    startedAt,
    scoredAt,
  } = answer;
  const took = addUsage(earlier, result?.usage ?? NO_USAGE);
  const nothing = (of: Record<string, number>) =>
    Object.fromEntries(Object.keys(of).map((metric) => [metric, 0]));
  return {
    id,
    result: null,
    failure: { type: 'Forgotten', message: 'Its kept replies were forgotten.', step: null },
    scores: nothing(scores),
    ...(judgement && {
      judgement: { ...judgement, scores: nothing(judgement.scores), verdicts: null },
    }),
    ...(hasUsage(took) && { earlier: took }),
    ...(resample && { resample }),
    startedAt,
    endedAt: new Date().toISOString(),
    ...(scoredAt && { scoredAt }),
  };
}
