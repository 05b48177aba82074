import { expect, test } from 'vitest';
import { MINILM, MINILM_TOKENIZER } from '../../temporal-dev/artifacts.js';
import { obtainEmbeddingModel } from '../../temporal-dev/embedding-model.js';
import { SetupError } from '../../temporal-dev/setup-error.js';
import { context, noNetwork, pretend } from './support.js';

test('files that are there are used and nothing is said; what is missing is told before it comes', async () => {
  const at = await context({ env: await noNetwork() });
  const model = await pretend(MINILM, at.home);
  const error = await obtainEmbeddingModel(at).catch((reason: unknown) => reason);
  expect(at.reporter.lines[0]).toBe(
    `Embeddings: downloading the tokenizer of all-MiniLM-L6-v2, 467 kB, from huggingface.co to ${at.home}/artifacts`,
  );
  expect(error).toBeInstanceOf(SetupError);
  expect((error as SetupError).message).toMatch(/huggingface\.co: .*\n.*pip: neither Python/);

  at.reporter.lines.length = 0;
  const tokenizer = await pretend(MINILM_TOKENIZER, at.home);
  expect(await obtainEmbeddingModel(at)).toEqual({ model, tokenizer });
  expect(at.reporter.lines).toEqual([]);
});
