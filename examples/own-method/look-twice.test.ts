/** Tests of a method of one's own, by a scripted model and without a server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goldenTrace } from 'durable-rag/testing';
import { lookTwice } from './look-twice.js';

const asked = {
  question: 'What does a heron wait for?',
  passages: [{ id: 'p1', title: 'Heron', text: 'It stands still and waits for fish.' }],
  worker: { methods: [lookTwice] },
};

test('keeps an answer that the second look confirms', async () => {
  const script = [
    { step: 'read', say: 'Fish' },
    { step: 'secondLook', say: 'Yes' },
  ];
  const { result, steps } = await goldenTrace('lookTwice', { ...asked, script });
  assert.equal(result.answer, 'Fish');
  assert.match(steps[1]?.prompt ?? '', /waits for fish[\s\S]*Answer: Fish/);
});

test('does not know what the second look rejects', async () => {
  const script = [
    { step: 'read', say: 'Rain' },
    { step: 'secondLook', say: 'No' },
  ];
  const { result } = await goldenTrace('lookTwice', { ...asked, script });
  assert.equal(result.outcome, 'unknown');
});
