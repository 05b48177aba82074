/** What is a reference; test/activities/text-refs.test.ts puts the texts in their place. */
import { describe, expect, it } from 'vitest';
import { isTextRef, type TextRef } from '../../steps/text-ref.js';

const ref: TextRef = { response: 'v1-ab', from: 0, to: 300, sha256: '0123456789ab' };

describe('isTextRef', () => {
  it('knows a reference', () => {
    expect(isTextRef(ref)).toBe(true);
    expect(isTextRef(JSON.parse(JSON.stringify(ref)))).toBe(true);
  });

  it.each([
    null,
    'v1-ab',
    [],
    { response: 'v1-ab' },
    { ...ref, from: '0' },
    { ...ref, to: 1.5 },
    { ...ref, sha256: undefined },
  ])('takes %j for something else', (value) => {
    expect(isTextRef(value)).toBe(false);
  });
});
