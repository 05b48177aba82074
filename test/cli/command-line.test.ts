import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MethodResult } from '../../core/result.js';
import { sampleFiles } from '../../retrieval/sample-corpus.js';
import { type CommandLine, commandLineOver } from '../support/command-line.js';
import type { ModelServer, ReplySpec } from '../support/model-server.js';
import { promptOf, QUESTION, telephoneReply } from '../support/telephone.js';

let server: ModelServer;
let cli: CommandLine;
let reply: (prompt: string) => ReplySpec;

beforeEach(async () => {
  reply = (prompt) => ({ text: telephoneReply(prompt).text });
  ({ server, cli } = await commandLineOver((request) => reply(promptOf(request))));
});

describe('ask', () => {
  it('tells a person the answer, the reasons and the cost', async () => {
    const { code, stdout, stderr } = await cli.run(['ask', QUESTION, '--model', 'gpt-4o']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\s+Bell\n/);
    expect(stdout).toMatch(/\* Bell {2}supported, 1 of 1 in comparison\n\s+\S/);
    expect(stdout).toMatch(/7 calls, .* prompt tokens, .* completion tokens, \$0\.\d+/);
    expect(stdout).toMatch(/History: .*ask-sure-who-got-the-first-patent/);
    expect(stderr).toMatch(/generateCandidates 2 candidates/);
  });

  const refused: [string, string[], RegExp][] = [
    ['an empty question', ['ask', ' '], /question: is empty/],
    ['a question of 100,000 characters', ['ask', 'x'.repeat(100_000)], /100000 characters.*20000/],
    ['half a passage', ['ask', 'q', '--passages', '1.5'], /^Error --passages: .*whole number/],
    ['no question', ['ask'], /missing required argument/],
    [
      'a corpus file there is not',
      ['index', 'no.jsonl', '--into', 'x'],
      /no\.jsonl does not exist/,
    ],
  ];
  it.each(refused)('refuses %s before it starts anything', async (_, args, message) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).toBe('');
    expect(server.requests).toHaveLength(0);
  });

  it('says which variable is wrong', async () => {
    const { code, stderr } = await cli.run(['ask', 'q'], { DURABLE_RAG_CONCURRENCY: 'many' });
    expect(code).toBe(2);
    expect(stderr).toContain('DURABLE_RAG_CONCURRENCY (--concurrency) must be a whole number');
  });

  it('cancels the question at Ctrl-C', async () => {
    reply = () => 'hang';
    const asking = cli.start(['ask', QUESTION]);
    await expect.poll(() => server.inFlight).toBe(1);
    asking.child.kill('SIGINT');
    const { code, stdout, stderr } = await asking.finished;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(
      /Cancelled +0 calls, .*; of which estimated .*1 attempt without an answer/,
    );
    await expect.poll(() => server.aborted).toBe(1);
    expect(server.requests).toHaveLength(1);
  });
});

describe('index', () => {
  it('says how it read a file, and refuses what nobody can tell with the line that would do', async () => {
    const file = join(cli.home, 'docs.csv');
    await writeFile(file, 'docid,body\nd7,Bell got it.\nd7,Gray did not.\n');
    const refused = await cli.run(['index', file, '--into', 'docs']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    const [, mapping = ''] = /--fields (\S+)\./.exec(refused.stderr) ?? [];
    expect(mapping).toBe('id=docid,text=body');
    const { code, stderr } = await cli.run(['index', file, '--into', 'docs', '--fields', mapping]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('docs: 2 passages')]);
    expect(stderr).toContain('read as CSV (id=docid, text=body)');
    expect(stderr).toContain('1 with a repeated id got a number appended');
    const { stdout } = await cli.run(['corpora', '--json']);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        name: 'docs',
        repeatedIds: 1,
        fields: { id: 'docid', text: 'body' },
      }),
    ]);
  });
});

describe('worker', () => {
  it('serves questions asked from elsewhere, which tell how they ended', async () => {
    // A worker indexes nothing into the engine that it is given.
    expect(await cli.run(['index', sampleFiles().corpus, '--into', 'sample'])).toMatchObject({
      code: 0,
    });
    const queue = ['--task-queue', `own-${randomUUID()}`];
    const worker = cli.start(['worker', ...queue]);
    await worker.says(`polls ${queue[1]}`);
    // A log: each line has its time.
    await worker.says(`${new Date().toISOString().slice(0, 10)}T`);
    const asked = (question: string, ...flags: string[]) =>
      cli.run(['ask', question, ...flags, ...queue], { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });

    const { code, stdout, stderr } = await asked(QUESTION, '--json');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Worker')]);
    const result: MethodResult = JSON.parse(stdout);
    expect(server.requests).toHaveLength(7);
    expect(result).toMatchObject({
      method: 'sure',
      question: QUESTION,
      outcome: 'answered',
      answer: 'Bell',
      usage: { calls: 7, cachedCalls: 0 },
    });
    expect(Object.keys(result.usage).sort()).toEqual([
      'cachedCalls',
      'cachedPromptTokens',
      'calls',
      'completionTokens',
      'costUsd',
      'promptTokens',
    ]);

    // What cannot be read is asked for again, three times in all.
    reply = () => ({ text: '...' });
    const unread = await asked('Who mumbles?', '--json');
    expect(unread.code).toBe(3);
    expect(JSON.parse(unread.stdout)).toMatchObject({
      outcome: 'unreadable',
      answer: null,
      usage: { calls: 3 },
    });

    // What is wrong with a key is said, and never the key.
    const message = 'Incorrect API key provided: sk-test-secret';
    reply = () => ({ status: 401, body: { error: { message, code: 'invalid_api_key' } } });
    const before = server.requests.length;
    const denied = await asked('Who may ask?');
    expect(denied.code).toBe(3);
    expect(denied.stderr).toMatch(
      /^Corpus +sample, the corpus of the demonstration; use --corpus for another\n/,
    );
    expect(denied.stdout).toMatch(
      /Failed in generateCandidates \(Authentication\): .*OPENAI_API_KEY/,
    );
    expect(denied.stdout + denied.stderr).not.toContain('sk-test-secret');
    expect(server.requests).toHaveLength(before + 1);

    const status = await cli.run(['deploy', 'status', ...queue]);
    expect(status.stdout).toBe(
      `The workers of ${queue[1]} are not versioned: 1 questions, 1 models, 1 retrieval.\n`,
    );
    expect(status.stderr).toContain(`durable-rag --task-queue ${queue[1]} worker --versioned`);
    worker.child.kill('SIGTERM');
    const ended = await worker.finished;
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('sk-test-secret')]);
  });

  it('says at once that no server answers', async () => {
    const { code, stderr } = await cli.run(['worker'], { TEMPORAL_ADDRESS: '127.0.0.1:9' });
    expect(code).toBe(8);
    expect(stderr).toMatch(/No Temporal server answers at 127\.0\.0\.1:9.*TEMPORAL_ADDRESS/);
  });
});
