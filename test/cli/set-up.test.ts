/** What `demo` and `dev` ask before they fetch, and what they do with the answer. */
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { setUp } from '../../cli/set-up.js';
import { packageRoot } from '../../stores/package-root.js';
import type { PartFinding } from '../../temporal-dev/findings.js';
import * as findings from '../../temporal-dev/findings.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { cliContext } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';

/** Gives a command a terminal of its own, and ends as it does. */
const ON_A_TERMINAL =
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** What is written on a terminal where somebody answers. */
async function answered(answer: string, command: string, home: string) {
  const program = join(packageRoot(), 'bin', 'durable-rag.js');
  const child = spawn('python3', ['-c', ON_A_TERMINAL, process.execPath, program, command], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      DURABLE_RAG_HOME: home,
      NO_COLOR: '1',
      DURABLE_RAG_TEMPORAL_PORT: String(await freePort()),
      DURABLE_RAG_MODEL_PORT: String(await freePort()),
    },
  });
  let said = '';
  let isAnswered = false;
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
    if (!isAnswered && said.includes('[Y/n]')) {
      isAnswered = true;
      child.stdin.write(`${answer}\n`);
    }
  });
  const code = await new Promise<number | null>((ended) => {
    child.on('close', ended);
  });
  return { code, said };
}

it('asks once for all that is missing, and fetches nothing after a no', async () => {
  const home = await temporaryFolder();
  const { code, said } = await answered('n', 'demo', home);
  expect(said).toMatch(/These are missing on this machine:/);
  expect(said).toMatch(/Model +Qwen2\.5-Coder-0\.5B-Instruct, 491 MB to fetch/);
  expect(said.match(/\[Y\/n\]/g)).toHaveLength(1);
  expect(said).toMatch(/Nothing was fetched\. To use your own services, set TEMPORAL_ADDRESS/);
  expect(code).toBe(1);
  expect(await readdir(home)).not.toContain('artifacts');
});

function found(parts: Record<string, PartFinding['state']>) {
  const fetched: string[] = [];
  const list = Object.entries(parts).map(([part, state]) => ({
    part,
    state,
    text: 'of this size',
    fetch: async () => void fetched.push(part),
  }));
  vi.spyOn(findings, 'stackFindings').mockResolvedValue(list);
  return fetched;
}

vi.mock('../../temporal-dev/findings.js', async (original) => ({ ...(await original<object>()) }));

it.each([
  ['with --yes', { yes: true }],
  ['where nobody can answer', {}],
])('fetches what is missing, and only that, %s', async (_, flags) => {
  const fetched = found({ Temporal: 'fetched', Model: 'there', Search: 'fetched' });
  await setUp(flags, cliContext());
  expect(fetched.sort()).toEqual(['Search', 'Temporal']);
});

it('does nothing where nothing is missing', async () => {
  const fetched = found({ Temporal: 'there', 'Model server': 'missing' });
  await setUp({}, cliContext());
  expect(fetched).toEqual([]);
});
