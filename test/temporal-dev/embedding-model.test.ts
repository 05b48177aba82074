import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Artifact, MINILM, MINILM_TOKENIZER } from '../../temporal-dev/artifacts.js';
import { obtainEmbeddingModel } from '../../temporal-dev/embedding-model.js';
import { SetupError } from '../../temporal-dev/setup-error.js';
import { context } from './support.js';

/** Counts as fetched: a file with a hole. */
async function pretend({ name, version, file, size, sha256 }: Artifact, home: string) {
  const folder = join(home, 'artifacts', `${name}-${version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), '');
  await truncate(join(folder, file), size);
  await writeFile(join(folder, '.verified'), sha256);
}

function noNetwork() {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
}

test('files that are there are used, and nothing is said', async () => {
  noNetwork();
  const at = await context();
  await pretend(MINILM, at.home);
  await pretend(MINILM_TOKENIZER, at.home);
  expect(await obtainEmbeddingModel(at)).toEqual({
    model: join(at.home, 'artifacts/all-minilm-l6-v2-int8/model.onnx'),
    tokenizer: join(at.home, 'artifacts/all-minilm-l6-v2-tokenizer-1/tokenizer.json'),
  });
  expect(at.reporter.lines).toEqual([]);
});

test('a download is told before it starts, and every source that failed in the end', async () => {
  noNetwork();
  const at = await context();
  await pretend(MINILM, at.home);
  const error = await obtainEmbeddingModel(at).catch((reason: unknown) => reason);
  expect(at.reporter.lines[0]).toBe(
    `Embeddings: downloading the tokenizer of all-MiniLM-L6-v2, 467 kB, from huggingface.co to ${at.home}/artifacts`,
  );
  expect(error).toBeInstanceOf(SetupError);
  expect((error as SetupError).message).toMatch(/huggingface\.co: .*\n.*pip: neither Python/);
});
