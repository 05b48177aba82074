import { parseJson } from '../core/canonical-json.js';
import { Failure, messageOf } from '../core/failure.js';
import { isObject } from '../core/is-object.js';
import type { ExtraBody } from '../core/step-models.js';
import type { BatchingModel } from './batch-endpoint.js';
import type { Completion, CompletionRequest, LanguageModel } from './language-model.js';

/**
 * The result of testing whether an endpoint supports one kind of call: the kind, such as "seed",
 * whether it works, and the finding as a phrase.
 */
export interface ProbeResult {
  /** The kind of call: "plain", "seed", "schema" and so on. */
  kind: string;
  /** Whether the endpoint supports it. */
  works: boolean;
  /** The finding as a phrase: "a seed is accepted", or the message of the error. */
  says: string;
}

const SCHEMA = {
  name: 'reply',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};

/** About 2,500 tokens, more than the 1,024 from which providers cache. */
const LONG = Array.from({ length: 250 }, (_, i) => `Note ${i}: the river rose again today.`).join(
  ' ',
);

/**
 * Tests which kinds of calls an endpoint supports, and returns one result for each kind. Makes
 * seven calls, one after the other, and one or two more for each parameter that is refused; then it
 * reads the list of batches. If a plain call fails twice, it returns only that result.
 *
 * @throws The signal's reason once it has fired.
 */
export async function probeModel(
  llm: LanguageModel & Partial<Pick<BatchingModel, 'batches'>>,
  model: string,
  signal: AbortSignal,
  extraBody: ExtraBody = {},
): Promise<ProbeResult[]> {
  const plain: CompletionRequest = {
    model,
    temperature: 0,
    maxTokens: 16,
    extraBody,
    messages: [{ role: 'user', content: 'Name the capital of France in one word.' }],
  };
  const long: CompletionRequest = {
    ...plain,
    messages: [{ role: 'user', content: `${LONG}\n\nName the capital of France in one word.` }],
  };
  const refused = new Set<string>();

  /**
   * Returns the answer to a request. Asks once more if a parameter was refused, which the model
   * then leaves out.
   */
  async function ask(request: CompletionRequest): Promise<Completion> {
    try {
      return await llm.complete(request, signal);
    } catch (error) {
      if (!(error instanceof Failure && error.type === 'ParameterRefused')) throw error;
      refused.add(error.message);
      return llm.complete(request, signal);
    }
  }

  async function kind(
    name: string,
    asked: CompletionRequest,
    read: (completion: Completion) => Omit<ProbeResult, 'kind'>,
  ): Promise<ProbeResult> {
    const before = refused.size;
    try {
      const completion = await ask(asked);
      if (refused.size > before) {
        return { kind: name, works: false, says: [...refused].slice(before).join(' ') };
      }
      return { kind: name, ...read(completion) };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: name, works: false, says: messageOf(error) };
    }
  }

  let first: Completion | undefined;
  const temperature = await kind('temperature', plain, (completion) => {
    first = completion;
    return { works: true, says: 'temperature 0 is accepted' };
  });
  first ??= await ask(plain).catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
  if (!first) return [{ kind: 'plain', works: false, says: temperature.says }];
  const { servedModel, thinking } = first;
  return [
    first.text.trim() === ''
      ? { kind: 'plain', works: thinking === 'all', says: 'the answer is empty' }
      : { kind: 'plain', works: true, says: `answered by ${servedModel}` },
    temperature,
    {
      kind: 'thinking',
      works: thinking !== undefined,
      says: thinking ? `${thinking} of the tokens were thinking` : 'no thinking is reported',
    },
    await kind('seed', { ...plain, seed: 7 }, () => ({ works: true, says: 'a seed is accepted' })),
    await kind('logprobs', { ...plain, logprobs: true }, ({ logprob }) => ({
      works: logprob !== undefined,
      says: logprob === undefined ? 'the answer has none' : 'given',
    })),
    await kind('schema', { ...plain, maxTokens: 64, schema: SCHEMA }, ({ text }) =>
      schemaKept(text),
    ),
    await kind('long prompt', long, ({ usage }) => ({
      works: usage !== null && usage.promptTokens > 0,
      says: usage === null ? 'no tokens are reported' : `${usage.promptTokens} tokens read`,
    })),
    await kind('cached tokens', long, ({ usage }) => ({
      works: usage !== null && usage.cachedPromptTokens > 0,
      says: `${usage?.cachedPromptTokens ?? 0} tokens of the same prompt reported as cached`,
    })),
    await kind('flex', { ...plain, tier: 'flex' }, ({ tier }) => ({
      works: tier?.served === 'flex',
      says: `served by the tier: ${tier?.served ?? 'unsaid'}`,
    })),
    await batch(llm, signal),
  ];
}

function schemaKept(text: string): Omit<ProbeResult, 'kind'> {
  const value = parseJson(text);
  if (value === undefined) return { works: false, says: 'the answer is not JSON' };
  const works = isObject(value) && typeof value.city === 'string';
  return { works, says: works ? 'the answer follows it' : 'the answer does not follow it' };
}

/** Reads the list of batches. This costs nothing, and an endpoint without batches has none. */
async function batch(
  { batches }: Partial<Pick<BatchingModel, 'batches'>>,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const kind = 'batch';
  if (!batches) return { kind, works: false, says: 'this model has no batches' };
  try {
    await batches.find('durable-rag-doctor', signal);
    return { kind, works: true, says: 'batches are listed' };
  } catch (error) {
    signal.throwIfAborted();
    return { kind, works: false, says: messageOf(error) };
  }
}
