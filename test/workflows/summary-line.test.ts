/** Lines beside workflows and activities: short enough for Temporal, whatever they are made of. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { summaryLine } from '../../workflows/summary-line.js';

test.each([
  ['the first of 3', 'the first of 3'],
  ['two\n lines\t', 'two lines'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(197)}...`],
  ['電'.repeat(67), `${'電'.repeat(65)}...`],
  ['👩'.repeat(60), `${'👩'.repeat(49)}...`],
])('%s', (text, line) => {
  expect(summaryLine(text)).toBe(line);
});

test('has 200 bytes at most, quotes escaped, and stays as it is the second time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const line = summaryLine(text);
      expect(Buffer.byteLength(JSON.stringify(line)) - 2).toBeLessThanOrEqual(200);
      expect(summaryLine(line)).toBe(line);
    }),
  );
});
