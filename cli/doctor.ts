/** `durable-rag doctor`: reports what is installed, which services answer, and how to fix the rest. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from '../core/failure.js';
import {
  describeUnknown,
  readSettings,
  SETTING_NAMES,
  type UnknownVariable,
  unknownVariables,
} from '../core/settings.js';
import { plural } from '../evaluation/runs/number-text.js';
import { freeBytes, readableBytes } from '../files/disk.js';
import { loadPrices } from '../llm/prices.js';
import { type ProbeResult, probeModel } from '../llm/probe-model.js';
import {
  installCommand,
  isInstalled,
  OPTIONAL_PARTS,
  type PartName,
} from '../stores/optional-parts.js';
import { type PartFinding, stackFindings } from '../temporal-dev/findings.js';
import { readConfig } from '../workers/config.js';
import { loadTenants } from '../workers/load-tenants.js';
import { connectionFindings } from './connections.js';
import type { CliContext } from './context.js';
import { EXIT } from './exit-codes.js';
import type { CommandOutput } from './print-output.js';

/**
 * Returns the output of `doctor`: findings about this machine and environment, and about each
 * configured service; with `probe`, also about the abilities of the model's endpoint, which takes
 * a few small calls. As JSON it is an object with `ok`, `findings` and, with `probe`, `probe`.
 * Starts nothing. The exit code is 1 if something is missing, else 0; parts that `dev` would
 * download do not count as missing. With `probe` it is 8 if the endpoint does not answer a plain
 * call.
 */
export async function doctor(
  { probe = false }: { probe?: boolean | undefined },
  context: CliContext,
): Promise<CommandOutput> {
  const unknown = unknownVariables(context.env);
  const env = { ...context.env };
  for (const { name } of unknown) delete env[name];
  const findings = [
    ...(await surroundings(context)),
    ...unknown.map(unknownFinding),
    ...(await parts({ ...context, env })),
  ];
  const probed = probe ? await probeEndpoint(context) : undefined;
  const isMissing = findings.some(({ state }) => state === 'missing');
  const value = { ok: !isMissing, findings, ...(probed && { probe: probed }) };
  const text = [...findings, ...(probed ?? [])].map(line).join('\n');
  if (probed?.[0]?.state === 'missing') return { value, text, code: EXIT.unreachable };
  return { value, text, code: isMissing ? EXIT.error : EXIT.ok };
}

const MARKS = { there: 'ok', fetched: 'fetched', missing: 'MISSING', unused: '-' } as const;

function line({ part, state, text, mend }: PartFinding): string {
  const mending = mend && state !== 'there' ? `\n${' '.repeat(24)}fix: ${mend}` : '';
  return `${MARKS[state].padEnd(8)} ${part.padEnd(14)} ${text}${mending}`;
}

/** Returns findings about the program, the home folder and the environment. */
async function surroundings({ home, env, config }: CliContext): Promise<PartFinding[]> {
  const set = SETTING_NAMES.filter((name) => env[name]);
  const temporal = Object.keys(env).filter((name) => name.startsWith('TEMPORAL_') && env[name]);
  const names = [...set, ...temporal].join(', ') || 'none';
  return [
    { part: 'Node', state: 'there', text: process.versions.node },
    await homeFinding(home),
    { part: 'Settings', state: 'there', text: `${names} (set; values are not shown)` },
    {
      part: 'Configuration',
      state: config ? 'there' : 'unused',
      text: config ? 'read' : 'no durable-rag.config.ts in this folder',
    },
  ];
}

function unknownFinding(unknown: UnknownVariable): PartFinding {
  return { part: 'Settings', state: 'missing', text: describeUnknown(unknown) };
}

async function homeFinding(home: string): Promise<PartFinding> {
  const part = 'Folder';
  let folder = home;
  while (!(await stat(folder).catch(() => undefined))) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK);
    return {
      part,
      state: 'there',
      text: `${home}, ${readableBytes(await freeBytes(folder))} free`,
    };
  } catch {
    const mend = 'set DURABLE_RAG_HOME to a folder that can be written to';
    return { part, state: 'missing', text: `${home} cannot be written to`, mend };
  }
}

