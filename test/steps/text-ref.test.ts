import { describe, expect, it } from 'vitest';
import { isTextRef, replaced, type TextRef, textRefsIn } from '../../steps/text-ref.js';

const ref: TextRef = { response: 'v1-ab', from: 0, to: 300, sha256: '0123456789ab' };

describe('replaced', () => {
  it('puts another part in place of one, however deep it stands', () => {
    const input = { question: 'Who?', first: { k: 0, summary: 'long' }, all: ['long', 'short'] };
    expect(replaced(input, (part) => (part === 'long' ? ref : undefined))).toEqual({
      question: 'Who?',
      first: { k: 0, summary: ref },
      all: [ref, 'short'],
    });
    expect(input.first.summary).toBe('long');
  });

  it.each([null, 7, true, 'a text', [], {}, { a: null, b: [1, [2]] }])(
    'leaves %j as it is',
    (value) => {
      expect(replaced(value, () => undefined)).toEqual(value);
    },
  );

  it('takes an empty text for a replacement', () => {
    expect(replaced(['gone'], (part) => (part === 'gone' ? '' : undefined))).toEqual(['']);
  });
});

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

describe('textRefsIn', () => {
  it('finds each, however deep it stands', () => {
    const other = { ...ref, response: 'v1-cd' };
    const input = { question: 'Who?', first: { k: 0, summary: ref }, both: [other, [ref]] };
    expect(textRefsIn(input)).toEqual([ref, other, ref]);
  });

  it.each([null, 'v1-ab', 7, [], { passages: ['p1'], k: 0 }])('finds none in %j', (value) => {
    expect(textRefsIn(value)).toEqual([]);
  });
});
