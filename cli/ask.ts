/** `durable-rag ask`: answers one question. */

import { setTimeout as sleep } from 'node:timers/promises';
import pc from 'picocolors';
import type { QuestionHandle } from '../client/questions.js';
import { DEFAULT_CORPUS } from '../core/options/idle-retrieval.js';
import type { MethodResult } from '../core/result.js';
import { isDataAddress } from '../files/data-address.js';
import { printable } from '../report/views/printable.js';
import type { StepProgress } from '../workflows/question/progress.js';
import { awaitEnded } from './await-ended.js';
import type { CliContext } from './context.js';
import { withDrawnOptions } from './drawn-demonstrations.js';
import { CommandFailure, EXIT } from './exit-codes.js';
import type { TypedInput } from './flags.js';
import { Interrupted } from './interrupt.js';
import { type Asked, methodInput } from './method-input.js';
import { methodsOf } from './own-methods.js';
import { printToStderr } from './print.js';
import { printNextStep, printOutput } from './print-output.js';
import { renderEstimated, renderResult, renderSaved, renderUsage } from './render-result.js';
import { historyUrl, type Session } from './session.js';
import { watch } from './watch.js';
import { type WorkerTask, withWorker } from './with-worker.js';

/** Milliseconds that a cancelled question may take to end. */
const CANCEL_TIMEOUT_MS = 10_000;

/**
 * Answers a question and prints the answer. Uses the running Temporal server and worker; missing
 * ones are started until the question ends.
 *
 * @returns The exit code of the process: 0 if the question was answered, otherwise 3.
 */
export async function ask(
  question: string,
  typed: TypedInput,
  context: CliContext,
): Promise<number> {
  const drawn = await withDrawnOptions(typed, context);
  const asked = await withCorpus(methodInput(question, drawn, methodsOf(context)), context);
  if (asked.corpus !== undefined) context.reporter.part('Corpus', corpusText(asked.corpus));
  const wanted: WorkerTask<QuestionHandle<unknown>> = {
    what: 'question',
    find: (session) => startQuestion(asked, session),
    async refused(handle) {
      const refusal = await handle.refusal();
      if (refusal !== undefined) throw unlike(asked.method, refusal);
    },
  };
  const { outcome } = await withWorker(wanted, context, (handle, session) => {
    if (context.typed?.DURABLE_RAG_SEARCH && !session.stack) {
      context.reporter.warn(
        '--search has no effect: the running worker uses its own DURABLE_RAG_SEARCH.',
      );
    }
    return printResult(handle, session, context);
  });
  return outcome === 'answered' ? EXIT.ok : EXIT.unanswered;
}

/**
 * Returns the input with the name of an index in place of a corpus's address; indexes the corpus if
 * it has no index.
 */
async function withCorpus(asked: Asked, context: CliContext): Promise<Asked> {
  const { input, corpus: named } = asked;
  if (named === undefined || !isDataAddress(named)) return asked;
  const { corpusNamed } = await import('./index-corpus.js');
  const corpus = await corpusNamed(named, context);
  return { ...asked, corpus, input: { ...input, retrieval: { ...input.retrieval, corpus } } };
}

/** Returns the failure for a method that the running worker does not have. */
function unlike(method: string, refusal: string): CommandFailure {
  const message = `The running worker cannot run ${method}: ${refusal}. It was started without the configuration in this folder (durable-rag.config.ts), or with another version of it. The question waits for a worker that can run it.`;
  const next = 'stop that worker and start one here, or use another task queue (--task-queue)';
  return new CommandFailure(EXIT.refused, { type: 'Incompatible', message }, next);
}

function corpusText(corpus: string): string {
  return corpus === DEFAULT_CORPUS
    ? `${corpus}, the corpus of the demonstration; use --corpus for another`
    : corpus;
}

/**
 * Starts a question, or joins an equal running one, and returns its handle. A question that was
 * answered before is asked again; the response cache serves its unchanged calls at no cost.
 */
export function startQuestion(
  { method, input }: Pick<Asked, 'input' | 'method'>,
  { client }: Session,
) {
  return client.startNamed(method, input, { again: true });
}

/**
 * Waits for a question's result, prints it with its cost and duration, and returns it. Ctrl-C
 * cancels the question.
 */
export async function printResult(
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
  printOutput(context, { value: result, text, next: afterAsking(result) });
  return result;
}

/** Returns advice for a question that was not answered; undefined if there is none. */
function afterAsking({ outcome, failure }: MethodResult): string | undefined {
  if (outcome === 'unreadable')
    return 'try another --model, or ask again with --no-cache; for a reasoning model, raise DURABLE_RAG_REASONING_ALLOWANCE';
  if (outcome === 'unknown') return 'try more --passages, or another --corpus or --method';
  if (outcome !== 'failed') return undefined;
  return `fix the cause of the failure${failure?.step ? ` in ${failure.step}` : ''}, then ask again: finished calls are not paid again`;
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
      if (stopped) printCancelled(stopped, context);
    }
    throw error;
  }
}

/** Prints the usage of a cancelled question, and how to continue it. */
function printCancelled({ usage }: MethodResult, context: CliContext): void {
  const took = [renderUsage(usage), ...renderSaved(usage), ...renderEstimated(usage)].join('; ');
  context.reporter.part('Cancelled', took);
  printNextStep(context, 'repeat the command to ask again: finished calls are not paid again');
}

/**
 * Waits for the result and returns it. On a terminal a line shows the running steps; each finished
 * step gets a line of its own. Everything is written to standard error.
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
        printToStderr(doneLine(step));
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
