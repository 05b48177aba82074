/** What a worker's log says: a line of JSON for programs, a sentence for people. */
import { ApplicationFailure } from '@temporalio/common';
import type { LogEntry } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { failedTaskOf, logLine } from '../../cli/log-entry.js';
import { type NamedWorkflow, stuckLog } from '../../cli/stuck-log.js';
import { logFormatOf, logReporter } from '../../cli/terminal-reporter.js';

const entry: LogEntry = {
  level: 'WARN',
  message: 'Activity failed',
  timestampNanos: 0n,
  meta: {
    activityType: 'rankPair',
    workflowType: 'sure',
    workflowId: 'eval/nightly/q-7',
    runId: '1',
    attempt: 2,
    taskQueue: 'durable-rag-llm',
    namespace: 'default',
    error: ApplicationFailure.create({ type: 'RateLimited', message: 'Too many requests.\nAt 2.' }),
  },
};

function written(json: boolean, write: (reporter: ReturnType<typeof logReporter>) => void): string {
  const chunks: string[] = [];
  const stream = { isTTY: false, write: (chunk: string) => chunks.push(chunk) > 0 };
  write(logReporter({ json }, stream as unknown as NodeJS.WriteStream));
  return chunks.join('');
}

describe('a line of the log', () => {
  const warn = (json: boolean) =>
    written(json, (reporter) => {
      const { text, fields } = logLine(entry);
      reporter.warn(text, fields);
    });

  it('is a JSON object with time, run, question and step', () => {
    const { time, ...line } = JSON.parse(warn(true));
    expect(new Date(time).toISOString()).toBe(time);
    expect(line).toEqual({
      level: 'warn',
      part: 'Warning',
      message: 'Activity failed: rankPair of eval/nightly/q-7: RateLimited: Too many requests.',
      run: 'nightly',
      question: 'q-7',
      workflowId: 'eval/nightly/q-7',
      method: 'sure',
      step: 'rankPair',
      attempt: 2,
      kind: 'RateLimited',
    });
  });

  it('is a sentence with a time for people', () => {
    expect(warn(false)).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z Warning +Activity failed: rankPair of eval\/nightly\/q-7: RateLimited: Too many requests\.\n$/,
    );
  });

  it('says what is no more than a warning, and what is an error', () => {
    const { text, fields } = logLine({ level: 'ERROR', message: 'Lost', timestampNanos: 0n });
    const line = JSON.parse(written(true, (reporter) => reporter.warn(text, fields)));
    expect([line.level, line.part, line.message]).toEqual(['error', 'Error', 'Lost']);
    const part = JSON.parse(written(true, (reporter) => reporter.part('Worker', 'polls')));
    expect([part.level, part.part, part.message]).toEqual(['info', 'Worker', 'polls']);
  });
});

describe('a workflow that cannot go on', () => {
  /** As the SDK's native part prints it. */
  const native = (message: string, cause: string): LogEntry => ({
    level: 'WARN',
    message: 'Failing workflow task',
    timestampNanos: 0n,
    meta: {
      sdkComponent: 'core',
      target: 'temporalio_sdk_core::worker::workflow',
      runId: '7',
      failure: `Failure { failure: Some(Failure { message: "${message}", source: "", stack_trace: "", cause: None }), force_cause: ${cause} }`,
    },
  });

  it('is read from what the native part says', () => {
    const began = '[TMPRL1100] Nondeterminism error: Timer machine does not handle \\"it\\"';
    expect(failedTaskOf(native(began, 'NonDeterministicError'))).toEqual({
      runId: '7',
      isOtherVersion: true,
      message: 'Nondeterminism error: Timer machine does not handle "it"',
    });
    expect(failedTaskOf(native('x is not a function\\n at y', 'Unspecified'))).toEqual({
      runId: '7',
      isOtherVersion: false,
      message: 'x is not a function',
    });
    expect(failedTaskOf(entry)).toBeUndefined();
  });

  const names = new Map([['1', { workflowId: 'eval/nightly/q-7', type: 'sure' }]]);
  const told = async (count: number, name: () => Promise<Map<string, NamedWorkflow>>) => {
    const lines: [string, object | undefined][] = [];
    const log = stuckLog({ warn: (text, fields) => void lines.push([text, fields]) }, name, {
      firstMs: 1,
    });
    for (let id = 1; id <= count; id++) {
      const task = { runId: String(id), isOtherVersion: id % 2 === 1, message: 'a timer' };
      log(task);
      log(task);
    }
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(Math.min(count, 6));
    return lines;
  };

  it('is named with its question, what went wrong and what to do', async () => {
    const [[text, fields] = [], [other] = []] = await told(2, async () => names);
    expect(text).toMatch(
      /^sure of eval\/nightly\/q-7 was started with another version .*\(a timer\).*start workers of its version.*--versioned/,
    );
    expect(fields).toEqual({
      level: 'error',
      kind: 'NonDeterministicError',
      method: 'sure',
      run: 'nightly',
      question: 'q-7',
      workflowId: 'eval/nightly/q-7',
    });
    expect(other).toMatch(/^The workflow 2 cannot continue, and is retried \(a timer\)/);
  });

  it('is told by its run id where the server cannot be asked, and counted where there are many', async () => {
    const lines = await told(12, () => Promise.reject(new Error('away')));
    expect(lines).toHaveLength(6);
    expect(lines[0]?.[0]).toMatch(/^The workflow 1 was started/);
    expect(lines[5]?.[0]).toMatch(/^7 more workflows cannot continue/);
  });
});

describe('logFormatOf', () => {
  const none = { env: {} };
  const text = { env: { DURABLE_RAG_LOG_FORMAT: 'text' } };

  it('goes by --json, then by the setting, then by who reads it', () => {
    expect(logFormatOf('json', { ...text, json: true }, true)).toBe('json');
    expect(logFormatOf('json', text, false)).toBe('text');
    expect(logFormatOf('json', none, true)).toBe('text');
    expect(logFormatOf('json', none, false)).toBe('json');
    expect(logFormatOf('text', none, false)).toBe('text');
  });

  it('names the variable that is wrong', () => {
    const env = { DURABLE_RAG_LOG_FORMAT: 'xml' };
    expect(() => logFormatOf('json', { env })).toThrow(
      'DURABLE_RAG_LOG_FORMAT (--log-format) must be one of json, text',
    );
  });
});
