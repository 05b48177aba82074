/** Results in Elasticsearch, as people on two machines use them. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CommandLine, commandLine } from '../../support/command-line.js';
import { sharedElasticsearch } from '../../support/elasticsearch.js';
import { startModelServer } from '../../support/model-server.js';

const url = await sharedElasticsearch();
if (url !== undefined) {
  const env = {
    DURABLE_RAG_SEARCH: 'lancedb',
    DURABLE_RAG_RESULTS: 'elasticsearch',
    ELASTICSEARCH_URL: url,
  };
  const question = {
    id: 'sky',
    question: 'What is the colour of the sky?',
    answers: ['blue'],
    ctxs: [{ title: 'Sky', text: 'The sky is blue, they say.' }],
  };

  test('a run of one machine is listed, exported and reported on another', async () => {
    const server = await startModelServer({ reply: () => ({ text: 'blue' }) });
    onTestFinished(() => server.close());
    async function machine(): Promise<CommandLine> {
      const cli = await commandLine(server.baseUrl);
      onTestFinished(() => cli.remove());
      return cli;
    }
    const [one, other] = [await machine(), await machine()];
    const run = `sky-${randomUUID().slice(0, 8)}`;
    const dataset = join(one.home, 'sky.jsonl');
    await writeFile(dataset, JSON.stringify(question));

    const flags = ['--method', 'base', '--dataset', dataset, '--name', run, '--corpus', 'sample'];
    const asked = await one.run(['eval', ...flags], env);
    expect(asked, asked.stderr).toMatchObject({ code: 0 });
    expect(asked.stdout).toMatch(/1 of 1 done/);
    expect(existsSync(join(one.home, 'runs'))).toBe(false);

    expect((await other.run(['runs'], env)).stdout).toContain(`${run}: 1 questions, base, begun `);
    const exported = await other.run(['export', run], env);
    expect(JSON.parse(exported.stdout)).toMatchObject({ id: 'sky', prediction: 'blue' });
    const out = join(other.home, 'report.html');
    const reported = await other.run(['report', run, '--out', out], env);
    expect(reported, reported.stderr).toMatchObject({ code: 0 });
    expect(reported.stderr).not.toContain('no longer there');
  });
}
