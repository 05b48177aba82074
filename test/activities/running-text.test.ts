import { describe, expect, it } from 'vitest';
import { parseCitedAnswer } from '../../activities/steps/answer-with-citations.js';
import { parseEvidence } from '../../activities/steps/condense-evidence.js';
import { parseDocument } from '../../activities/steps/generate-document.js';
import { parseNewPassage, parseNewQuestion } from '../../activities/steps/missing-info-query.js';
import { parseReading } from '../../activities/steps/read.js';
import { parseReply } from '../../activities/steps/reply.js';
import { parseSummary } from '../../activities/steps/summarize.js';
import { parseShortForm } from '../../activities/steps/summarize-document.js';
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
