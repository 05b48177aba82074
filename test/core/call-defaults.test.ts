import { expect, it } from 'vitest';
import { CALL_DEFAULTS, omitDefaults } from '../../core/call-defaults.js';

it('leaves out what is as usual, and nothing else', () => {
  expect(omitDefaults({ ...CALL_DEFAULTS })).toEqual({});
  expect(omitDefaults({ prompts: 'default', attempt: 1, cache: false, seed: 0 })).toEqual({
    attempt: 1,
    cache: false,
  });
});

it('gives back the whole call with what is as usual', () => {
  const call = { ...CALL_DEFAULTS, attempts: 0, prompts: '', seed: 7 };
  expect({ ...CALL_DEFAULTS, ...omitDefaults(call) }).toEqual(call);
});
