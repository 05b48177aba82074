import { describe, expect, it } from 'vitest';
import { parseCitedAnswer } from '../../steps/answer-with-citations/implementation.js';
import { parseEvidence } from '../../steps/condense-evidence/implementation.js';
import { parseDocument } from '../../steps/generate-document/implementation.js';
import {
  parseNewPassage,
  parseNewQuestion,
} from '../../steps/missing-info-query/implementation.js';
import { parseReading } from '../../steps/read/implementation.js';
import { parseReply } from '../../steps/reply/implementation.js';
import { parseSummary } from '../../steps/summarize/implementation.js';
import { parseShortForm } from '../../steps/summarize-document/implementation.js';
import { decorations, hostile } from './reading/support.js';

const whole = (text: string) => ({ text, cut: false });

/** What each reads of an output that is running text. */
const parsers: [string, (text: string) => string | undefined][] = [
  ['parseCitedAnswer', parseCitedAnswer],
  ['parseDocument', parseDocument],
  ['parseEvidence', (text) => parseEvidence(whole(text))],
  ['parseNewPassage', (text) => parseNewPassage(whole(text))],
  ['parseNewQuestion', (text) => parseNewQuestion(whole(text))],
  ['parseReading', parseReading],
  ['parseReply', parseReply],
  ['parseShortForm', parseShortForm],
  ['parseSummary', parseSummary],
];

describe.each(parsers)('%s', (_, parse) => {
  it('reads the same however the whole is decorated', () => {
    const text = 'Bell was granted it in 1876, and not "Gray", by all that is known';
    // A list is running text as well: its marks are the model's own.
    for (const decorated of decorations(text).filter((d) => !/^(?:- |1\. |")/.test(d))) {
      expect(parse(decorated), decorated).toBe(text);
    }
    expect(parse('"Bell was granted it"')).toBe('Bell was granted it');
  });

  it('returns on hostile text', () => {
    for (const text of hostile(['answer: ', '<passage ', 'here is ', '[1] ', 'reply:']))
      parse(text);
  });
});
