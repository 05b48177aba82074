import { describe, expect, it } from 'vitest';
import { textRef, withTexts } from '../../activities/runtime/step-output.js';

const summary = 'Bell was granted it in March. '.repeat(12).trim();
const other = 'Gray filed a caveat, “zwölf” pages long. 🙂 '.repeat(9).trim();
const kept: Record<string, string> = {
  'v1-bell': `Summary: ${summary} [DONE]`,
  'v1-gray': `${other}\n[DONE]`,
};

const reading = (texts: Record<string, string>) => {
  const read: string[] = [];
  const text = async (key: string) => {
    read.push(key);
    return texts[key];
  };
  return { read, text };
};

const refTo = (value: string, key: string) => {
  const ref = textRef(value, key, kept[key] ?? '');
  if (!ref) throw new Error('It is not referred to.');
  return ref;
};

describe('textRef', () => {
  it('says where the text stands', () => {
    expect(refTo(summary, 'v1-bell')).toEqual({
      response: 'v1-bell',
      from: 9,
      to: 9 + summary.length,
      sha256: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  it.each<[string, unknown, string]>([
    ['a short text', 'True', 'True'],
    ['a text that was changed in reading', summary.toUpperCase(), summary],
    ['no text', [summary], summary],
    ['nothing', undefined, summary],
  ])('is not made for %s', (_, value, response) => {
    expect(textRef(value, 'v1-bell', response)).toBeUndefined();
  });
});

describe('withTexts', () => {
  const bell = refTo(summary, 'v1-bell');
  const gray = refTo(other, 'v1-gray');

  it('puts the texts in the place of their references, and reads each once', async () => {
    const responses = reading(kept);
    const input = { question: 'Who?', first: { k: 0, summary: bell }, both: [gray, bell] };
    expect(await withTexts(input, responses)).toEqual({
      question: 'Who?',
      first: { k: 0, summary },
      both: [other, summary],
    });
    expect(responses.read.sort()).toEqual(['v1-bell', 'v1-gray']);
  });

  it.each<[string, Record<string, string>]>([
    ['is gone', {}],
    ['is another one', { 'v1-bell': `Summary: ${summary.replace('March', 'April')} [DONE]` }],
    ['is shorter', { 'v1-bell': 'Summary: Bell' }],
  ])('fails where the response %s', async (_, texts) => {
    const failing = withTexts({ summary: bell }, reading(texts));
    await expect(failing).rejects.toMatchObject({
      type: 'UnknownText',
      retryable: false,
      message: expect.stringContaining('v1-bell'),
    });
  });
});
