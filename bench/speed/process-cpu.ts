/** The CPU time of a process we did not write, from Linux's own account. */
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** Linux counts in hundredths of a second, whatever its kernel does inside. */
const MS_PER_TICK = 10;

/** The id of the server that a program was started as on a port; undefined where there is no /proc. */
export async function serverPid(program: string, port: number): Promise<number | undefined> {
  for (const entry of await readdir('/proc').catch(() => [])) {
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    const [started = '', ...args] = command.split('\0');
    const at = args.indexOf('--port');
    const onPort = at !== -1 && args[at + 1] === String(port);
    if (onPort && basename(started) === program) return Number(entry);
  }
  return undefined;
}

/** Milliseconds of CPU since it started; NaN where that cannot be read. */
export async function cpuOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return Number.NaN;
  // The second field, the program's name, may hold spaces: count from its closing bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
