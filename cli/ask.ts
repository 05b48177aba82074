/** `durable-rag ask`: one question, answered. */

import { setTimeout as sleep } from 'node:timers/promises';
import pc from 'picocolors';
import type { QuestionHandle } from '../client/question-handle.js';
import { DEFAULT_CORPUS } from '../core/options/idle-retrieval.js';
import type { MethodResult } from '../core/result.js';
import { isDataAddress } from '../files/data-address.js';
import { printable } from '../report/views/printable.js';
import type { StepProgress } from '../workflows/run/progress.js';
import { awaitEnded } from './await-ended.js';
import type { CliContext } from './context.js';
import { withDrawnOptions } from './drawn-demonstrations.js';
import { CommandFailure, EXIT } from './exit-codes.js';
import type { Typed } from './flags.js';
import { Interrupted } from './interrupt.js';
import { type Asked, methodInput } from './method-input.js';
import { sayNext, show } from './output.js';
import { methodsOf } from './own-methods.js';
import { tell } from './print.js';
import { renderEstimated, renderResult, renderSaved, renderUsage } from './render-result.js';
import { historyUrl, type Session } from './session.js';
import { watch } from './watch.js';
import { type Wanted, withWorker } from './with-worker.js';

/** Milliseconds that a cancelled question may take to end. */
const CANCEL_TIMEOUT_MS = 10_000;

/**
 * Asks a question and prints the answer. Uses the Temporal server and worker that run; those that
 * are missing are started and run until the question ends.
 *
 * @returns the process's exit code: 0 only if the question was answered.
 */
export async function ask(question: string, typed: Typed, context: CliContext): Promise<number> {
  const drawn = await withDrawnOptions(typed, context);
  const asked = await withCorpus(methodInput(question, drawn, methodsOf(context)), context);
  if (asked.corpus !== undefined) context.reporter.part('Corpus', corpusText(asked.corpus));
  const wanted: Wanted<QuestionHandle<unknown>> = {
    what: 'question',
    find: (session) => start(asked, session),
    async refused(handle) {
      const refusal = await handle.refusal();
      if (refusal !== undefined) throw unlike(asked.method, refusal);
    },
  };
  const { outcome } = await withWorker(wanted, context, (handle, session) => {
    if (context.typed?.DURABLE_RAG_SEARCH && !session.stack) {
      context.reporter.warn(
        '--search has no effect: the worker that is running searches as its own DURABLE_RAG_SEARCH says.',
      );
    }
    return finish(handle, session, context);
  });
  return outcome === 'answered' ? EXIT.ok : EXIT.unanswered;
}

/** Returns the input with the name of its index in place of a corpus's address. */
async function withCorpus(asked: Asked, context: CliContext): Promise<Asked> {
  const { input, corpus: named } = asked;
  if (named === undefined || !isDataAddress(named)) return asked;
  const { corpusNamed } = await import('./index-corpus.js');
  const corpus = await corpusNamed(named, context);
  return { ...asked, corpus, input: { ...input, retrieval: { ...input.retrieval, corpus } } };
}

function unlike(method: string, refusal: string): CommandFailure {
  const message = `The worker that is running cannot run ${method}: ${refusal}. It was started without the configuration that is here (durable-rag.config.ts), or with another state of it. The question waits for one that can.`;
  const next = 'stop that worker and start one here, or ask on a queue of its own (--task-queue)';
  return new CommandFailure(EXIT.refused, { type: 'Incompatible', message }, next);
}

function corpusText(corpus: string): string {
  return corpus === DEFAULT_CORPUS
    ? `${corpus}, of the demonstration; --corpus names another`
    : corpus;
}

/**
 * Starts the question, or joins the one that is under way. A question that was answered before is
 * asked again: what has not changed comes from the response cache and costs nothing.
 */
export function start({ method, input }: Pick<Asked, 'input' | 'method'>, { client }: Session) {
  return client.startNamed(method, input, { again: true });
}

export async function finish(
  handle: QuestionHandle<unknown>,
  session: Session,
  context: CliContext,
): Promise<MethodResult> {
  const startedAt = Date.now();
  const result = await awaitResult(handle, session, context);
  const text = renderResult(result, {
    seconds: (Date.now() - startedAt) / 1000,
    historyUrl: historyUrl(session, result.workflowId),
    methods: methodsOf(context),
  });
  show(context, { value: result, text, next: afterAsking(result) });
  return result;
}

/** Returns advice for a question that was not answered; undefined if there is none. */
function afterAsking({ outcome, failure }: MethodResult): string | undefined {
  if (outcome === 'unreadable')
    return 'another --model, or the same again with --no-cache; for one that thinks first, more DURABLE_RAG_REASONING_ALLOWANCE';
  if (outcome === 'unknown') return 'more --passages, or another --corpus or --method';
  if (outcome !== 'failed') return undefined;
  return `mend what the message says${failure?.step ? ` of ${failure.step}` : ''}, then ask again: what was paid for is not paid again`;
}

/** Returns the question's result. Ctrl-C cancels the question and prints the usage so far. */
async function awaitResult(
  handle: QuestionHandle<unknown>,
  session: Session,
  context: CliContext,
): Promise<MethodResult> {
  const following = follow(handle);
  try {
    return await awaitEnded(following, session, context);
  } catch (error) {
    if (error instanceof Interrupted) {
      await handle.cancel();
      const late = sleep(CANCEL_TIMEOUT_MS, undefined, { ref: false });
      const stopped = await Promise.race([following, late]).catch(() => undefined);
      if (stopped) sayCancelled(stopped, context);
    }
    throw error;
  }
}

function sayCancelled({ usage }: MethodResult, context: CliContext): void {
  const took = [renderUsage(usage), ...renderSaved(usage), ...renderEstimated(usage)].join('; ');
  context.reporter.part('Cancelled', took);
  sayNext(context, 'the same command asks it again: what was answered is not paid for again');
}

/**
 * Waits for the result. On a terminal a line shows the steps that run; every step that is done
 * gets a line of its own. Everything goes to standard error.
 */
function follow<C>(handle: QuestionHandle<C>): Promise<MethodResult<C>> {
  const shown = new Set<number>();
  return watch(handle, {
    text: 'waiting for a worker',
    pollMs: 400,
    answerMs: 2_000,
    last: true,
    show({ steps }, line) {
      for (const [i, step] of steps.entries()) {
        if (step.state === 'running' || shown.has(i)) continue;
        shown.add(i);
        line.clear();
        tell(doneLine(step));
      }
      const running = steps.filter(({ state }) => state === 'running');
      if (running.length > 0) line.text = running.map(runningText).join(', ');
    },
  });
}

function runningText({ step, label, startedAt, reasks }: StepProgress): string {
  const again = reasks > 0 ? `asked again ${reasks}x` : '';
  return callLine(step, label, seconds(Date.now() - startedAt), again);
}

function doneLine(progress: StepProgress): string {
  const { step, label, state, startedAt, finishedAt = startedAt, ranMs, cached } = progress;
  const mark = state === 'failed' ? pc.red('✖') : pc.green('✔');
  const took = cached ? 'from cache' : seconds(ranMs ?? finishedAt - startedAt);
  return `${mark} ${callLine(step, label, took)}`;
}

function callLine(step: string, label: string, ...said: string[]): string {
  const parts = [printable(label), ...said].filter((part) => part !== '');
  return `${step} ${pc.dim(parts.join(', '))}`;
}

function seconds(ms: number): string {
  return `${(Math.max(ms, 0) / 1000).toFixed(1)} s`;
}
