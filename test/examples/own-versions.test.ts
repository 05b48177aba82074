/** Workers with workflows of one's own are of one version, wherever they start: a run outlives them. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type CommandLine, commandLine } from '../support/command-line.js';
import { startModelServer } from '../support/model-server.js';
import { gate } from '../support/run.js';
import { promptOf } from '../support/telephone.js';
import { installedExample } from './installed.js';

vi.setConfig({ testTimeout: 300_000 });

/** The example in a folder of its own; all of them share the home and the queue of the first. */
async function placed(baseUrl: string, first?: CommandLine) {
  const { folder: cwd, root, remove } = await installedExample('own-method');
  const cli = await commandLine(baseUrl, { cwd, root });
  onTestFinished(async () => {
    await cli.remove();
    await remove();
  });
  const env = { DURABLE_RAG_TASK_QUEUE: 'own-versions', DURABLE_RAG_HOME: (first ?? cli).home };
  const worker = async () => {
    const running = cli.start(['worker', '--versioned'], env);
    onTestFinished(() => void running.child.kill('SIGKILL'));
    await running.says('polls');
    const [, version] = /as version (\w{12})/.exec(running.said()) ?? [];
    return { ...running, version };
  };
  return { cli, worker, run: (...args: string[]) => cli.run(args, env), folder: cwd };
}

it('goes on in another folder with the run of a worker that was killed', async () => {
  const killed = gate();
  let asked = 0;
  const server = await startModelServer({
    reply: async (request) => {
      asked += 1;
      if (asked > 2) await killed.opened;
      return { text: promptOf(request).includes('Look again') ? 'Yes' : 'Paris' };
    },
  });
  onTestFinished(() => server.close());
  const one = await placed(server.baseUrl);
  const other = await placed(server.baseUrl, one.cli);

  const first = await one.worker();
  expect((await one.run('deploy', 'promote')).code).toBe(0);
  const dataset = join(one.cli.home, 'questions.jsonl');
  const passages = [{ title: 'France', text: 'Its capital is Paris.' }];
  const lines = [1, 2, 3].map((n) =>
    JSON.stringify({ id: `${n}`, question: `Capital ${n}?`, answers: ['Paris'], passages }),
  );
  await writeFile(dataset, `${lines.join('\n')}\n`);
  const flags = ['--method', 'lookTwice', '--dataset', dataset, '--name', 'moved', '--detach'];
  expect((await one.run('eval', ...flags)).code).toBe(0);
  await vi.waitFor(() => expect(asked).toBeGreaterThan(2), { timeout: 60_000 });
  first.child.kill('SIGKILL');
  await first.finished;
  await rm(join(one.folder, 'workflow.ts'));

  const second = await other.worker();
  expect(second.version).toBe(first.version);
  killed.open();
  const { stdout } = await other.run('attach', 'moved');
  expect(stdout).toContain('EM 100');
  expect((await other.run('status', 'moved')).stdout).not.toContain('no workers');
});
