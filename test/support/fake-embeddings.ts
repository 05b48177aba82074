/** An embedding model without a model: vectors that tell which words a text has. */
import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '../../llm/embedding-model.js';

/**
 * Texts that share words are near each other, whatever the words are; the same text always has the
 * same vector. `meanings` makes different words one: { physician: 'doctor' }.
 */
export function fakeEmbeddings(
  options: { model?: string; dimensions?: number; meanings?: Record<string, string> } = {},
): EmbeddingModel & { readonly requests: (readonly string[])[] } {
  const { model = 'fake-words', dimensions = 64, meanings = {} } = options;
  const requests: (readonly string[])[] = [];
  return {
    provider: 'fake',
    model,
    dimensions: options.dimensions,
    requests,
    async embed(texts, signal) {
      signal.throwIfAborted();
      if (texts.length > 0) requests.push(texts);
      const vectors = texts.map((text) => vectorOf(text, dimensions, meanings));
      const promptTokens = texts.reduce((sum, text) => sum + wordsOf(text).length, 0);
      const usage = { promptTokens, cachedPromptTokens: 0, completionTokens: 0 };
      return { vectors, usage, costUsd: promptTokens / 1000 };
    },
  };
}

function vectorOf(text: string, dimensions: number, meanings: Record<string, string>): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  vector[0] = 0.01;
  for (const word of wordsOf(text)) {
    const digest = createHash('sha256')
      .update(meanings[word] ?? word)
      .digest();
    const at = digest.readUInt32LE() % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
