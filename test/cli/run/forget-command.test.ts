/** Kept replies from the built command line: forgotten, shared, and asked again. */
import { expect, test } from 'vitest';
import { commandLineOver } from '../../support/command-line.js';
import { promptOf } from '../../support/telephone.js';

const NAMES = ['Ada', 'Ben', 'Cem'];

test('forgets the replies of a question, says who shares them, and asks it again', async () => {
  let colour = 'blue';
  const { server, cli } = await commandLineOver((request) => {
    // At temperature 0 nothing comes of this one.
    const isMute = promptOf(request).includes('Cem') && request.temperature === 0;
    return { text: isMute ? '' : colour };
  });
  await cli.worker();
  const questions = NAMES.map((name) => ({
    id: name,
    question: `What colour has ${name}?`,
    answers: ['blue'],
  }));
  const dataset = await cli.write('colours.jsonl', ...questions);
  const ask = ['eval', '--method', 'base', '--passages', '0', '--dataset', dataset, '--name'];
  await cli.run([...ask, 'colours-first']);
  await cli.run([...ask, 'colours-second']);
  const answerOf = async (run: string, id: string) => cli.json(['show', run, id]);
  const before = server.requests.length;

  const refused = await cli.run(['forget', 'colours-first', 'Ada']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  expect(refused.stderr).toContain('colours-second (1 question)');
  expect((await answerOf('colours-first', 'Ada')).result.answer).toBe('blue');
  for (const [args, code, says] of [
    [['colours-first', 'Adda', '--yes'], 2, 'did you mean Ada?'],
    [['colours-first', 'Ada', 'raed', '--yes'], 2, 'the question has no call "raed"; it has read'],
    [['colours-fist', 'Ada', '--yes'], 6, 'There is no run "colours-fist"'],
  ] as const) {
    const wrong = await cli.run(['forget', ...args]);
    expect([wrong.code, wrong.stderr]).toEqual([code, expect.stringContaining(says)]);
  }

  const forgotten = await cli.json(['forget', 'colours-first', 'Ada', 'read', '--yes']);
  expect(forgotten).toEqual({
    run: 'colours-first',
    question: 'Ada',
    replies: 1,
    shared: { 'colours-second': ['Ada'] },
  });
  expect((await cli.run(['forget', 'colours-first', 'Ada', '--yes'])).code).toBe(2);
  const gone = await answerOf('colours-first', 'Ada');
  expect(gone).toMatchObject({ state: 'failed', failure: { type: 'Forgotten' } });
  expect(gone.earlier.calls).toBe(1);
  // Who shares it keeps what it has.
  expect((await answerOf('colours-second', 'Ada')).result.answer).toBe('blue');
  expect(server.requests).toHaveLength(before);

  colour = 'green';
  await cli.run(['retry', 'colours-first']);
  expect((await answerOf('colours-first', 'Ada')).result.answer).toBe('green');
  expect((await answerOf('colours-first', 'Ben')).result.answer).toBe('blue');
  expect(server.requests).toHaveLength(before + 1);

  // What could not be read is asked as another sample, where that is wanted.
  expect((await answerOf('colours-first', 'Cem')).state).toBe('unreadable');
  await cli.ok(['retry', 'colours-first', '--unreadable']);
  expect(await answerOf('colours-first', 'Cem')).toMatchObject({
    resample: 1,
    result: { answer: 'green' },
  });
  expect(server.requests).toHaveLength(before + 2);
});
