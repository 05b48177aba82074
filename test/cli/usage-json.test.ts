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
