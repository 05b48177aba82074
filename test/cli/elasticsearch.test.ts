/** `--search elasticsearch` as a person uses it: index, list, ask. */
import { beforeEach, expect, test } from 'vitest';
import { type CommandLine, commandLineOver } from '../support/command-line.js';
import { corpusName, sharedElasticsearch } from '../support/elasticsearch.js';
import type { ModelServer } from '../support/model-server.js';
import { promptOf, telephoneReply, writeBells } from '../support/telephone.js';

const url = await sharedElasticsearch();
if (url !== undefined) commands(url);

function commands(ELASTICSEARCH_URL: string): void {
  let server: ModelServer;
  let cli: CommandLine;
  let file: string;
  beforeEach(async () => {
    ({ server, cli } = await commandLineOver((request) => telephoneReply(promptOf(request))));
    file = await writeBells(cli.home);
  });

  test('a corpus is indexed, listed and asked', async () => {
    const into = corpusName('bells');
    const env = { ELASTICSEARCH_URL, DURABLE_RAG_SEARCH: 'lancedb' };
    const flags = ['--search', 'elasticsearch'];
    const indexed = await cli.run(['index', file, '--into', into, '--k1', '1.2', ...flags], env);
    expect(indexed).toMatchObject({ code: 0, stdout: '' });
    expect(indexed.stderr).toContain(`${into}: 200 passages`);

    const listed = await cli.run(['corpora', ...flags], env);
    const line = listed.stdout.split('\n').find((one) => one.startsWith(into));
    expect(line).toMatch(/^\S+ +elasticsearch +200 +english, k1 1.2, b 0.4 +- +\d{4}-\d\d-\d\d$/);
    expect(await cli.json(['corpora', ...flags], env)).toContainEqual(
      expect.objectContaining({ name: into, engine: 'elasticsearch', passages: 200 }),
    );
    expect((await cli.run(['corpora'], env)).stdout).toContain('No corpus is indexed yet.');

    const question = ['ask', 'Who was Bell?', '--method', 'base', '--corpus', into];
    expect(await cli.json([...question, ...flags], env)).toMatchObject({ outcome: 'answered' });
    expect(JSON.stringify(server.requests[0]?.body)).toContain('Bell 0.');
  });

  test('what is wrong is told in one line', async () => {
    const env = { ELASTICSEARCH_URL: 'http://127.0.0.1:1', NODE_ENV: 'test' };
    const { code, stderr } = await cli.run(['corpora'], env);
    expect(code).toBe(8);
    expect(stderr).toMatch(
      /^Error Elasticsearch at http:\/\/127\.0\.0\.1:1 cannot be reached.*\n$/,
    );
  });
}
