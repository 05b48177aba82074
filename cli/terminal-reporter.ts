/**
 * Reporters that write to standard error: with progress bars on a terminal, with occasional lines
 * elsewhere, or as a log.
 */
import { MultiBar, Presets } from 'cli-progress';
import colors from 'picocolors';
import { type Settings, setting } from '../core/settings.js';
import { readableBytes } from '../files/disk.js';
import { printable } from '../report/views/printable.js';
import type { LogFields, ProgressReport, Reporter } from '../temporal-dev/reporter.js';

/** Number of progress lines of a download without a terminal. */
const STEPS = 10;
const NAME_WIDTH = 12;

/**
 * Returns a reporter that writes lines to standard error. On a terminal, progress bars are drawn
 * below the lines and disappear when they finish; elsewhere a download has a line for each tenth.
 *
 * @param prefix Returns the beginning of each line.
 */
export function terminalReporter(
  stream: NodeJS.WriteStream = process.stderr,
  prefix = () => '',
): Reporter {
  const bars = stream.isTTY ? new Bars(stream) : undefined;
  const paint = colors.createColors(stream.isTTY && colors.isColorSupported);
  const line = (text: string) =>
    bars ? bars.line(prefix() + text) : void stream.write(`${prefix()}${text}\n`);
  return {
    part: (name, text) => line(`${paint.cyan(name.padEnd(NAME_WIDTH))} ${printable(text)}`),
    warn: (text) => line(`${paint.yellow('Warning'.padEnd(NAME_WIDTH))} ${printable(text)}`),
    progress: (label, total) => bars?.add(label, total) ?? tenths(label, total, line),
  };
}

/**
 * Returns a reporter that writes a log to standard error, for commands that keep running. A line
 * begins with its time in ISO 8601; with `json` it is an object
 * `{"time","level","part","message"}`, with run, question, step and more if known.
 */
export function logReporter(
  { json }: { json: boolean },
  stream: NodeJS.WriteStream = process.stderr,
): Reporter {
  const time = () => new Date().toISOString();
  if (!json) return terminalReporter(stream, () => `${time()} `);
  const log = (level: string, part: string, message: string, fields: LogFields = {}) =>
    void stream.write(`${JSON.stringify({ time: time(), level, part, message, ...fields })}\n`);
  return {
    part: (name, text) => log('info', name, text),
    warn: (text, fields) =>
      log('warn', fields?.level === 'error' ? 'Error' : 'Warning', text, fields),
    progress: () => ({ update: () => {}, finish: () => {} }),
  };
}

/** Several progress bars at once, which stay below printed lines. */
class Bars {
  readonly #stream: NodeJS.WriteStream;
  #bars: MultiBar | undefined;
  #open = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  line(text: string): void {
    if (this.#bars === undefined) this.#stream.write(`${text}\n`);
    else this.#bars.log(`${text}\n`);
  }

  add(label: string, total: number): ProgressReport {
    this.#bars ??= new MultiBar(
      {
        stream: this.#stream,
        format: '{label} {bar} {percentage} % of {size}, {eta_formatted} left',
        clearOnComplete: true,
        hideCursor: true,
        etaBuffer: 50,
        // Ctrl-C belongs to the command line, which stops everything in order.
        gracefulExit: false,
      },
      Presets.shades_classic,
    );
    this.#open++;
    const bar = this.#bars.create(total, 0, {
      label: label.padEnd(NAME_WIDTH),
      size: readableBytes(total),
    });
    let finished = false;
    return {
      update: (done) => {
        if (!finished) bar.update(Math.min(done, total));
      },
      finish: () => {
        if (finished) return;
        finished = true;
        bar.stop();
        this.#bars?.remove(bar);
        this.#open--;
        if (this.#open > 0) return;
        this.#bars?.stop();
        this.#bars = undefined;
      },
    };
  }
}

/** Returns the report of a download that prints a line for each tenth. */
function tenths(label: string, total: number, line: (text: string) => void): ProgressReport {
  let shown = 0;
  let finished = false;
  return {
    update(done) {
      const step = total > 0 ? Math.floor((Math.min(done, total) / total) * STEPS) : 0;
      if (finished || step <= shown) return;
      shown = step;
      line(`${label}: ${(step * 100) / STEPS} % of ${readableBytes(total)}`);
    },
    finish() {
      finished = true;
    },
  };
}

/** Format of a command's log: "text" or "json". */
export type LogFormat = NonNullable<Settings['DURABLE_RAG_LOG_FORMAT']>;

/**
 * Returns the format of a command's log: "json" with `--json`, otherwise that of
 * DURABLE_RAG_LOG_FORMAT, otherwise "text" on a terminal.
 *
 * @param unwatched Format if none is set and the output is not a terminal.
 */
export function logFormatOf(
  unwatched: LogFormat,
  { env, json }: { env: NodeJS.ProcessEnv; json?: boolean | undefined },
  isTerminal = process.stderr.isTTY,
): LogFormat {
  if (json) return 'json';
  return setting(env, 'DURABLE_RAG_LOG_FORMAT') ?? (isTerminal ? 'text' : unwatched);
}
