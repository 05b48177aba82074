/** What `show` tells of a kept question. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { showQuestion } from '../../../cli/run/show-question.js';
import { answerAndRecordCalls } from '../../../interpreters/scripted.js';
import { packCalls } from '../../../stores/runs/call-records.js';
import type { RunAnswer, RunManifest } from '../../../stores/runs/run-store.js';
import { scriptedModel } from '../../../testing/scripted-model.js';
import { cliContext } from '../../support/cli-context.js';
import { testPorts } from '../../support/ports.js';
import { quietReporter } from '../../support/quiet-reporter.js';
import { memoryRuns } from '../../support/stores.js';

const asked = { question: 'Who invented the telephone?', options: { passages: 2 } };
const manifest = { run: 'phone', input: { method: 'base' }, questions: 1, dataset: {} };

/** Gives what is told of the question of a run, and what was warned of. */
async function shown(changes: Partial<RunAnswer> = {}, id = 'q1') {
  const model = scriptedModel([{ step: 'read', say: 'Bell' }]);
  const { result, calls } = await answerAndRecordCalls('base', asked, testPorts(model));
  const runs = memoryRuns();
  async function* questions() {
    yield { id: 'q1', question: asked.question, answers: ['Bell'], answerKind: 'span' as const };
  }
  await runs.begin('phone', questions(), () => manifest as unknown as RunManifest);
  const times = { startedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T00:00:01Z' };
  const answer = { id: 'q1', result, scores: { em: 1 }, calls: packCalls(calls), ...times };
  await runs.put('phone', { ...answer, ...changes });
  const warned: string[] = [];
  const reporter = { ...quietReporter, warn: (line: string) => void warned.push(line) };
  const context = cliContext({ reporter, config: { results: runs } });
  const { text = '', value } = await showQuestion('phone', id, context);
  return { text: stripVTControlCharacters(text), told: JSON.parse(JSON.stringify(value)), warned };
}

it('tells the answer and each call by its name', async () => {
  const { text, told, warned } = await shown();
  expect(text).toContain('Accepted: Bell');
  expect(text).toContain('Counted as right');
  expect(text).toMatch(/retrieve\[1\] .*2 passages\n +Title 1; Title 2\n/);
  expect(text).toMatch(/read\[1\] /);
  expect(warned).toEqual([]);
  expect(told).toMatchObject({
    run: 'phone',
    state: 'right',
    calls: [{ name: 'retrieve[1]' }, {}],
  });
  expect(told.calls[1]).toMatchObject({
    step: 'read',
    address: expect.stringMatching(/^read \w+/),
  });
});

it('says where calls are damaged or were not kept, and tells the rest', async () => {
  const damaged = await shown({ calls: 'AAAA' });
  expect(damaged.warned).toEqual([expect.stringContaining('are damaged')]);
  expect(damaged.text).toContain('Counted as right');
  const failure = { type: 'Terminated', message: 'It was terminated.', step: null };
  const none = { result: null, failure, calls: undefined } as unknown as Partial<RunAnswer>;
  const without = await shown(none);
  expect(without.warned).toEqual(['No calls were kept of this question.']);
  expect(without.text).toContain('It was terminated.');
});

it('refuses a question that the run does not have', async () => {
  await expect(shown({}, 'q2')).rejects.toThrow('has no question "q2"; did you mean q1?');
});
