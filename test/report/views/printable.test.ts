/** What models, corpora and providers say does nothing to a terminal. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import pc from 'picocolors';
import { expect, onTestFinished, test, vi } from 'vitest';
import { print, printJson, printToStderr } from '../../../cli/print.js';
import { renderResult } from '../../../cli/render-result.js';
import { DatasetSummary } from '../../../cli/run/describe-dataset.js';
import { renderProgress } from '../../../cli/run/render-progress.js';
import { terminalReporter } from '../../../cli/terminal-reporter.js';
import type { MethodResult } from '../../../core/result.js';
import type { RunProgress } from '../../../core/run/run.js';
import { settingsOf } from '../../../core/run/run-settings.js';
import { NO_USAGE } from '../../../core/usage.js';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import { methodRegistry } from '../../../interpreters/methods.js';
import { printable, printableInColours, printableJson } from '../../../report/views/printable.js';
import { packageRoot } from '../../../stores/package-root.js';
import { result } from '../../activities/run/support.js';

/** Sets the title, writes into the clipboard, clears the screen, hides, rings, goes back, turns round. */
const ATTACK =
  'a\x1b]0;title\x07b\x1b]52;c;ZXZpbA==\x1b\\c\x1b[2J\x1b[1;1Hd\x1b[8me\x9b2Jf\x07\b\rg\u202eh\x7fi\x1bc';
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const COMMANDS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

test('control characters are shown, line ends and tabs are kept', () => {
  expect(printable('a\r\nb\tc\n')).toBe('a\nb\tc\n');
  expect(printable('\x1b[31mred\x07')).toBe('␛[31mred␇');
  expect(printable(ATTACK)).not.toMatch(COMMANDS);
});

test('whatever the text, nothing of it is a command, and plain text stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).not.toMatch(COMMANDS);
      expect(JSON.parse(printableJson(JSON.stringify(text)))).toBe(text);
      expect(printableJson(JSON.stringify(text))).not.toMatch(COMMANDS);
      if (!COMMANDS.test(text)) expect(printable(text)).toBe(text);
    }),
  );
});

test('our own colours are left, and nothing else of that kind', () => {
  const colours = pc.createColors(true);
  const ours = `${colours.bold(colours.green('x'))} ${colours.dim('y')} ${colours.red('z')}`;
  expect(printableInColours(ours)).toBe(ours);
  expect(printableInColours(`${ours}${ATTACK}`)).not.toContain('\x1b[8m');
  expect(printableInColours(`${ours}${ATTACK}`)).not.toContain('\x1b]');
});

test('an answer, its passages, its flags and its failure are shown without commands', () => {
  const passage = { id: ATTACK, title: ATTACK, score: 1 };
  const chain = { passages: [passage], candidates: [ATTACK], question: ATTACK };
  const flags: MethodResult['flags'] = [{ kind: 'cut', step: 'read', detail: ATTACK }];
  const failure: MethodResult['failure'] = { type: 'BadRequest', message: ATTACK, step: 'read' };
  const ends: Partial<MethodResult>[] = [
    { answer: ATTACK, evidence: [ATTACK], chain, flags },
    { outcome: 'failed', answer: null, failure, chain, flags },
  ];
  for (const changes of ends) {
    for (const method of ['base', 'sure', 'mine']) {
      const shown = renderResult(result({ method, ...changes }), {
        seconds: 1,
        historyUrl: undefined,
        methods: methodRegistry(),
      });
      expect(printableInColours(shown)).toBe(shown);
      expect(shown).not.toContain('\x1b[8m');
    }
  }
});

test('why a run is paused is shown without commands', () => {
  const progress: RunProgress = {
    run: 'r',
    method: 'base',
    questions: 1,
    done: 0,
    running: 0,
    state: 'paused',
    outcomes: { answered: 0, unknown: 0, unreadable: 0, failed: 0 },
    scores: {},
    usage: NO_USAGE,
    settings: settingsOf({}),
    startedAt: 0,
    pause: { reason: 'Overloaded', message: ATTACK },
  };
  const lines = renderProgress(progress, undefined).join('\n');
  expect(printableInColours(lines)).toBe(lines);
});

test('the questions of a data set are shown without commands', () => {
  const summary = new DatasetSummary();
  summary.add(datasetReader()({ id: ATTACK, question: ATTACK, answers: [ATTACK] }));
  const lines = summary.lines(ATTACK).join('\n');
  expect(printableInColours(lines)).toBe(lines);
});

test('what is warned of and told goes without commands to either stream', () => {
  const pipe = new PassThrough();
  const reporter = terminalReporter(
    Object.assign(pipe as unknown as NodeJS.WriteStream, { isTTY: false }),
  );
  reporter.warn(ATTACK);
  reporter.part('Run', ATTACK);
  expect(String(pipe.read()).replaceAll('\n', '')).not.toMatch(COMMANDS);

  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    onTestFinished(() => spy.mockRestore());
  }
  print(ATTACK);
  printToStderr(ATTACK);
  printJson({ answer: ATTACK });
  expect(written).toHaveLength(3);
  for (const text of written) {
    expect(printableInColours(text)).toBe(text);
    expect(text).not.toContain('\x1b]');
  }
  expect(JSON.parse(written[2] ?? '')).toEqual({ answer: ATTACK });
});

test('no command writes past this', () => {
  const folder = join(packageRoot(), 'cli');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const writing = files.filter(
    (file) =>
      file.endsWith('.ts') &&
      /process\.std(?:out|err)\.write|console\./.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(writing).toEqual(['print.ts']);
});
