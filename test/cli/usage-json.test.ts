/** What is no command, told as `--json` promises. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { createProgram } from '../../cli/program.js';
import { quietReporter } from '../support/quiet-reporter.js';

it.each([
  [['corpora', '--jsn', '--json'], "unknown option '--jsn'"],
  [['completion', 'ksh', '--json'], "command-argument value 'ksh' is invalid"],
  [['datasets', 'remove', '--json'], "missing required argument 'name'"],
])('says what is wrong in %j, and nothing before it', async (words, message) => {
  const written: string[] = [];
  const argv = process.argv;
  process.argv = ['node', 'durable-rag', ...words];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  onTestFinished(() => {
    process.argv = argv;
    write.mockRestore();
    exit.mockRestore();
  });
  const context = { env: {}, home: '', reporter: quietReporter, signal: AbortSignal.timeout(9e5) };
  const program = createProgram(context, async (command) => void (await command()));
  await expect(program.parseAsync(words, { from: 'user' })).rejects.toThrow('exit 2');
  const last = written.join('').trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(last)).toMatchObject({ error: { type: 'BadInput' }, exitCode: 2 });
  expect(JSON.parse(last).error.message.startsWith(message)).toBe(true);
});
