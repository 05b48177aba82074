/** `rescore` and `explain` from the built command line: gold answers, a copy, and a judge that alone is asked. */
import { expect, test } from 'vitest';
import { commandLineOver } from '../../support/command-line.js';

const question = { question: 'What colour has the sky?', answers: ['blue'] };

test('a run gets other gold answers and a judge, or a copy of it does', async () => {
  const { server, cli } = await commandLineOver(({ model }) => ({
    text: model === 'judge-1' ? 'Yes' : 'azure',
  }));
  await cli.worker();
  const write = (name: string, more: object) =>
    cli.write(name, { id: 'sky', ...question, ...more });
  const dataset = await write('sky.jsonl', {});
  const flags = ['--method', 'noRetrieval', '--dataset', dataset, '--name', 'azure'];
  await cli.ok(['eval', ...flags]);

  const explained = await cli.ok(['explain', 'azure']);
  expect(explained.stdout).toMatch(/0 answers right by EM, 1 wrong, of 1 question\n/);
  expect(explained.stdout).toMatch(/1 {2}nothing that was read or written contains the answer\n/);
  expect(server.requests).toHaveLength(1);

  const edited = await write('edited.jsonl', { answers: ['blue', 'azure'] });
  const changing = ['rescore', 'azure', '--dataset', edited];
  const planned = await cli.json([...changing, '--dry-run']);
  const em = { metric: 'em', before: { mean: 0 }, after: { mean: 1 }, changed: 1 };
  expect(planned).toMatchObject({
    run: 'azure',
    dryRun: true,
    toJudge: { answers: 0 },
    metrics: expect.arrayContaining([expect.objectContaining({ metric: 'em' })]),
  });
  expect(planned.metrics[0]).toMatchObject(em);

  const copied = await cli.run([...changing, '--name', 'copy']);
  expect(copied.stdout).toMatch(/EM +0\.0 \(1 question\) +100\.0 \(1 question\) +1\n/);
  expect(copied.stderr).toContain('durable-rag compare copy azure');
  // Typed again, as after a kill, it goes on with its copy, and with no other run.
  await cli.ok([...changing, '--name', 'copy']);
  await cli.ok(['eval', ...flags.slice(0, -1), 'not-azure']);
  expect((await cli.run([...changing, '--name', 'not-azure'])).code).toBe(7);
  const exported = async (run: string) => JSON.parse((await cli.ok(['export', run])).stdout);
  expect((await exported('copy')).metrics).toMatchObject({ em: 1 });
  expect((await exported('azure')).metrics).toMatchObject({ em: 0 });
  expect(server.requests).toHaveLength(1);

  const claims = await write('claims.jsonl', { claims: ['The sky is azure.'] });
  const judged = await cli.ok(['rescore', 'azure', '--dataset', claims, '--judge', 'judge-1']);
  expect(judged.stderr).toMatch(/To judge +1 answer by judge-1, 1 call at most/);
  expect(judged.stdout).toMatch(/Claim recall +100\.0 \(1 question\) +1\n/);
  expect(server.requests.map(({ body }) => body.model).slice(1)).toEqual(['judge-1']);

  const unknown = await cli.run(['rescore', 'azure', '--metrics', 'tone']);
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.stderr).toContain('there is no metric "tone"');
});
