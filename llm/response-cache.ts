/** Keeps what was paid for: every response of a model, under everything that decided it. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../methods/canonical-json.js';
import { Failure } from '../methods/failure.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { Completion, CompletionRequest } from './language-model.js';

/** Everything that decides a response, and which of several asked for the same thing it is. */
export interface CacheKeyParts {
  /** `LanguageModel.provider`. */
  provider: string;
  request: CompletionRequest;
  /** Which of several samples of the same prompt. */
  sample: number;
  /** How often the output was asked for again because it could not be read; 0 is the first time. */
  attempt: number;
}

const completion = z.object({
  text: z.string(),
  cut: z.boolean(),
  logprob: z.number().optional(),
  usage: z.object({
    promptTokens: z.number(),
    cachedPromptTokens: z.number(),
    completionTokens: z.number(),
  }),
  costUsd: z.number().nullable(),
  servedModel: z.string(),
  fingerprint: z.string().nullable(),
}) satisfies z.ZodType<Completion>;

const cacheEntry = z.object({
  completion,
  /** Which activity paid for it; the same one gets it back whatever it is. */
  origin: z.string(),
  /** When it was paid for (ISO 8601). */
  at: z.string(),
});

export type CacheEntry = z.infer<typeof cacheEntry>;

export class ResponseCache {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /**
   * A response that may stand for a new call.
   *
   * The activity that paid for it gets it back whatever it is, retried after a crash or while its
   * output cannot be read: nothing is paid twice. Anybody else gets it only where it can be read,
   * so that nobody inherits garbage. An entry that is damaged, or of another version, counts as
   * absent.
   *
   * @param origin Names the activity, and is the same for all its attempts.
   * @param serves Whether a response that another activity paid for will do.
   * @throws what the store throws when it cannot be read.
   */
  async lookup(
    key: string,
    origin: string,
    serves: (completion: Completion) => boolean,
  ): Promise<CacheEntry | undefined> {
    const text = await this.#store.get(key);
    const entry = text === undefined ? undefined : parseEntry(text);
    return entry && (entry.origin === origin || serves(entry.completion)) ? entry : undefined;
  }

  /**
   * Makes sure that responses can be kept, before one is paid for.
   *
   * @throws Failure StoreUnwritable.
   */
  async probe(): Promise<void> {
    try {
      await this.#store.set('probe', 'written');
    } catch (cause) {
      const said = cause instanceof Error ? cause.message : String(cause);
      const message = `No response could be kept, so none is paid for: ${said}`;
      throw new Failure('StoreUnwritable', message, { cause });
    }
  }

  /** Resolves once the response survives a crash. Call it before anything is done with it. */
  async store(key: string, entry: CacheEntry): Promise<void> {
    await this.#store.set(key, JSON.stringify(entry));
  }
}

/** The key of a response: a hash over all parts, 67 letters and digits. */
export function cacheKey(parts: CacheKeyParts): string {
  return `v1-${createHash('sha256').update(canonicalJson(parts)).digest('hex')}`;
}

function parseEntry(text: string): CacheEntry | undefined {
  try {
    return cacheEntry.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
