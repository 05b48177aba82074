/** What a worker's log says: a line of JSON for programs, a sentence for people. */
import { ApplicationFailure } from '@temporalio/common';
import type { LogEntry } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import { lineOf } from '../../client/cli/log-entry.js';
import { logFormatOf } from '../../client/cli/log-format.js';
import { logReporter } from '../../client/cli/terminal-reporter.js';

const entry: LogEntry = {
  level: 'WARN',
  message: 'Activity failed',
  timestampNanos: 0n,
  meta: {
    ...{ activityType: 'rankPair', workflowType: 'sure', workflowId: 'eval/nightly/q-7' },
    ...{ runId: '1', attempt: 2, taskQueue: 'durable-rag-llm', namespace: 'default' },
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
      const { text, fields } = lineOf(entry);
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
    const { text, fields } = lineOf({ level: 'ERROR', message: 'Lost', timestampNanos: 0n });
    const line = JSON.parse(written(true, (reporter) => reporter.warn(text, fields)));
    expect([line.level, line.part, line.message]).toEqual(['error', 'Error', 'Lost']);
    const part = JSON.parse(written(true, (reporter) => reporter.part('Worker', 'polls')));
    expect([part.level, part.part, part.message]).toEqual(['info', 'Worker', 'polls']);
  });
});

describe('logFormatOf', () => {
  const none = { env: {} };
  const json = { env: { DURABLE_RAG_LOG_FORMAT: 'json' } };

  it('goes by the flag, then --json, then the variable, then who reads it', () => {
    expect(logFormatOf('worker', { ...json, json: true }, 'text', true)).toBe('text');
    expect(logFormatOf('worker', { env: {}, json: true }, undefined, true)).toBe('json');
    expect(logFormatOf('dev', json, undefined, true)).toBe('json');
    expect(logFormatOf('worker', none, undefined, true)).toBe('text');
    expect(logFormatOf('worker', none, undefined, false)).toBe('json');
    expect(logFormatOf('dev', none, undefined, false)).toBe('text');
    expect(logFormatOf('ask', json, undefined, false)).toBeUndefined();
  });

  it('names the variable that is wrong', () => {
    const env = { DURABLE_RAG_LOG_FORMAT: 'xml' };
    expect(() => logFormatOf('worker', { env }, undefined)).toThrow(
      /DURABLE_RAG_LOG_FORMAT must be json or text, and is "xml"/,
    );
  });
});
