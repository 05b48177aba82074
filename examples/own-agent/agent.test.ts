/** A test of an agent of one's own, by a scripted model and without a server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goldenTrace } from 'durable-rag/testing';
import { agent } from './agent.js';

test('searches, adds up, and answers', async () => {
  const { result, searches, steps } = await goldenTrace('agent', {
    question: 'How many herons are there?',
    passages: [{ id: 'p1', title: 'Herons', text: 'There are 3 at the pond and 4 at the mill.' }],
    script: ['Search: herons', 'Two places.\nSum: 3 + 4', 'Answer: 7'].map((say) => ({
      step: 'plan',
      say,
    })),
    worker: { methods: [agent] },
  });
  assert.equal(result.answer, '7');
  assert.deepEqual(searches, ['herons']);
  assert.match(steps[2]?.prompt ?? '', /Sum: 3 \+ 4\n<result>\n7\n<\/result>/);
});
