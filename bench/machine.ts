/** On what a bench measures, to be told with its figures. */
import { cpus, loadavg } from 'node:os';

/** Of the last minute, when the program started: what it adds itself is not in it. */
const [LOAD_AT_START = 0] = loadavg();

/** One line; `further` names what else takes part, such as a server with its version. */
export function measuredOn(...further: string[]): string {
  const [cpu] = cpus();
  return `Measured on ${[
    `${cpu?.model.trim() ?? 'an unknown CPU'}, ${cpus().length} cores, load average ${LOAD_AT_START.toFixed(1)} at the start`,
    `Node ${process.versions.node}`,
    ...further,
    new Date().toISOString().slice(0, 10),
  ].join('; ')}.`;
}
