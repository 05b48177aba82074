/** The examples in Python: asking from it, and steps in it. */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { commandLineOver } from '../support/command-line.js';
import { GET, isHere } from '../support/is-here.js';
import { promptOf } from '../support/telephone.js';
import { examples, model, printed } from './compiled.js';
import { findsPython, pythonWith } from './python.js';

/** The newest that runs on every Python from 3.10 on. */
const TEMPORAL = 'temporalio==1.35.0';

const hasPython = await findsPython();
const inPython = test.skipIf(!isHere(hasPython, GET.python));

inPython('python', { timeout: 300_000 }, async () => {
  const python = await pythonWith(TEMPORAL);
  const { cli } = await commandLineOver((request) => ({
    text: promptOf(request).includes('heron') ? '(a) Fish' : 'Paris',
  }));
  const env = { DURABLE_RAG_TASK_QUEUE: randomUUID() };
  await cli.worker(env);

  const example = join(examples, 'python', 'ask.py');
  const questions = ['The capital of France?', 'What does it wait for?'].map((question, i) => ({
    id: `${i}`,
    question,
    answers: ['Paris'],
    passages: [{ title: 'Paris', text: 'It is the capital of France.' }],
  }));
  const dataset = await cli.write('herons.jsonl', ...questions);
  const asked = promisify(execFile)(python, [example, dataset], {
    env: { TEMPORAL_ADDRESS: inject('temporalAddress'), ...env },
  });
  // The SDK may abort while Python ends, when all is done (temporalio/sdk-python, issue 300).
  const { stdout, stderr } = await asked.catch((ended) => ended);
  expect(stdout, stderr).toBe('answered Fish 1\nfailed BadInput\nfinished 2 of 2\n');
});

inPython('python-steps', { timeout: 300_000 }, async () => {
  const python = await pythonWith(TEMPORAL);
  const env = { TEMPORAL_ADDRESS: inject('temporalAddress') };
  const worker = spawn(python, [join(examples, 'python-steps', 'worker.py')], { env });
  onTestFinished(() => void worker.kill());
  await once(worker.stdout, 'data');
  const said = await printed(['python-steps/main'], await model(), ['python-steps/workflows']);
  expect(said).toEqual({ 'python-steps/main': 'FISH!' });
});
