/** `study cancel`, of a study that waits for its model. */
import { expect, it } from 'vitest';
import { commandLineOver } from '../../support/command-line.js';

it('gives JSON as every command that stops or deletes something', async () => {
  const { server, cli } = await commandLineOver(() => 'hang');
  await cli.worker();
  const question = { id: 'q', question: 'Who called?', answers: ['Bell'] };
  const file = await cli.write('q.jsonl', { ...question, passages: ['Bell called.'] });
  const study = await cli.write('study.json', {
    name: 'nightly',
    methods: ['base'],
    datasets: [{ file }],
  });
  await cli.ok(['study', 'run', study, '--detach']);
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBeGreaterThan(0);

  const told = await cli.json(['study', 'cancel', 'nightly']);
  expect(told).toEqual({ study: 'nightly', cancelled: true });
  expect(server.requests).toHaveLength(1);
});
