import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type InputFlags, methodInput } from '../../client/cli/method-input.js';
import { methodRegistry } from '../../workflows/methods.js';

async function inputOf(flags: Partial<InputFlags>, file?: object) {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-input-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const input = join(folder, 'input.json');
  if (file) await writeFile(input, JSON.stringify(file));
  const asked = await methodInput(
    'Who?',
    { method: 'base', ...(file && { input }), ...flags },
    methodRegistry(),
  );
  return asked.input;
}

describe('methodInput', () => {
  it('takes corpus and mode of the search from the flags', async () => {
    const input = await inputOf({ corpus: 'mine', mode: 'dense' });
    expect(input.retrieval).toEqual({ corpus: 'mine', mode: 'dense' });
  });

  it('says which corpus the question searches, where it does', async () => {
    const corpusOf = async (flags: Partial<InputFlags>) =>
      (await methodInput('Who?', { method: 'base', ...flags }, methodRegistry())).corpus;
    expect(await corpusOf({})).toBe('sample');
    expect(await corpusOf({ corpus: 'mine' })).toBe('mine');
    expect(await corpusOf({ passages: 0 })).toBeUndefined();
    expect(await corpusOf({ method: 'noRetrieval' })).toBeUndefined();
  });

  it('lets a flag win over the file, field by field', async () => {
    const file = {
      retrieval: { corpus: 'mine', mode: 'bm25' },
      models: { read: 'small' },
      options: { passages: 3, answerForm: 'prose' },
    };
    expect(await inputOf({ mode: 'hybrid', passages: 5, model: 'large' }, file)).toEqual({
      question: 'Who?',
      retrieval: { corpus: 'mine', mode: 'hybrid' },
      models: { read: 'small', default: 'large' },
      options: { passages: 5, answerForm: 'prose' },
    });
    expect(await inputOf({}, file)).toMatchObject(file);
  });

  it('names what does not fit', async () => {
    await expect(inputOf({ method: 'none' })).rejects.toThrow(
      /^--method: there is no method "none"/,
    );
    await expect(inputOf({}, { retrieval: { mode: 'fuzzy' } })).rejects.toThrow(
      /retrieval\.mode: /,
    );
    await expect(inputOf({ candidates: 1 })).rejects.toThrow(
      /^Bad input\. --candidates: there is no such field/,
    );
    await expect(inputOf({ passages: 900, option: { answerForm: 'prosa' } })).rejects.toThrow(
      /^Bad input\. --passages: must be a whole number from 0 to 200, not 900; --option answerForm: must be one of .*; did you mean prose\?$/,
    );
    await expect(inputOf({}, { options: { passages: 'x' } })).rejects.toThrow(
      /^Bad input\. options\.passages: must be /,
    );
    await expect(inputOf({}, { options: 3 })).rejects.toThrow(
      /input\.json does not have the shape/,
    );
    await expect(inputOf({ input: 'nowhere.json' })).rejects.toThrow(
      /^--input nowhere\.json does not/,
    );
  });
});
