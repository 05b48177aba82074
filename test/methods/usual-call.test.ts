import { expect, it } from 'vitest';
import { USUAL_CALL, unusual } from '../../methods/usual-call.js';

it('leaves out what is as usual, and nothing else', () => {
  expect(unusual({ ...USUAL_CALL })).toEqual({});
  expect(unusual({ prompts: 'default', attempt: 1, cache: false, seed: 0 })).toEqual({
    attempt: 1,
    cache: false,
  });
});

it('gives back the whole call with what is as usual', () => {
  const call = { ...USUAL_CALL, attempts: 0, prompts: '', seed: 7 };
  expect({ ...USUAL_CALL, ...unusual(call) }).toEqual(call);
});
