/** What a stored run would take again, from the built command line. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { packageRoot } from '../../../stores/package-root.js';
import { type CommandLine, commandLineOver } from '../../support/command-line.js';
import type { ModelServer } from '../../support/model-server.js';
import { promptOf, stepOf, telephoneReply } from '../../support/telephone.js';

let server: ModelServer;
let cli: CommandLine;

beforeEach(async () => {
  ({ server, cli } = await commandLineOver((request) => telephoneReply(promptOf(request))));
});

it('says what an edit of a prompt costs, which the run then costs', async () => {
  const questions = ['called', 'filed'].map((id) => ({
    id,
    question: `Who ${id}?`,
    answers: ['Bell'],
    passages: [`Bell ${id}.`],
  }));
  const dataset = await cli.write('q.jsonl', ...questions);
  const prompts = join(cli.home, 'prompts');
  await mkdir(join(prompts, 'mine'), { recursive: true });
  const shipped = await readFile(join(packageRoot(), 'prompts', 'rank-pair.txt'), 'utf8');
  await writeFile(join(prompts, 'mine', 'rank-pair.txt'), `Mind the names.\n${shipped}`);
  const env = { DURABLE_RAG_PROMPTS: prompts };
  await cli.worker(env);
  const flags = ['eval', '--method', 'sure', '--dataset', dataset, '--model', 'gpt-4.1-mini'];
  const json = (...args: string[]) => cli.json(args, env);
  const fresh = await json(...flags, '--dry-run');
  expect(fresh).toMatchObject({ answered: 0, exact: { calls: 2 } });

  await json(...flags);
  const asked = server.requests.length;
  const [{ run }] = await json('runs');
  expect(await json('plan', run)).toMatchObject({
    run,
    kept: 2,
    answered: 0,
    exact: { calls: 0 },
    atMost: { together: { calls: 0, costUsd: 0 } },
  });
  // The same flags name the same run.
  expect(await json(...flags, '--dry-run')).toMatchObject({ run, kept: 2 });
  expect(await json(...flags, '--dry-run', '--name', 'other')).toMatchObject({
    kept: 0,
    answered: asked,
    atMost: { together: { calls: 0 } },
  });

  const edited = await json('plan', run, '--prompts', 'mine');
  expect(edited).toMatchObject({
    kept: 0,
    exact: { calls: 4 },
    atMost: { together: { calls: 4 } },
  });
  expect(edited.exact.costUsd).toBeGreaterThan(0);
  expect((await cli.run(['plan', run, '--prompts', 'mine'], env)).stdout).toMatch(
    /^To pay {5}4: rankPair 4 \(\$0\.\d+\)$/m,
  );
  expect(server.requests).toHaveLength(asked);
  await json(...flags, '--prompts', 'mine');
  const more = server.requests.slice(asked).map(({ body }) => stepOf(promptOf(body)));
  expect(more).toEqual(Array(4).fill('rankPair'));

  // Of an edit further up what follows is counted at most.
  for (const [set, prompt, sure] of [
    ['stricter', 'validate', 4],
    ['wider', 'generate-candidates', 2],
  ] as const) {
    await mkdir(join(prompts, set));
    const text = await readFile(join(packageRoot(), 'prompts', `${prompt}.txt`), 'utf8');
    await writeFile(join(prompts, set, `${prompt}.txt`), `Mind the names.\n${text}`);
    const { exact, atMost } = await json('plan', run, '--prompts', set);
    expect(exact.calls).toBe(sure);
    const before = server.requests.length;
    await json(...flags, '--prompts', set);
    const sent = server.requests.slice(before).map(({ body }) => stepOf(promptOf(body)));
    // Nobody says anything else, so that nothing behind it has another address.
    expect(sent).toHaveLength(sure);
    expect(atMost.together.calls).toBeGreaterThanOrEqual(set === 'wider' ? 7 : sure);
  }

  const unknown = await cli.run(['plan', 'nothing']);
  expect(unknown).toMatchObject({ code: 6, stdout: '' });
});