/**
 * Returns findings about services, local parts and optional packages. A wrong setting is a finding too.
 */
async function parts(context: CliContext): Promise<PartFinding[]> {
  try {
    readSettings(context.env);
    const stack = await stackFindings(context, context.config?.model !== undefined);
    const connections = await connectionFindings(context);
    const tables = [await pricesFinding(context), ...(await tenantsFinding(context))];
    return [...stack, ...connections, ...tables, ...(await optional())];
  } catch (error) {
    const mend = 'change the variable named in the message';
    return [{ part: 'Settings', state: 'missing', text: messageOf(error), mend }];
  }
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * Returns the finding about the price table: its age, and prices of the user's own.
 *
 * @throws Failure BadInput if the user's prices cannot be read.
 */
async function pricesFinding({ env, config }: CliContext): Promise<PartFinding> {
  const table = await loadPrices(readConfig(env, config).prices, config?.prices);
  const days = [...table.values()].flatMap(({ asOf = [] }) => asOf).sort();
  const [oldest = '', newest = ''] = [days[0], days.at(-1)];
  const age = plural(Math.floor((Date.now() - Date.parse(oldest)) / DAY_MS), 'day');
  const span = oldest === newest ? oldest : `${oldest} to ${newest}, the oldest`;
  const undated = table.size - days.length;
  const others = undated === 0 ? '' : `; ${undated} of your own without a date (asOf)`;
  const text = `${plural(table.size, 'model')}, of ${span} ${age} ago${others}`;
  return { part: 'Prices', state: 'there', text };
}

/**
 * Returns a finding about tenants with terms of their own; none if there are none.
 *
 * @throws Failure BadInput if their terms cannot be read.
 */
async function tenantsFinding({ env, config }: CliContext): Promise<PartFinding[]> {
  const tenants = Object.values(
    await loadTenants(readConfig(env, config).tenants, config?.tenants),
  );
  if (tenants.length === 0) return [];
  const budgets = tenants.filter(({ budgetUsdPerDay }) => budgetUsdPerDay !== undefined).length;
  const text = `terms of ${plural(tenants.length, 'tenant')}, ${budgets} with a daily budget`;
  return [{ part: 'Tenants', state: 'there', text }];
}

async function optional(): Promise<PartFinding[]> {
  const names = Object.keys(OPTIONAL_PARTS) as PartName[];
  return Promise.all(
    names.map(async (name): Promise<PartFinding> => {
      const { title } = OPTIONAL_PARTS[name];
      if (await isInstalled(name)) return { part: 'Optional', state: 'there', text: title };
      return { part: 'Optional', state: 'unused', text: title, mend: installCommand(name) };
    }),
  );
}

/** Timeout of one call of a probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 60_000;

/**
 * Makes a few small calls to the model of the config file, or to the endpoint of the environment,
 * and returns a finding for each kind of call.
 *
 * @throws Failure Authentication if no key is set; BadInput for an invalid address.
 */
async function probeEndpoint(context: CliContext): Promise<PartFinding[]> {
  const { createOpenAiModel } = await import('../llm/openai/openai-model.js');
  const { env, config, signal } = context;
  const { apiKey, baseUrl, prices, reasoningAllowance, ...asked } = readConfig(env, config);
  const model =
    config?.model ??
    createOpenAiModel({
      apiKey,
      baseUrl,
      reasoningAllowance,
      timeoutMs: PROBE_TIMEOUT_MS,
      prices: await loadPrices(prices, config?.prices),
    });
  return (await probeModel(model, asked.defaultModel, signal, asked.usual?.extraBody)).map(
    probeFinding,
  );
}

/**
 * Returns the result of a probe as a finding. Only a plain call is required: methods work without
 * the other features, or report what they need.
 */
function probeFinding({ kind, works, says }: ProbeResult): PartFinding {
  const state = works ? 'there' : kind === 'plain' ? 'missing' : 'unused';
  const mend = kind === 'plain' && !works && 'check OPENAI_BASE_URL, OPENAI_API_KEY and the model';
  return { part: kind, state, text: says, ...(mend && { mend }) };
}
