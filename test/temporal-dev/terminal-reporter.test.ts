import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { terminalReporter } from '../../cli/terminal-reporter.js';

function stream() {
  const pipe = new PassThrough();
  return Object.assign(pipe as unknown as NodeJS.WriteStream, { isTTY: false });
}

test('without a terminal a download is a line for every tenth', () => {
  const out = stream();
  const reporter = terminalReporter(out);
  reporter.part('Temporal', 'downloading');
  const progress = reporter.progress('Temporal', 1_000_000_000);
  for (let done = 0; done <= 300_000_000; done += 1_000_000) progress.update(done);
  progress.finish();
  reporter.warn('careful');

  expect(String(out.read())).toBe(
    [
      'Temporal     downloading',
      'Temporal: 10 % of 1.0 GB',
      'Temporal: 20 % of 1.0 GB',
      'Temporal: 30 % of 1.0 GB',
      'Warning      careful',
      '',
    ].join('\n'),
  );
});
