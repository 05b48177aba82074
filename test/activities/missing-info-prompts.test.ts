/** What LLatrieval's tables 12 and 13 ask for, and nothing that they do not. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test.each(['passage', 'question'])('the query for what is missing, as a %s', (style) => {
  const text = readFileSync(new URL(`../../prompts/missing-info-${style}.txt`, import.meta.url))
    .toString()
    .replace(/\s+/g, ' ');
  // The model's own knowledge, in any case, the new text only.
  expect(text).toMatch(/from what you know yourself.*in any case/i);
  expect(text).toMatch(/(?:and nothing else|only, and no analysis)\./);
  // The subject is named; the question's words may be used, only its whole not repeated.
  expect(text).toMatch(/name the subject/i);
  expect(text).toContain('in the words of the question where these fit');
  expect(text).toMatch(/(?:copy|repeat) neither the question nor a passage/);
  expect(text).not.toMatch(/(?:without|avoid|do not use|none of) (?:the |its |any )?words/i);
});
