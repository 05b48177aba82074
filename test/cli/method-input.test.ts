import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askFlags } from '../../cli/inputs.js';
import { methodInput } from '../../cli/method-input.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { typed } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';

async function asked(words: string[], file?: object) {
  const input = join(await temporaryFolder(), 'input.json');
  if (file) await writeFile(input, JSON.stringify(file));
  const given = ['--method', 'base', ...words, ...(file ? ['--input', input] : [])];
  return methodInput('Who?', await typed(askFlags, ...given), methodRegistry());
}

describe('methodInput', () => {
  it('says which corpus the question searches, where it does', async () => {
    expect((await asked([])).corpus).toBe('sample');
    expect((await asked(['--corpus', 'mine'])).corpus).toBe('mine');
    expect((await asked(['--passages', '0'])).corpus).toBeUndefined();
    expect((await asked(['--method', 'noRetrieval'])).corpus).toBeUndefined();
  });

  it('lets a flag win over the file, field by field', async () => {
    const file = {
      retrieval: { corpus: 'mine', mode: 'bm25' },
      models: { read: 'small' },
      options: { passages: 3, answerForm: 'prose' },
    };
    const words = ['--mode', 'hybrid', '--passages', '5', '--model', 'large'];
    expect((await asked(words, file)).input).toEqual({
      question: 'Who?',
      retrieval: { corpus: 'mine', mode: 'hybrid' },
      models: { read: 'small', default: 'large' },
      options: { passages: 5, answerForm: 'prose' },
    });
    expect((await asked([], file)).input).toMatchObject(file);
  });

  it('sets an option within another by a dot, beside those of the file', async () => {
    const file = { options: { ircot: { passages: 2, maxThoughts: 3 }, base: { passages: 4 } } };
    const words = ['--method', 'adaptiveRag', '--option', 'ircot.maxThoughts=1'];
    const { input } = await asked([...words, '--option', 'ircot.reader=direct'], file);
    expect(input.options).toEqual({
      ircot: { passages: 2, maxThoughts: 1, reader: 'direct' },
      base: { passages: 4 },
    });
  });
});
