/** What is no command, told as `--json` promises. */
import { expect, it } from 'vitest';
import { carriedOutHere } from '../support/carried-out-here.js';

it.each([
  [['corpora', '--jsn', '--json'], "unknown option '--jsn'"],
  [['completion', 'ksh', '--json'], "command-argument value 'ksh' is invalid"],
  [['datasets', 'remove', '--json'], "missing required argument 'name'"],
])('says what is wrong in %j, and nothing before it', async (words, message) => {
  const { code, stderr } = await carriedOutHere(words, {});
  expect(code).toBe(2);
  const last = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({ error: { type: 'BadInput' }, exitCode: 2 });
  expect(last.error.message.startsWith(message)).toBe(true);
});

it.each([
  ['datasets'],
  ['completion', 'bash'],
  ['eval', '--dry-run'],
  ['index', 'x.jsonl'],
  ['dev'],
])('refuses a variable that nothing reads before %s does anything', async (...words) => {
  const { code, stdout, stderr } = await carriedOutHere([...words, '--json'], {
    DURABLE_RAG_HOEM: '/x',
    DURABLE_RAG_FOO: 'secret-1',
    TEMPORAL_ADRESS: 'here:1',
  });
  expect([code, stdout]).toEqual([2, '']);
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  expect(error).toMatchObject({
    type: 'BadInput',
    message:
      'DURABLE_RAG_HOEM: there is no such variable; did you mean DURABLE_RAG_HOME?; ' +
      'DURABLE_RAG_FOO: there is no such variable; unset it; ' +
      'TEMPORAL_ADRESS: there is no such variable; did you mean TEMPORAL_ADDRESS?',
  });
});
