/** A namespace that the server does not have: a sentence that names it, before anything else. */
import { expect, inject, it, onTestFinished } from 'vitest';
import { commandLine } from '../support/command-line.js';

it.each([['worker'], ['dev'], ['runs'], ['status', 'any']])(
  'is named by %s',
  async (...command) => {
    const cli = await commandLine('http://127.0.0.1:9/v1');
    onTestFinished(() => cli.remove());
    const env = { TEMPORAL_ADDRESS: inject('temporalAddress'), TEMPORAL_NAMESPACE: 'elsewhere' };
    const { code, stderr } = await cli.run(command, env);
    expect(stderr).toContain('has no namespace elsewhere. Set TEMPORAL_NAMESPACE');
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  },
);
