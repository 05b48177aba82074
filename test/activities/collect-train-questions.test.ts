/** The train questions of a clustering job are read as those of a run are. */
import { expect, test } from 'vitest';
import { collectTrainQuestions } from '../../activities/jobs/collect-train-questions.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { testPorts } from '../support/ports.js';

test.each([
  [{ fields: { question: 'asked', answers: 'said' } }, { asked: 'Who?', said: 'Ada' }],
  [{ as: 'kilt' }, { id: 1, input: 'Who?', output: [{ answer: 'Ada' }], extra: 2 }],
])('%j', async (how, record) => {
  const ports = testPorts(scriptedModel([]));
  const input = { name: 'set', dataset: [record], ...how };
  const { pages, questions } = await collectTrainQuestions(
    input,
    ports,
    new AbortController().signal,
  );
  expect(questions).toBe(1);
  const page = await ports.texts.get(pages[0]?.id ?? '');
  expect(JSON.parse(page)).toEqual([{ question: 'Who?', answers: ['Ada'] }]);
});
