import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatasetQuestion, readQuestions } from '../../evaluation/question-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-rag-questions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: string | Buffer): Promise<DatasetQuestion[]> {
  const file = join(folder, 'data.jsonl');
  await writeFile(file, content);
  const found: DatasetQuestion[] = [];
  for await (const question of readQuestions(file)) found.push(question);
  return found;
}

const lines = [
  '{"id": "a", "question": "Who?", "answers": ["Bell"], "passages": [{"id": "p", "title": "T", "text": "Bell.", "isGold": true}], "source": "x"}',
  '',
  '{"id": 7, "question": " When? "}',
].join('\r\n');

it('reads what it needs of each line, plain or gzip', async () => {
  const questions = [
    { id: 'a', question: 'Who?', answers: ['Bell'], passages: [{ title: 'T', text: 'Bell.' }] },
    { id: '7', question: 'When?' },
  ];
  expect(await read(lines)).toEqual(questions);
  expect(await read(gzipSync(lines))).toEqual(questions);
});

it.each([
  ['', 'holds no question'],
  ['\n\n', 'holds no question'],
  ['{"id": "a", "question": "Who?"}\n{"id": "b"', 'line 2 is not JSON'],
  ['{"id": "a"}', 'line 1 is no question: question'],
  ['{"id": "", "question": "Who?"}', 'line 1 is no question: id'],
  ['[]', 'holds no question'],
  ['[[]]', 'record 1 is no question: the line'],
  ['{"id": "a", "question": "Who?", "passages": [{"title": "T"}]}', 'passages.0.text'],
  [
    '{"id": "1", "question": "Who?"}\n{"id": 1, "question": "When?"}',
    'lines 1 and 2 have the same id',
  ],
])('refuses %j', async (content, message) => {
  await expect(read(content)).rejects.toMatchObject({ name: 'Failure', type: 'BadInput' });
  await expect(read(content)).rejects.toThrow(message);
});

it('refuses a file that is cut off or not there', async () => {
  await expect(read(gzipSync(lines).subarray(0, 60))).rejects.toThrow('is cut off');
  const missing = readQuestions(join(folder, 'missing.jsonl'));
  await expect(missing.next()).rejects.toThrow('does not exist');
  await expect(readQuestions(folder).next()).rejects.toThrow('cannot be read (EISDIR)');
});
