/** What the processes that this one has started take, as ps tells it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Usage {
  /** Seconds of a core so far. */
  cpuSeconds: number;
  rssMb: number;
}

/** Sums over those that live, by what their command lines are told by. */
export async function usageOf<Part extends string>(
  parts: Record<Part, RegExp>,
): Promise<Record<Part, Usage>> {
  const columns = ['-A', '-o', 'pid=,ppid=,cputimes=,rss=,args='];
  const { stdout } = await promisify(execFile)('ps', columns, { maxBuffer: 2 ** 24 });
  const rows = stdout.split('\n').flatMap((line) => {
    const [, args = ''] = /^(?:\s*\d+){4} (.*)/.exec(line) ?? [];
    const [pid, parent, cpuSeconds = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
    return args === '' ? [] : [{ pid, parent, cpuSeconds, kilobytes, args }];
  });
  const ours = new Set<number | undefined>([process.pid]);
  const below = () => rows.filter(({ pid, parent }) => ours.has(parent) && !ours.has(pid));
  for (let found = below(); found.length > 0; found = below()) {
    for (const { pid } of found) ours.add(pid);
  }
  const sums = Object.entries<RegExp>(parts).map(([part, pattern]) => {
    const its = rows.filter(({ pid, args }) => ours.has(pid) && pattern.test(args));
    const cpuSeconds = its.reduce((sum, one) => sum + one.cpuSeconds, 0);
    const rssMb = Math.round(its.reduce((sum, one) => sum + one.kilobytes, 0) / 1024);
    return [part, { cpuSeconds, rssMb }];
  });
  return Object.fromEntries(sums);
}
