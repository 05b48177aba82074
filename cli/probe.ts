/** `durable-rag doctor --probe`: tests which features the configured endpoint supports. */
import { createOpenAiModel } from '../llm/openai/openai-model.js';
import { loadPrices } from '../llm/prices.js';
import { type ProbeResult, probeModel } from '../llm/probe-model.js';
import type { Finding } from '../temporal-dev/findings.js';
import { readConfig } from '../workers/config.js';
import type { CliContext } from './context.js';

const TIMEOUT_MS = 60_000;

/**
 * Makes a few small calls to the model of the config file, or to the endpoint of the environment,
 * and returns a finding for each kind of call.
 *
 * @throws Failure Authentication if no key is set; BadInput for an invalid address.
 */
export async function probeEndpoint(context: CliContext): Promise<Finding[]> {
  const { env, config, signal } = context;
  const { apiKey, baseUrl, prices, reasoningAllowance, ...asked } = readConfig(env, config);
  const model =
    config?.model ??
    createOpenAiModel({
      apiKey,
      baseUrl,
      reasoningAllowance,
      timeoutMs: TIMEOUT_MS,
      prices: await loadPrices(prices, config?.prices),
    });
  return (await probeModel(model, asked.defaultModel, signal, asked.usual?.extraBody)).map(finding);
}

/**
 * Returns the result of a probe as a finding. Only a plain call is required: methods work without
 * the other features, or report what they need.
 */
function finding({ kind, works, says }: ProbeResult): Finding {
  const state = works ? 'there' : kind === 'plain' ? 'missing' : 'unused';
  const mend = kind === 'plain' && !works && 'check OPENAI_BASE_URL, OPENAI_API_KEY and the model';
  return { part: kind, state, text: says, ...(mend && { mend }) };
}
