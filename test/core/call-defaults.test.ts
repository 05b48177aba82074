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

it('means the same by what is left out as the version before', () => {
  expect(CALL_DEFAULTS).toEqual({
    ...{ tier: 'standard', form: 'text', prompts: 'default', seed: 0, cache: true },
    ...{
      attempt: 0,
      thinks: false,
      timeoutSeconds: 300,
      attempts: 6,
      refusals: 200,
      outageSeconds: 300,
    },
  });
});
